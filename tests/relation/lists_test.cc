// Lists of resources, what a grant reaches, and deletes that go on by themselves.
#include <set>

#include "base/test_result.h"
#include "company.h"
#include "tests/relation/torture/fault_service.h"

namespace dolmen {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::UnorderedElementsAre;
using testing::UnorderedElementsAreArray;

class RelationLists : public CompanyTest {
 protected:
  template <class Read>
  static std::vector<std::string> all(std::uint32_t limit, Read read) {
    std::vector<std::string> urns;
    ListOptions page{.limit = limit};
    do {
      const auto part = read(page);
      EXPECT_THAT(part, succeeds());
      if (!part) return urns;
      EXPECT_LE(part->items.size(), limit);
      for (const auto& item : part->items) urns.push_back(urn_of(item));
      page.token = part->token;
    } while (!page.token.empty());
    return urns;
  }
  static std::string urn_of(const Resource& resource) { return resource.urn; }
  static std::string urn_of(const std::string& urn) { return urn; }

  std::vector<std::string> listed(const ResourceQuery& query, std::uint32_t limit = 2) {
    return all(limit, [&](const ListOptions& page) { return graph_->list(query, page); });
  }
  std::vector<std::string> reached(const std::string& urn, std::uint32_t limit) {
    return all(limit, [&](const ListOptions& page) { return graph_->authorization_reach(urn, page); });
  }
};

TEST_F(RelationLists, resources_are_listed_by_type_and_roots_and_account) {
  const std::string account = make("System.Account").urn;
  const std::string root = make("System.Group").urn;
  const std::string child = make("System.Group", root).urn;
  const std::string folder = make("System.Account.Folder", account).urn;
  const std::string job = make("System.Account.Job", folder).urn;
  const std::string loose = graph_->create({.type = "System.Account.Job", .account = account})->urn;
  for (const std::uint32_t limit : {1U, 2U, 1000U}) {
    EXPECT_THAT(listed({}, limit), UnorderedElementsAre(account, root, child, folder, job, loose));
    EXPECT_THAT(listed({.type = "System.Group"}, limit), UnorderedElementsAre(root, child));
    EXPECT_THAT(listed({.roots = true}, limit), UnorderedElementsAre(account, root, loose));
    EXPECT_THAT(listed({.type = "System.Group", .roots = true}, limit), ElementsAre(root));
    EXPECT_THAT(listed({.type = "System.Account.Job", .account = account}, limit), UnorderedElementsAre(job, loose));
    EXPECT_THAT(listed({.roots = true, .account = account}, limit), ElementsAre(loose));
    EXPECT_THAT(listed({.type = "System.User"}, limit), IsEmpty());
  }
  EXPECT_THAT(graph_->list({.type = "no type"}), fails_with(Code::kInvalidUrn));
  EXPECT_THAT(graph_->list({}, {.descending = true}), fails_with(Code::kInvalidArgument));
  EXPECT_THAT(graph_->list({}, {.token = graph_->list({.roots = true}, {.limit = 1})->token}),
              fails_with(Code::kInvalidPageToken));
}

TEST_F(RelationLists, children_and_members_come_as_resources_of_a_type) {
  const std::string group = make("System.Group").urn;
  std::vector<std::string> groups;
  std::vector<std::string> users;
  for (int i = 0; i < 5; ++i) {
    groups.push_back(make("System.Group", group).urn);
    users.push_back(make("System.User", group).urn);
    ASSERT_TRUE(graph_->add_member(users.back(), {.collection = group}));
  }
  ASSERT_TRUE(graph_->add_member(groups[0], {.collection = group}));
  const auto children = [&](const std::string& type) {
    return all(2, [&](const ListOptions& page) { return graph_->child_resources({.of = group, .type = type}, page); });
  };
  EXPECT_EQ(children("System.User"), users);
  EXPECT_EQ(children("System.Group"), groups);
  EXPECT_EQ(children("").size(), 10U);
  EXPECT_THAT(children("System.Account"), IsEmpty());
  const auto members = [&](const std::string& type) {
    return all(2, [&](const ListOptions& page) { return graph_->member_resources({.of = group, .type = type}, page); });
  };
  EXPECT_EQ(members("System.User"), users);
  EXPECT_THAT(members("System.Group"), ElementsAre(groups[0]));
  EXPECT_EQ(graph_->collection_resources({.of = users[0], .type = "System.Group"})->items.front().urn, group);
  EXPECT_THAT(graph_->child_resources({.of = group, .type = "no type"}), fails_with(Code::kInvalidUrn));
  const std::string token = graph_->child_resources({.of = group, .type = "System.User"}, {.limit = 1})->token;
  EXPECT_THAT(graph_->child_resources({.of = group}, {.token = token}), fails_with(Code::kInvalidPageToken));
}

TEST_F(RelationLists, a_grant_reaches_everything_once_however_many_ways_lead_there) {
  const std::string root = make("System.Group").urn;
  std::vector<std::string> groups{root};
  for (int i = 0; i < 6; ++i) groups.push_back(make("System.Group", i % 2 == 0 ? root : groups.back()).urn);
  // Ways that meet, and a circle.
  for (std::size_t i = 0; i < groups.size(); ++i)
    for (std::size_t k = 0; k < groups.size(); ++k) {
      if (i == k || (i * k) % 3 != 0) continue;
      ASSERT_TRUE(graph_->add_member(groups[i], {.collection = groups[k], .conveys_authorization = true}));
    }
  const std::string user = make("System.User").urn;
  for (const std::string& group : groups)
    ASSERT_TRUE(graph_->add_member(user, {.collection = group, .conveys_authorization = true}));
  const std::string silent = make("System.User").urn;
  ASSERT_TRUE(graph_->add_member(silent, {.collection = root}));
  std::vector<std::string> expected = groups;
  expected.push_back(user);
  for (const std::uint32_t limit : {1U, 2U, 3U, 1000U}) {
    const std::vector<std::string> found = reached(root, limit);
    EXPECT_EQ(found.front(), root);
    EXPECT_THAT(found, UnorderedElementsAreArray(expected)) << "in pages of " << limit;
  }
  EXPECT_THAT(graph_->authorization_reach(root, {.descending = true}), fails_with(Code::kInvalidArgument));
}

TEST_F(RelationLists, a_reach_has_no_bound) {
  const std::string root = make("System.Group").urn;
  constexpr std::size_t kMany = 10'500;
  // Without the library, which would take a minute: edges and records as it writes them.
  std::vector<BatchAction> actions;
  const auto write = [&](Item item) {
    actions.push_back(BatchPut{.table = "system", .item = std::move(item)});
    if (actions.size() < 25) return;
    ASSERT_THAT(store_->batch_write(actions), succeeds());
    actions.clear();
  };
  for (std::size_t i = 0; i < kMany; ++i) {
    const std::string id = std::to_string(i);
    const std::string urn = "urn:pp:System.User::" + id;
    write({{"PK", "Resource#" + urn},
           {"SK", "Resource#" + urn},
           {"_recordType", "Resource"},
           {"_resourceType", "System.User"},
           {"_id", id},
           {"urn", urn},
           {"_parentUrn", root},
           {"_schemaVersion", 1},
           {"_links", 0},
           {"_memberOf", 0},
           {"_height", 0}});
    write({{"PK", "Parent#" + root},
           {"SK", "Child#" + urn},
           {"_recordType", "ParentChildRelationship"},
           {"parentUrn", root},
           {"childUrn", urn}});
  }
  const std::vector<std::string> found = reached(root, 1000);
  EXPECT_EQ(std::set<std::string>(found.begin(), found.end()).size(), kMany + 1);
  EXPECT_EQ(found.size(), kMany + 1);
}

class RelationResume : public CompanyTest {
 protected:
  /// A delete that was interrupted.
  std::string abandoned() {
    RelationsOptions small = options();
    small.delete_actions_max = 10;
    auto service = std::make_unique<torture::FaultService>(*store_);
    torture::FaultService& faults = *service;
    Store crashing(std::move(service));
    Relations doomed = Relations::open(crashing, "system", types(), small).value();
    const std::string root = make("System.Group").urn;
    for (int i = 0; i < 40; ++i) make("System.Group", root);
    EXPECT_FALSE(doomed.remove(root, {.on_progress = [&](const DeleteProgress&) { faults.arm({}); }}));
    EXPECT_EQ(graph_->pending_deletes()->size(), 1U);
    return root;
  }
};

/// Only in a store of this process does opening it mean that nobody else is at work on the delete.
class RelationResumeHere : public RelationResume {
 protected:
  std::unique_ptr<Store> make_store() override { return open("memory:").value(); }
};

TEST_F(RelationResumeHere, an_interrupted_delete_goes_on_when_the_store_is_opened) {
  const std::string root = abandoned();
  RelationsOptions watching = options();
  std::vector<std::string> told;
  watching.on_resumed = [&](const Result<DeleteProgress>& done) { told.push_back(done ? done->root : "failed"); };
  Relations again = Relations::open(*store_, "system", types(), watching).value();
  const auto resumed = again.wait_for_resumed();
  ASSERT_THAT(resumed, succeeds());
  ASSERT_EQ(resumed->size(), 1U);
  EXPECT_EQ(resumed->front().deleted.resources, 41U);
  EXPECT_THAT(told, ElementsAre(root));
  EXPECT_THAT(again.pending_deletes().value(), IsEmpty());
  EXPECT_EQ(records(), 1U) << "the queue of jobs";
}

TEST_F(RelationResume, it_is_left_alone_when_that_is_asked_for_or_the_store_is_elsewhere) {
  abandoned();
  RelationsOptions opted_out = options();
  opted_out.resume_deletes = false;
  Relations again = Relations::open(*store_, "system", types(), opted_out).value();
  EXPECT_THAT(again.wait_for_resumed().value(), IsEmpty());
  Store elsewhere(std::make_unique<torture::FaultService>(*store_));
  Relations other = Relations::open(elsewhere, "system", types(), options()).value();
  EXPECT_THAT(other.wait_for_resumed().value(), IsEmpty());
  const auto pending = again.pending_deletes().value();
  ASSERT_EQ(pending.size(), 1U);
  EXPECT_EQ(again.resume_delete(pending.front().job).value()->deleted.resources, 41U);
  EXPECT_EQ(again.resume_delete(pending.front().job).value(), std::nullopt);
}

TEST_F(RelationResume, a_job_that_is_interrupted_can_be_resumed) {
  const std::string root = abandoned();
  RelationsOptions opted_out = options();
  opted_out.resume_deletes = false;
  {
    Relations stopped = Relations::open(*store_, "system", types(), opted_out).value();
    stopped.interrupt();
    EXPECT_THAT(stopped.resume_deletes(), fails_with(Code::kCanceled));
  }
  EXPECT_EQ(graph_->resume_deletes()->front().root, root);
}

}  // namespace
}  // namespace dolmen
