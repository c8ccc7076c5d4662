// Deletes, small and large.
#include "base/test_result.h"
#include "company.h"

namespace dolmen {
namespace {

class RelationDeletes : public CompanyTest {
 protected:
  /// A family of `width` children with `width` children each, every one a member of a group, with a unique value.
  Resource family(int width) {
    Resource root = make("System.Group");
    group_ = make("System.Group");
    for (int i = 0; i < width; ++i) {
      const Resource child = make("System.Group", root.urn);
      for (int j = 0; j < width; ++j) {
        const auto made = graph_->create({.type = "System.User",
                                          .parent = child.urn,
                                          .unique = {{"email", std::to_string(i) + "." + std::to_string(j)}},
                                          .collections = {{.collection = group_.urn}}});
        EXPECT_TRUE(made) << made.error().message();
      }
    }
    return root;
  }

  Resource group_;
};

TEST_F(RelationDeletes, a_small_family_goes_in_one_transaction) {
  const Resource root = family(4);
  const RemoveResult done = graph_->remove(root.urn).value();
  EXPECT_EQ(done.job, "");
  EXPECT_EQ(done.count, (DeleteCount{.resources = 21, .edges = 20, .memberships = 16, .unique_values = 16}));
  EXPECT_EQ(records(), 1U) << "only the group is left";
  EXPECT_THAT(graph_->get(root.urn), fails_with(Code::kResourceNotFound));
}

TEST_F(RelationDeletes, a_large_family_goes_as_a_job_that_leaves_no_trace) {
  const Resource root = family(12);
  const Resource parent = make("System.Group");
  ASSERT_TRUE(graph_->attach(root.urn, parent.urn));
  std::uint64_t seen = 0;
  const OnProgress watch = [&](const DeleteProgress& progress) {
    EXPECT_GE(progress.deleted.resources, seen);
    seen = progress.deleted.resources;
  };
  const RemoveResult plan = graph_->remove(root.urn, {.dry_run = true}).value();
  const RemoveResult done = graph_->remove(root.urn, {.on_progress = watch}).value();
  EXPECT_NE(done.job, "");
  EXPECT_EQ(done.count, plan.count);
  EXPECT_EQ(seen, 157U);
  EXPECT_TRUE(graph_->pending_deletes()->empty());
  EXPECT_EQ(records(), 3U) << "the group, the parent, and the queue of jobs";
  EXPECT_TRUE(graph_->children(parent.urn)->items.empty());
  EXPECT_TRUE(graph_->create({.type = "System.User", .unique = {{"email", "0.0"}}}));
}

TEST_F(RelationDeletes, restrict_refuses_to_take_children_along) {
  const Resource root = make("System.Group");
  const Resource child = make("System.Group", root.urn);
  EXPECT_THAT(graph_->remove(root.urn, {.mode = DeleteMode::kRestrict}), fails_with(Code::kResourceInUse));
  EXPECT_THAT(graph_->remove(root.urn, {.mode = DeleteMode::kRestrict, .dry_run = true}),
              fails_with(Code::kResourceInUse));
  EXPECT_TRUE(graph_->remove(child.urn, {.mode = DeleteMode::kRestrict}));
  EXPECT_TRUE(graph_->remove(root.urn, {.mode = DeleteMode::kRestrict}));
}

TEST_F(RelationDeletes, a_collection_of_very_many_members_goes_and_the_members_stay) {
  const Resource group = make("System.Group");
  std::vector<std::string> users;
  for (int i = 0; i < 250; ++i)
    users.push_back(graph_->create({.type = "System.User", .collections = {{.collection = group.urn}}})->urn);
  const RemoveResult done = graph_->remove(group.urn, {.mode = DeleteMode::kRestrict}).value();
  EXPECT_EQ(done.count.memberships, 250U);
  EXPECT_EQ(done.count.resources, 1U);
  for (const std::string& user : users) EXPECT_TRUE(graph_->collections(user)->items.empty());
  EXPECT_EQ(records(), 251U);
}

TEST_F(RelationDeletes, a_member_of_very_many_collections_goes_and_the_collections_stay) {
  const Resource user = make("System.User");
  for (int i = 0; i < 230; ++i) ASSERT_TRUE(graph_->add_member(user.urn, {.collection = make("System.Group").urn}));
  EXPECT_EQ(graph_->remove(user.urn)->count.memberships, 230U);
  EXPECT_EQ(records(), 231U);
}

TEST_F(RelationDeletes, purging_an_account_reaches_what_is_not_below_it) {
  const Resource account = make("System.Account");
  const Resource other = make("System.Account");
  const Resource folder = make("System.Account.Folder", account.urn);
  const Resource loose = graph_->create({.type = "System.Account.Job", .account = account.urn}).value();
  make("System.Account.Folder", loose.urn);
  make("System.Account.Job", folder.urn);
  const Resource kept = make("System.Account.Job", other.urn);
  EXPECT_EQ(graph_->purge_account(account.urn, {.dry_run = true})->count.resources, 5U);
  EXPECT_EQ(graph_->purge_account(account.urn)->count.resources, 5U);
  EXPECT_TRUE(graph_->by_account({.account = account.urn})->items.empty());
  EXPECT_TRUE(graph_->get(kept.urn));
  EXPECT_THAT(graph_->purge_account(kept.urn), fails_with(Code::kInvalidResource));
}

TEST_F(RelationDeletes, dolmens_own_resources_cannot_be_deleted_changed_or_linked) {
  // Makes the queue.
  ASSERT_NE(graph_->remove(family(12).urn)->job, "");
  const std::string queue = "urn:dolmen:Dolmen.DeleteQueue::pending";
  const Resource victim = make("System.Group");
  make("System.Group", victim.urn);
  EXPECT_THAT(graph_->remove(queue), fails_with(Code::kInvalidResource));
  EXPECT_THAT(graph_->update({.urn = queue}), fails_with(Code::kInvalidResource));
  EXPECT_THAT(graph_->detach(queue), fails_with(Code::kInvalidResource));
  EXPECT_THAT(graph_->attach(victim.urn, queue), fails_with(Code::kInvalidResource));
  EXPECT_THAT(graph_->attach(queue, victim.urn), fails_with(Code::kInvalidResource));
  EXPECT_THAT(graph_->add_member(queue, {.collection = victim.urn}), fails_with(Code::kInvalidResource));
  EXPECT_THAT(graph_->add_member(victim.urn, {.collection = queue}), fails_with(Code::kInvalidResource));
  EXPECT_THAT(graph_->create({.type = "System.Group", .parent = queue, .attributes = {{"root", victim.urn}}}),
              fails_with(Code::kInvalidResource))
      << "it would be taken for a delete of the victim";
  EXPECT_THAT(graph_->create({.type = "System.Group", .collections = {{.collection = queue}}}),
              fails_with(Code::kInvalidResource));
}

TEST_F(RelationDeletes, what_others_have_put_into_the_queue_is_not_taken_for_a_delete) {
  ASSERT_NE(graph_->remove(family(12).urn)->job, "");
  const Resource victim = make("System.Group");
  const Resource child = make("System.Group", victim.urn);
  const Resource trap = graph_->create({.type = "System.Group", .attributes = {{"root", victim.urn}}}).value();
  const std::string queue = "urn:dolmen:Dolmen.DeleteQueue::pending";
  ASSERT_THAT(store_->put_item("system", {{"PK", "Parent#" + queue},
                                          {"SK", "Child#" + trap.urn},
                                          {"_recordType", "ParentChildRelationship"},
                                          {"parentUrn", queue},
                                          {"childUrn", trap.urn}}),
              succeeds());
  EXPECT_TRUE(graph_->pending_deletes()->empty());
  EXPECT_THAT(graph_->resume_deletes(), succeeds());
  EXPECT_TRUE(graph_->get(child.urn));
}

TEST_F(RelationDeletes, the_largest_resource_can_be_deleted) {
  const Resource root = family(12);
  std::size_t largest = 0;
  for (std::size_t step = std::size_t{1} << 18; step > 0; step /= 2) {
    const auto made = graph_->create(
        {.type = "System.User", .parent = root.urn, .attributes = {{"text", std::string(largest + step, 'x')}}});
    if (made) {
      largest += step;
    } else {
      EXPECT_THAT(made, fails_with(Code::kLimitExceeded));
    }
  }
  EXPECT_GT(largest, 408'000U);
  const RemoveResult done = graph_->remove(root.urn).value();
  EXPECT_NE(done.job, "");
  EXPECT_FALSE(graph_->get(root.urn));
}

TEST_F(RelationDeletes, a_job_leaves_what_belongs_to_another_parent_and_no_edge_in_the_air) {
  const Resource root = family(12);
  const Resource other = make("System.Group");
  const Resource child = make("System.Group", other.urn);
  // Somebody else wrote edges that are not so.
  for (const std::string& to : {child.urn, std::string("urn:pp:System.Group::019a0000-0000-7000-8000-000000000000")})
    ASSERT_THAT(store_->put_item("system", {{"PK", "Parent#" + root.urn},
                                            {"SK", "Child#" + to},
                                            {"_recordType", "ParentChildRelationship"},
                                            {"parentUrn", root.urn},
                                            {"childUrn", to}}),
                succeeds());
  ASSERT_NE(graph_->remove(root.urn)->job, "");
  EXPECT_EQ(graph_->parent(child.urn).value(), other.urn);
  EXPECT_EQ(records(), 5U) << "the group, the other parent, its child, their edge, and the queue of jobs";
}

TEST_F(RelationDeletes, a_member_that_another_program_wrote_can_leave_and_be_deleted) {
  const Resource group = make("System.Group");
  const std::string urn = "urn:pp:System.User::019a0000-0000-7000-8000-000000000000";
  const std::string time = "2025-11-02T10:15:30.000Z";
  ASSERT_THAT(store_->put_item("system", {{"PK", "Resource#" + urn},
                                          {"SK", "Resource#" + urn},
                                          {"_recordType", "Resource"},
                                          {"_resourceType", "System.User"},
                                          {"_id", "019a0000-0000-7000-8000-000000000000"},
                                          {"urn", urn},
                                          {"_schemaVersion", 1},
                                          {"_createdAt", time},
                                          {"_updatedAt", time}}),
              succeeds());
  ASSERT_THAT(store_->put_item("system", {{"PK", "Collection#" + group.urn},
                                          {"SK", "Member#" + urn},
                                          {"_recordType", "CollectionMemberRelationship"},
                                          {"collectionUrn", group.urn},
                                          {"memberUrn", urn},
                                          {"_createdAt", time}}),
              succeeds());
  EXPECT_TRUE(graph_->remove_member(urn, group.urn).value());
  const auto removed = graph_->remove(urn);
  EXPECT_TRUE(removed) << removed.error().message();
  EXPECT_EQ(records(), 1U);
}

}  // namespace
}  // namespace dolmen
