// One program is stopped before each of its calls to the store in turn, and another does something meanwhile.
#include <functional>

#include "base/test_result.h"
#include "company.h"
#include "tests/relation/torture/fault_service.h"
#include "tests/support/test_store.h"

namespace dolmen {
namespace {

using testing::IsEmpty;

class RelationRaces : public CompanyTest {
 protected:
  RelationsOptions small_jobs() {
    RelationsOptions made = options();
    made.delete_actions_max = 10;
    return made;
  }

  static ResourceTypes any_ids() {
    ResourceTypes made = types();
    made.ids = IdPolicy::kAny;
    return made;
  }

  /// Does the same again and again, each time with something else happening one call later, until that is too late.
  void in_every_gap(const std::function<void()>& arrange, const std::function<void(Relations&)>& act,
                    const std::function<void()>& meanwhile, const std::function<void()>& check) {
    std::uint64_t gap = 0;
    for (bool happened = true; happened; ++gap) {
      happened = false;
      store_ = test_store();
      graph_ = std::make_unique<Relations>(Relations::open(*store_, "system", any_ids(), small_jobs()).value());
      auto service = std::make_unique<torture::FaultService>(*store_);
      torture::FaultService& calls = *service;
      Store paused_store(std::move(service));
      Relations paused = Relations::open(paused_store, "system", any_ids(), small_jobs()).value();
      arrange();
      calls.meanwhile(gap, [&] {
        happened = true;
        meanwhile();
      });
      act(paused);
      SCOPED_TRACE("before call " + std::to_string(gap));
      if (happened) check();
      expect_whole();
      if (HasFailure()) return;
    }
    EXPECT_GE(gap, 3U) << "there was hardly a gap";
  }

  void expect_whole() {
    const FindingPage page = graph_->verify({.whole_table = true}, {.limit = 1000}).value();
    for (const Finding& finding : page.findings)
      ADD_FAILURE() << finding.kind << " " << finding.subject << ": " << finding.message;
  }

  std::string group(const std::optional<std::string>& parent = std::nullopt, const std::string& id = "") {
    const Result<Resource> made = graph_->create({.type = "System.Group", .id = id, .parent = parent});
    EXPECT_THAT(made, succeeds());
    return made.value_or(Resource{}).urn;
  }

  /// More than fits into a small transaction, under names that can be used again.
  void make_large_family() {
    root_ = group(std::nullopt, "root");
    children_.clear();
    for (int i = 0; i < 12; ++i) {
      children_.push_back(group(root_, "child" + std::to_string(i)));
      group(children_.back(), "grandchild" + std::to_string(i));
    }
  }

  std::string root_;
  std::vector<std::string> children_;
};

TEST_F(RelationRaces, a_unique_value_that_was_changed_during_a_delete_is_free_afterwards) {
  std::string user;
  bool removed = false;
  in_every_gap([&] { user = graph_->create({.type = "System.User", .unique = {{"email", "a"}}})->urn; },
               [&](Relations& paused) { removed = paused.remove(user).has_value(); },
               [&] { static_cast<void>(graph_->update({.urn = user, .set = {{"email", "b"}}})); },
               [&] {
                 EXPECT_TRUE(removed);
                 for (const char* mail : {"a", "b"})
                   EXPECT_TRUE(graph_->create({.type = "System.User", .unique = {{"email", mail}}})) << mail;
               });
}

TEST_F(RelationRaces, a_reserved_value_goes_to_one_of_two_who_take_it) {
  const UniqueValue mail{.type = "System.User", .key = "email", .value = "boss@x"};
  std::string first;
  std::string second;
  bool first_has_it = false;
  bool second_has_it = false;
  in_every_gap(
      [&] {
        EXPECT_THAT(graph_->reserve_unique(mail), succeeds());
        first = graph_->create({.type = "System.User"})->urn;
        second = graph_->create({.type = "System.User"})->urn;
      },
      [&](Relations& paused) { first_has_it = paused.transfer_unique({.value = mail, .to = first}).has_value(); },
      [&] { second_has_it = graph_->transfer_unique({.value = mail, .to = second}).has_value(); },
      [&] {
        EXPECT_NE(first_has_it, second_has_it);
        EXPECT_EQ(graph_->find_unique(mail).value()->owner, second_has_it ? second : first);
        EXPECT_EQ(graph_->get(first)->attributes.contains("email"), first_has_it);
        EXPECT_EQ(graph_->get(second)->attributes.contains("email"), second_has_it);
      });
}

TEST_F(RelationRaces, a_restricted_delete_takes_no_child_along_that_came_meanwhile) {
  std::string child;
  bool removed = false;
  bool attached = false;
  in_every_gap(
      [&] {
        // With more memberships than a small transaction holds, it is deleted by a job.
        root_ = group();
        child = group();
        for (int i = 0; i < 12; ++i) EXPECT_TRUE(graph_->add_member(root_, {.collection = group()}));
      },
      [&](Relations& paused) {
        const auto done = paused.remove(root_, {.mode = DeleteMode::kRestrict});
        removed = done.has_value();
        if (!done) {
          EXPECT_THAT(done, fails_with(Code::kResourceInUse));
        }
      },
      [&] { attached = graph_->attach(child, root_).has_value(); },
      [&] {
        EXPECT_NE(removed, attached);
        EXPECT_EQ(graph_->get(root_).has_value(), attached);
        EXPECT_TRUE(graph_->get(child)) << "nobody asked for its delete";
      });
}

TEST_F(RelationRaces, what_was_moved_away_from_a_family_that_is_being_deleted_stays) {
  std::string elsewhere;
  bool moved = false;
  in_every_gap(
      [&] {
        make_large_family();
        elsewhere = group();
      },
      [&](Relations& paused) {
        const auto removed = paused.remove(root_);
        EXPECT_TRUE(removed) << removed.error().message();
      },
      [&] { moved = graph_->attach(children_[5], elsewhere).has_value(); },
      [&] {
        EXPECT_EQ(graph_->get(children_[5]).has_value(), moved);
        EXPECT_EQ(graph_->descendants(elsewhere)->items.size(), moved ? 2U : 0U);
        EXPECT_FALSE(graph_->get(root_));
      });
}

TEST_F(RelationRaces, what_was_made_anew_while_a_delete_slept_is_left_alone) {
  bool made_anew = false;
  in_every_gap([&] { make_large_family(); },
               [&](Relations& paused) {
                 const auto removed = paused.remove(root_);
                 EXPECT_TRUE(removed) << removed.error().message();
               },
               [&] {
                 EXPECT_THAT(graph_->resume_deletes(), succeeds());
                 made_anew = !graph_->get(root_);
                 if (made_anew) make_large_family();
               },
               [&] {
                 if (made_anew) {
                   EXPECT_EQ(graph_->descendants(root_)->items.size(), 24U);
                 }
                 made_anew = false;
               });
}

TEST_F(RelationRaces, what_was_made_anew_while_a_purge_slept_is_left_alone) {
  std::string account;
  bool made_anew = false;
  const auto arrange = [&] {
    account = graph_->create({.type = "System.Account", .id = "account"})->urn;
    for (int i = 0; i < 12; ++i)
      ASSERT_TRUE(graph_->create({.type = "System.Account.Job", .id = "job" + std::to_string(i), .account = account}));
  };
  in_every_gap(
      arrange,
      [&](Relations& paused) {
        const auto removed = paused.purge_account(account);
        EXPECT_THAT(removed, succeeds());
      },
      [&] {
        EXPECT_THAT(graph_->resume_deletes(), succeeds());
        made_anew = !graph_->get(account);
        if (made_anew) arrange();
      },
      [&] {
        if (made_anew) {
          EXPECT_EQ(graph_->by_account({.account = account})->items.size(), 12U);
        }
        made_anew = false;
      });
}

TEST_F(RelationRaces, a_repair_breaks_nothing_that_is_moved_meanwhile) {
  std::vector<std::string> parents;
  std::string child;
  in_every_gap(
      [&] {
        parents = {group(), group()};
        child = group(parents[0]);
      },
      [&](Relations& paused) { EXPECT_THAT(paused.repair({.whole_table = true}), succeeds()); },
      [&] { EXPECT_TRUE(graph_->attach(child, parents[1])); },
      [&] { EXPECT_EQ(graph_->parent(child).value(), parents[1]); });
}

TEST_F(RelationRaces, a_repair_breaks_nothing_that_is_changed_or_joins_meanwhile) {
  std::string user;
  std::string team;
  in_every_gap(
      [&] {
        team = group();
        user = graph_->create({.type = "System.User", .unique = {{"email", "a"}}})->urn;
      },
      [&](Relations& paused) { EXPECT_THAT(paused.repair({.whole_table = true}), succeeds()); },
      [&] {
        EXPECT_TRUE(graph_->update({.urn = user, .set = {{"email", "b"}}}));
        EXPECT_TRUE(graph_->add_member(user, {.collection = team}));
        group(team);
      },
      [&] {
        EXPECT_EQ(graph_->get_by_unique({.type = "System.User", .key = "email", .value = "b"})->urn, user);
        EXPECT_EQ(graph_->find_unique({.type = "System.User", .key = "email", .value = "a"}).value(), std::nullopt);
      });
}

TEST_F(RelationRaces, what_is_deleted_while_it_is_verified_is_no_finding) {
  std::string team;
  in_every_gap(
      [&] {
        root_ = group();
        team = group();
        const std::string child = group(root_);
        EXPECT_TRUE(graph_->create({.type = "System.User", .parent = child, .unique = {{"email", "a"}}}));
        EXPECT_TRUE(graph_->add_member(child, {.collection = team}));
      },
      [&](Relations& paused) {
        const auto page = paused.verify({.whole_table = true}, {.limit = 1000});
        ASSERT_THAT(page, succeeds());
        for (const Finding& finding : page->findings) ADD_FAILURE() << finding.kind << ": " << finding.message;
      },
      [&] { EXPECT_TRUE(graph_->remove(root_)); }, [&] { EXPECT_TRUE(graph_->remove(team)); });
}

TEST_F(RelationRaces, a_strict_look_at_what_is_deleted_meanwhile_finds_it_or_not) {
  std::string leaf;
  in_every_gap(
      [&] {
        root_ = group();
        leaf = group(group(root_));
      },
      [&](Relations& paused) {
        const auto found = paused.get(leaf, {.strict = true});
        if (!found) {
          EXPECT_THAT(found, fails_with(Code::kResourceNotFound));
        }
      },
      [&] { EXPECT_TRUE(graph_->remove(root_)); }, [] {});
}

TEST_F(RelationRaces, nothing_goes_into_or_out_of_a_family_that_is_being_deleted) {
  graph_ = std::make_unique<Relations>(Relations::open(*store_, "system", any_ids(), small_jobs()).value());
  make_large_family();
  const std::string elsewhere = group();
  bool looked = false;
  const OnProgress begun = [&](const DeleteProgress&) {
    if (std::exchange(looked, true)) return;
    EXPECT_THAT(graph_->attach(children_[3], elsewhere), fails_with(Code::kResourceDeleting));
    EXPECT_THAT(graph_->detach(children_[3]), fails_with(Code::kResourceDeleting));
    EXPECT_THAT(graph_->attach(elsewhere, children_[3]), fails_with(Code::kResourceDeleting));
    EXPECT_THAT(graph_->create({.type = "System.Group", .parent = children_[3]}), fails_with(Code::kResourceDeleting));
  };
  EXPECT_EQ(graph_->remove(root_, {.on_progress = begun})->count.resources, 25U);
  EXPECT_TRUE(looked);
  EXPECT_TRUE(graph_->get(elsewhere));
}

TEST_F(RelationRaces, a_delete_that_cannot_end_does_not_hold_up_the_others) {
  const auto abandon = [&](const std::string& urn) {
    auto service = std::make_unique<torture::FaultService>(*store_);
    torture::FaultService& calls = *service;
    Store crashing(std::move(service));
    Relations doomed = Relations::open(crashing, "system", any_ids(), small_jobs()).value();
    const OnProgress crash = [&](const DeleteProgress&) { calls.arm({}); };
    EXPECT_FALSE(doomed.remove(urn, {.on_progress = crash}));
  };
  graph_ = std::make_unique<Relations>(Relations::open(*store_, "system", any_ids(), small_jobs()).value());
  make_large_family();
  const std::string damaged = root_;
  abandon(damaged);
  const std::string second = group();
  for (int i = 0; i < 12; ++i) group(second);
  abandon(second);
  EXPECT_EQ(graph_->pending_deletes()->size(), 2U);
  // A child of the first is no resource any more.
  const std::string key = "Resource#" + children_[0];
  ASSERT_THAT(store_->put_item("system", {{"PK", key}, {"SK", key}, {"_recordType", "something else"}}), succeeds());
  EXPECT_THAT(graph_->resume_deletes(), fails_with(Code::kCorruption));
  EXPECT_EQ(graph_->pending_deletes()->size(), 1U);
  EXPECT_TRUE(row(second).empty());
}

}  // namespace
}  // namespace dolmen
