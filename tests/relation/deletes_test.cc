// Deletes, small and large.
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
  EXPECT_EQ(code_of(graph_->get(root.urn)), Code::kResourceNotFound);
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
  EXPECT_EQ(code_of(graph_->remove(root.urn, {.mode = DeleteMode::kRestrict})), Code::kResourceInUse);
  EXPECT_EQ(code_of(graph_->remove(root.urn, {.mode = DeleteMode::kRestrict, .dry_run = true})), Code::kResourceInUse);
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
  EXPECT_EQ(code_of(graph_->purge_account(kept.urn)), Code::kInvalidResource);
}

TEST_F(RelationDeletes, dolmens_own_resources_cannot_be_deleted) {
  EXPECT_EQ(code_of(graph_->remove("urn:pp:Dolmen.DeleteQueue::pending")), Code::kInvalidResource);
}

}  // namespace
}  // namespace dolmen
