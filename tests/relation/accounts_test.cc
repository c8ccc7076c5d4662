// What becomes of those that refer to a resource when it is deleted, and resources that get another account.
#include "base/test_result.h"
#include "company.h"
#include "tests/relation/torture/fault_service.h"

namespace dolmen {
namespace {

using testing::HasSubstr;

class RelationAccounts : public CompanyTest {
 protected:
  void SetUp() override {
    CompanyTest::SetUp();
    system_ = make("System").urn;
    acme_ = make("System.Account", system_).urn;
    bolt_ = make("System.Account", system_).urn;
  }

  /// A folder below the account with a job in it, and a job that only names the account.
  void fill(const std::string& account) {
    folder_ = make("System.Account.Folder", account).urn;
    job_ = graph_->create({.type = "System.Account.Job", .parent = folder_, .unique = {{"code", "J1"}}})->urn;
    loose_ = graph_->create({.type = "System.Account.Job", .account = account, .unique = {{"code", "J2"}}})->urn;
  }

  void expect_clean() {
    const FindingPage page = graph_->verify({.whole_table = true}, {.limit = 1000}).value();
    for (const Finding& finding : page.findings) ADD_FAILURE() << finding.kind << " " << finding.message;
    EXPECT_EQ(page.deleting, 0U);
  }

  std::optional<std::string> account_of(const std::string& urn) { return graph_->get(urn)->account; }

  std::string system_;
  std::string acme_;
  std::string bolt_;
  std::string folder_;
  std::string job_;
  std::string loose_;
};

TEST_F(RelationAccounts, a_restricted_delete_says_how_many_refer_to_the_account) {
  fill(acme_);
  const auto refused = graph_->remove(acme_, {.mode = DeleteMode::kRestrict});
  ASSERT_THAT(refused, fails_with(Code::kResourceInUse));
  EXPECT_THAT(refused.error().message(), HasSubstr("1 children, and 3 resources belong to it"));
  ASSERT_TRUE(graph_->remove(folder_));
  EXPECT_THAT(graph_->remove(acme_, {.mode = DeleteMode::kRestrict}), fails_with(Code::kResourceInUse))
      << "a job still names it";
  ASSERT_TRUE(graph_->remove(loose_));
  EXPECT_TRUE(graph_->remove(acme_, {.mode = DeleteMode::kRestrict}));
  expect_clean();
}

TEST_F(RelationAccounts, a_cascade_takes_what_belongs_to_accounts_anywhere_below) {
  fill(acme_);
  const Resource group = make("System.Group");
  const Resource elsewhere =
      graph_->create({.type = "System.Account.Job", .parent = group.urn, .account = bolt_}).value();
  const RemoveResult plan = graph_->remove(system_, {.dry_run = true}).value();
  EXPECT_EQ(plan.count.resources, 7U);
  EXPECT_EQ(plan.references, (References{.children = 2}));
  EXPECT_EQ(graph_->remove(system_)->count, plan.count);
  EXPECT_THAT(graph_->get(loose_), fails_with(Code::kResourceNotFound));
  EXPECT_THAT(graph_->get(elsewhere.urn), fails_with(Code::kResourceNotFound));
  EXPECT_TRUE(graph_->get(group.urn));
  expect_clean();
}

TEST_F(RelationAccounts, a_cascade_without_declarations_knows_accounts_by_what_belongs_to_them) {
  fill(acme_);
  Relations undeclared = Relations::open(*store_, "system", ResourceTypes::undeclared(), options()).value();
  EXPECT_EQ(undeclared.references(acme_).value(), (References{.children = 1, .of_account = 3}));
  EXPECT_EQ(undeclared.remove(acme_)->count.resources, 4U);
  EXPECT_THAT(graph_->get(loose_), fails_with(Code::kResourceNotFound));
  expect_clean();
}

TEST_F(RelationAccounts, a_delete_that_is_not_confirmed_changes_nothing) {
  fill(acme_);
  const std::size_t before = records();
  RemoveResult asked;
  const auto no = [&](const RemoveResult& plan) {
    asked = plan;
    return false;
  };
  EXPECT_THAT(graph_->remove(acme_, {.confirm = no}), fails_with(Code::kCanceled));
  EXPECT_EQ(asked.count.resources, 4U);
  EXPECT_EQ(asked.references, (References{.children = 1, .of_account = 3}));
  EXPECT_EQ(records(), before);
}

TEST_F(RelationAccounts, children_of_a_deleted_parent_are_reassigned) {
  const std::string parent = make("System.Group").urn;
  const std::string other = make("System.Group").urn;
  const std::string child = make("System.Group", parent).urn;
  const std::string grandchild = make("System.Group", child).urn;
  const RemoveOptions reassign{.mode = DeleteMode::kReassign, .reassign_to = other};
  EXPECT_THAT(graph_->remove(parent, {.mode = DeleteMode::kReassign}), fails_with(Code::kInvalidArgument));
  EXPECT_THAT(graph_->remove(parent, {.reassign_to = other}), fails_with(Code::kInvalidArgument));
  EXPECT_THAT(graph_->remove(parent, {.mode = DeleteMode::kReassign, .reassign_to = grandchild}),
              fails_with(Code::kCycle));
  const RemoveResult done = graph_->remove(parent, reassign).value();
  EXPECT_EQ(done.count.resources, 1U);
  EXPECT_EQ(done.references, (References{.children = 1}));
  EXPECT_EQ(graph_->parent(child).value(), other);
  EXPECT_EQ(graph_->parent(grandchild).value(), child);
  expect_clean();
}

TEST_F(RelationAccounts, what_belongs_to_a_deleted_account_is_reassigned_with_its_unique_values) {
  fill(acme_);
  const RemoveOptions reassign{.mode = DeleteMode::kReassign, .reassign_to = bolt_};
  RemoveOptions dry_run = reassign;
  dry_run.dry_run = true;
  EXPECT_EQ(graph_->remove(acme_, dry_run)->references, (References{.children = 1, .of_account = 3}));
  const RemoveResult done = graph_->remove(acme_, reassign).value();
  EXPECT_EQ(done.count.resources, 1U);
  EXPECT_EQ(done.references, (References{.children = 1, .of_account = 3}));
  for (const std::string& urn : {folder_, job_, loose_}) EXPECT_EQ(account_of(urn), bolt_);
  EXPECT_EQ(graph_->parent(folder_).value(), bolt_);
  EXPECT_EQ(graph_->get_by_unique({.type = "System.Account.Job", .key = "code", .value = "J1", .account = bolt_})->urn,
            job_);
  EXPECT_EQ(record("Parent#" + folder_, "Child#" + job_)->at("_accountUrn").string(), bolt_);
  EXPECT_TRUE(graph_->by_account({.account = acme_})->items.empty());
  expect_clean();
}

TEST_F(RelationAccounts, nothing_is_reassigned_when_a_value_is_taken_in_the_other_account) {
  fill(acme_);
  ASSERT_TRUE(graph_->create({.type = "System.Account.Job", .account = bolt_, .unique = {{"code", "J2"}}}));
  EXPECT_THAT(graph_->remove(acme_, {.mode = DeleteMode::kReassign, .reassign_to = bolt_}),
              fails_with(Code::kUniqueViolation));
  for (const std::string& urn : {folder_, job_, loose_}) EXPECT_EQ(account_of(urn), acme_);
}

TEST_F(RelationAccounts, a_family_gets_another_account_with_its_edges_and_memberships) {
  fill(acme_);
  const std::string user = make("System.User").urn;
  ASSERT_TRUE(graph_->add_member(user, {.collection = job_}));
  EXPECT_THAT(graph_->reassign_account({.urn = folder_, .account = bolt_}), fails_with(Code::kAccountMismatch))
      << "its parent belongs to the old account";
  EXPECT_THAT(graph_->reassign_account({.urn = acme_, .account = bolt_}), fails_with(Code::kAccountMismatch));
  EXPECT_THAT(graph_->reassign_account({.urn = folder_, .account = folder_}), fails_with(Code::kAccountMismatch));
  const ReassignAccount request{.urn = folder_, .account = bolt_, .parent = bolt_};
  EXPECT_EQ(graph_->reassign_account(request)->resources, 2U);
  EXPECT_EQ(account_of(job_), bolt_);
  EXPECT_EQ(account_of(loose_), acme_);
  EXPECT_EQ(graph_->members(job_)->items.front().account, bolt_);
  EXPECT_EQ(graph_->find_unique({.type = "System.Account.Job", .key = "code", .value = "J1", .account = acme_}).value(),
            std::nullopt);
  EXPECT_EQ(graph_->reassign_account(request)->resources, 0U) << "it has the account";
  EXPECT_FALSE(row(folder_).contains("_accountMove"));
  expect_clean();
}

TEST_F(RelationAccounts, a_membership_that_would_become_one_between_accounts_must_be_allowed) {
  fill(acme_);
  ASSERT_TRUE(graph_->add_member(loose_, {.collection = folder_}));
  EXPECT_THAT(graph_->reassign_account({.urn = loose_, .account = bolt_}), fails_with(Code::kAccountMismatch));
  EXPECT_TRUE(graph_->reassign_account({.urn = loose_, .account = bolt_, .allow_cross_account = true}));
  expect_clean();
}

TEST_F(RelationAccounts, a_change_of_accounts_that_crashes_anywhere_is_resumed_and_meanwhile_nothing_is_found) {
  for (std::uint64_t calls = 0;; ++calls) {
    fill(acme_);
    for (int i = 0; i < 3; ++i) make("System.Account.Folder", folder_);
    auto service = std::make_unique<torture::FaultService>(*store_);
    torture::FaultService& faults = *service;
    Store crashing(std::move(service));
    Relations doomed = Relations::open(crashing, "system", types(), options()).value();
    faults.arm({.calls = calls, .carried_out = calls % 2 == 0});
    const auto moved = doomed.reassign_account({.urn = folder_, .account = bolt_, .parent = bolt_});
    expect_clean();
    ASSERT_THAT(graph_->resume_deletes(), succeeds());
    expect_clean();
    const std::optional<std::string> account = account_of(folder_);
    EXPECT_EQ(account_of(job_), account) << "crashed at call " << calls;
    EXPECT_TRUE(graph_->pending_deletes()->empty());
    ASSERT_TRUE(graph_->remove(folder_));
    ASSERT_TRUE(graph_->remove(loose_));
    if (moved) break;
  }
}

TEST_F(RelationAccounts, jobs_are_seen_without_the_domain_of_the_types) {
  ResourceTypes declared = types();
  declared.domain = "other";
  RelationsOptions small = options();
  small.delete_actions_max = 10;
  small.resume_deletes = false;
  auto service = std::make_unique<torture::FaultService>(*store_);
  torture::FaultService& faults = *service;
  Store crashing(std::move(service));
  Relations graph = Relations::open(crashing, "system", declared, small).value();
  const std::string root = graph.create({.type = "System.Group"})->urn;
  for (int i = 0; i < 20; ++i) ASSERT_TRUE(graph.create({.type = "System.Group", .parent = root}));
  EXPECT_FALSE(graph.remove(root, {.on_progress = [&](const DeleteProgress&) { faults.arm({}); }}));
  Relations undeclared = Relations::open(*store_, "system", ResourceTypes::undeclared(), small).value();
  ASSERT_EQ(undeclared.pending_deletes()->size(), 1U);
  EXPECT_EQ(undeclared.resume_deletes()->front().deleted.resources, 21U);
}

}  // namespace
}  // namespace dolmen
