// Creating, reading and changing resources, and their unique values.
#include "relation/operations.h"
#include "base/test_result.h"
#include "company.h"

namespace dolmen {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

class RelationOperations : public CompanyTest {};

TEST_F(RelationOperations, create_says_why_it_cannot) {
  const Resource account = make("System.Account");
  const Resource group = make("System.Group");
  const std::string missing = "urn:pp:System.Group::0";
  EXPECT_THAT(graph_->create({.type = "Unknown"}), fails_with(Code::kInvalidResource));
  EXPECT_THAT(graph_->create({.type = "Dolmen.DeleteJob"}), fails_with(Code::kInvalidResource));
  EXPECT_THAT(graph_->create({.type = "System.Group", .id = group.id}), fails_with(Code::kResourceExists));
  EXPECT_THAT(graph_->create({.type = "System.Group", .parent = missing}), fails_with(Code::kParentNotFound));
  EXPECT_THAT(graph_->create({.type = "System.Group", .parent = "nonsense"}), fails_with(Code::kInvalidUrn));
  EXPECT_THAT(graph_->create({.type = "System.Account", .parent = group.urn}), fails_with(Code::kInvalidResource));
  EXPECT_THAT(graph_->create({.type = "System.Account.Job"}), fails_with(Code::kAccountMismatch));
  EXPECT_THAT(graph_->create({.type = "System.Account.Job", .account = group.urn}), fails_with(Code::kAccountMismatch));
  EXPECT_THAT(graph_->create({.type = "System", .account = account.urn}), fails_with(Code::kAccountMismatch));
  EXPECT_THAT(graph_->create({.type = "System.Group", .collections = {{.collection = missing}}}),
              fails_with(Code::kResourceNotFound));
  EXPECT_THAT(graph_->create({.type = "System.Group", .unique = {{"colour", "red"}}}),
              fails_with(Code::kInvalidResource));
}

TEST_F(RelationOperations, create_joins_collections_and_takes_unique_values_in_the_same_step) {
  const Resource group = make("System.Group");
  const Resource user = graph_
                            ->create({.type = "System.User",
                                      .unique = {{"email", "ada@example.org"}},
                                      .collections = {{.collection = group.urn, .conveys_authorization = true}}})
                            .value();
  EXPECT_TRUE(graph_->find_membership(user.urn, group.urn).value()->conveys_authorization);
  EXPECT_EQ(graph_->get_by_unique({.type = "System.User", .key = "email", .value = "ada@example.org"})->urn, user.urn);
  const std::size_t before = records();
  const Result<Resource> second = graph_->create(
      {.type = "System.User", .unique = {{"email", "ada@example.org"}}, .collections = {{.collection = group.urn}}});
  EXPECT_THAT(second, fails_with(Code::kUniqueViolation));
  const auto* conflict = second.error().payload<UniqueConflict>();
  ASSERT_NE(conflict, nullptr);
  EXPECT_EQ(conflict->owner, user.urn);
  EXPECT_EQ(conflict->value.key, "email");
  EXPECT_EQ(records(), before);
}

TEST_F(RelationOperations, create_refuses_more_than_fits_into_a_transaction) {
  std::vector<JoinCollection> many;
  for (int i = 0; i < 60; ++i) many.push_back({.collection = make("System.Group").urn});
  const Result<Resource> made = graph_->create({.type = "System.Group", .collections = many});
  EXPECT_THAT(made, fails_with(Code::kLimitExceeded));
  EXPECT_THAT(made.error().message(), HasSubstr("100"));
  many.resize(40);
  EXPECT_TRUE(graph_->create({.type = "System.Group", .collections = many}));
}

TEST_F(RelationOperations, update_notices_that_somebody_else_was_faster) {
  const Resource read = make("System.Group");
  const Resource first = graph_->update({.urn = read.urn, .set = {{"a", 1}}, .if_updated_at = read.updated_at}).value();
  EXPECT_GT(first.updated_at, read.updated_at) << "also when the clock stands still";
  EXPECT_THAT(graph_->update({.urn = read.urn, .set = {{"a", 2}}, .if_updated_at = read.updated_at}),
              fails_with(Code::kConditionFailed));
  const Resource second =
      graph_->update({.urn = read.urn, .set = {{"b", 2}}, .remove = {"a"}, .if_updated_at = first.updated_at}).value();
  EXPECT_EQ(second.attributes, (Item{{"b", 2}}));
  EXPECT_EQ(second.created_at, read.created_at);
  EXPECT_EQ(graph_->get(read.urn).value(), second);
}

TEST_F(RelationOperations, update_moves_the_unique_value_along) {
  const UniqueValue old_mail{.type = "System.User", .key = "email", .value = "a@x"};
  const UniqueValue new_mail{.type = "System.User", .key = "email", .value = "b@x"};
  const Resource user = graph_->create({.type = "System.User", .unique = {{"email", "a@x"}}}).value();
  ASSERT_TRUE(graph_->update({.urn = user.urn, .set = {{"email", "b@x"}}}));
  EXPECT_FALSE(graph_->find_unique(old_mail).value().has_value());
  EXPECT_EQ(graph_->find_unique(new_mail).value()->owner, user.urn);
  ASSERT_TRUE(graph_->update({.urn = user.urn, .set = {{"email", "b@x"}, {"note", "same value again"}}}));
  ASSERT_TRUE(graph_->update({.urn = user.urn, .remove = {"email"}}));
  EXPECT_FALSE(graph_->find_unique(new_mail).value().has_value());
  EXPECT_TRUE(graph_->create({.type = "System.User", .unique = {{"email", "b@x"}}}));
}

TEST_F(RelationOperations, values_per_account_are_unique_in_their_account_only) {
  const Resource first = make("System.Account");
  const Resource second = make("System.Account");
  const auto job = [&](const Resource& account) {
    return graph_->create({.type = "System.Account.Job", .account = account.urn, .unique = {{"code", "J1"}}});
  };
  EXPECT_TRUE(job(first));
  EXPECT_TRUE(job(second));
  const Result<Resource> again = job(first);
  EXPECT_THAT(again, fails_with(Code::kUniqueViolation));
  EXPECT_EQ(again.error().payload<UniqueConflict>()->value,
            (UniqueValue{.type = "System.Account.Job", .key = "code", .value = "J1", .account = first.urn}));
}

TEST_F(RelationOperations, numbers_can_be_unique_and_lists_cannot) {
  ASSERT_TRUE(graph_->create({.type = "System.User", .attributes = {{"badge", 7}}}));
  EXPECT_THAT(graph_->create({.type = "System.User", .attributes = {{"badge", Number::parse("7.0").value()}}}),
              fails_with(Code::kUniqueViolation));
  EXPECT_THAT(graph_->create({.type = "System.User", .attributes = {{"badge", List{1}}}}),
              fails_with(Code::kInvalidResource));
}

TEST_F(RelationOperations, a_value_goes_from_one_resource_to_another_in_one_step) {
  const UniqueValue mail{.type = "System.User", .key = "email", .value = "a@x"};
  const Resource from = graph_->create({.type = "System.User", .unique = {{"email", "a@x"}}}).value();
  const Resource to = graph_->create({.type = "System.User", .unique = {{"email", "old@x"}}}).value();
  EXPECT_THAT(graph_->transfer_unique({.value = mail, .from = to.urn, .to = from.urn}),
              fails_with(Code::kUniqueViolation));
  ASSERT_THAT(graph_->transfer_unique({.value = mail, .from = from.urn, .to = to.urn}), succeeds());
  EXPECT_EQ(graph_->find_unique(mail).value()->owner, to.urn);
  EXPECT_FALSE(graph_->get(from.urn)->attributes.contains("email"));
  EXPECT_EQ(graph_->get(to.urn)->attributes.at("email").string(), "a@x");
  EXPECT_TRUE(graph_->create({.type = "System.User", .unique = {{"email", "old@x"}}}));
}

TEST_F(RelationOperations, a_reservation_keeps_a_value_until_it_is_released_or_taken) {
  const UniqueValue mail{.type = "System.User", .key = "email", .value = "boss@x"};
  ASSERT_THAT(graph_->reserve_unique(mail), succeeds());
  EXPECT_THAT(graph_->reserve_unique(mail), fails_with(Code::kUniqueViolation));
  EXPECT_THAT(graph_->create({.type = "System.User", .unique = {{"email", "boss@x"}}}),
              fails_with(Code::kUniqueViolation));
  const Resource user = make("System.User");
  ASSERT_THAT(graph_->transfer_unique({.value = mail, .to = user.urn}), succeeds());
  EXPECT_THAT(graph_->release_unique(mail), fails_with(Code::kUniqueViolation));
  EXPECT_EQ(graph_->get(user.urn)->attributes.at("email").string(), "boss@x");
  const UniqueValue other{.type = "System.User", .key = "email", .value = "free@x"};
  EXPECT_FALSE(graph_->release_unique(other).value());
  ASSERT_THAT(graph_->reserve_unique(other), succeeds());
  EXPECT_TRUE(graph_->release_unique(other).value());
}

TEST_F(RelationOperations, moves_that_would_make_a_cycle_are_refused) {
  const Resource a = make("System.Group");
  const Resource b = make("System.Group", a.urn);
  const Resource c = make("System.Group", b.urn);
  EXPECT_THAT(graph_->attach(a.urn, c.urn), fails_with(Code::kCycle));
  EXPECT_THAT(graph_->attach(a.urn, a.urn), fails_with(Code::kCycle));
  EXPECT_FALSE(graph_->attach(c.urn, b.urn).value()) << "it is there already";
  EXPECT_TRUE(graph_->attach(c.urn, a.urn).value());
  EXPECT_FALSE(record("Parent#" + b.urn, "Child#" + c.urn).has_value());
  EXPECT_TRUE(graph_->detach(c.urn).value());
  EXPECT_FALSE(graph_->detach(c.urn).value());
  EXPECT_EQ(graph_->parent(c.urn).value(), std::nullopt);
}

TEST_F(RelationOperations, families_do_not_become_deeper_than_allowed_by_moving_whole_subtrees) {
  RelationsOptions shallow = options();
  shallow.depth_max = 3;
  Relations graph = Relations::open(*store_, "system", types(), shallow).value();
  const Resource a = make("System.Group");
  const Resource b = make("System.Group", a.urn);
  const Resource c = make("System.Group");
  const Resource d = make("System.Group", c.urn);
  EXPECT_THAT(graph.attach(c.urn, b.urn), fails_with(Code::kLimitExceeded));
  EXPECT_TRUE(graph.attach(c.urn, a.urn));
  EXPECT_THAT(graph.create({.type = "System.Group", .parent = d.urn}), fails_with(Code::kLimitExceeded));
}

TEST_F(RelationOperations, resources_of_different_accounts_are_not_linked) {
  const Resource first = make("System.Account");
  const Resource second = make("System.Account");
  const Resource folder = make("System.Account.Folder", first.urn);
  const Resource other = make("System.Account.Folder", second.urn);
  EXPECT_THAT(graph_->attach(other.urn, folder.urn), fails_with(Code::kAccountMismatch));
  EXPECT_THAT(graph_->create({.type = "System.Account.Job", .parent = folder.urn, .account = second.urn}),
              fails_with(Code::kAccountMismatch));
  EXPECT_THAT(graph_->add_member(other.urn, {.collection = folder.urn}), fails_with(Code::kAccountMismatch));
  EXPECT_TRUE(graph_->add_member(other.urn, {.collection = folder.urn, .allow_cross_account = true}));
}

TEST_F(RelationOperations, an_update_without_declared_types_keeps_unique_values_as_they_are_stored) {
  Relations undeclared = Relations::open(*store_, "system", ResourceTypes::undeclared(), options()).value();
  const Resource account = graph_->create({.type = "System.Account", .unique = {{"name", "Acme"}}}).value();
  const Resource job =
      graph_->create({.type = "System.Account.Job", .parent = account.urn, .unique = {{"code", "7"}}}).value();
  for (const std::string& urn : {account.urn, job.urn}) {
    const AttributeValue before = row(urn).at("_uniqueValues");
    ASSERT_TRUE(undeclared.update({.urn = urn, .set = {{"note", "x"}}}));
    EXPECT_EQ(row(urn).at("_uniqueValues"), before);
  }
  EXPECT_EQ(graph_->get_by_unique({.type = "System.Account", .key = "name", .value = "ACME"})->urn, account.urn);
  EXPECT_THAT(graph_->create({.type = "System.Account", .unique = {{"name", "ACME"}}}),
              fails_with(Code::kUniqueViolation));
  EXPECT_THAT(graph_->create({.type = "System.Account.Job", .parent = account.urn, .unique = {{"code", "7"}}}),
              fails_with(Code::kUniqueViolation));
  EXPECT_THAT(undeclared.update({.urn = account.urn, .set = {{"name", "Beta"}}}), fails_with(Code::kInvalidResource));
  EXPECT_THAT(undeclared.update({.urn = job.urn, .remove = {"code"}}), fails_with(Code::kInvalidResource));
  const Resource other = make("System.Account");
  EXPECT_THAT(
      undeclared.transfer_unique(
          {.value = {.type = "System.Account", .key = "name", .value = "acme"}, .from = account.urn, .to = other.urn}),
      fails_with(Code::kInvalidResource));
}

TEST_F(RelationOperations, on_a_table_share_what_is_opened_until_it_has_other_types) {
  relation::Operations operations(*store_, {});
  const std::shared_ptr<Relations> undeclared = operations.relations_of("system").value();
  EXPECT_EQ(operations.relations_of("system").value(), undeclared);
  ASSERT_THAT(Relations::bind_types(*store_, "system", R"({"types":[{"name":"Note"}]})", "types.json"), succeeds());
  const std::shared_ptr<Relations> declared = operations.relations_of("system").value();
  EXPECT_NE(declared, undeclared);
  EXPECT_EQ(operations.relations_of("system").value(), declared);
  EXPECT_THAT(declared->create({.type = "System.User"}), fails_with(Code::kInvalidResource));
  EXPECT_THAT(operations.relations_of("none"), fails_with(Code::kTableNotFound));
}

TEST_F(RelationOperations, exact_unique_values_can_change_without_declared_types) {
  Relations undeclared = Relations::open(*store_, "system", ResourceTypes::undeclared(), options()).value();
  const Resource user = graph_->create({.type = "System.User", .unique = {{"email", "a"}, {"badge", "1"}}}).value();
  ASSERT_TRUE(undeclared.update({.urn = user.urn, .set = {{"email", "b"}}}));
  EXPECT_EQ(graph_->find_unique({.type = "System.User", .key = "email", .value = "a"}).value(), std::nullopt);
  EXPECT_EQ(graph_->get_by_unique({.type = "System.User", .key = "email", .value = "b"})->urn, user.urn);
  EXPECT_EQ(graph_->get_by_unique({.type = "System.User", .key = "badge", .value = "1"})->urn, user.urn);
}

TEST_F(RelationOperations, a_number_is_one_after_its_transfer) {
  const Resource from = graph_->create({.type = "System.User", .attributes = {{"badge", 5}}}).value();
  const Resource to = make("System.User");
  ASSERT_THAT(graph_->transfer_unique(
                  {.value = {.type = "System.User", .key = "badge", .value = "5"}, .from = from.urn, .to = to.urn}),
              succeeds());
  EXPECT_EQ(graph_->get(to.urn)->attributes.at("badge"), AttributeValue(5));
  EXPECT_EQ(graph_->get_by_unique({.type = "System.User", .key = "badge", .value = "5"})->urn, to.urn);
}

TEST_F(RelationOperations, adding_a_member_twice_only_changes_whether_it_conveys) {
  const Resource group = make("System.Group");
  const Resource user = make("System.User");
  EXPECT_TRUE(graph_->add_member(user.urn, {.collection = group.urn}).value());
  EXPECT_FALSE(graph_->add_member(user.urn, {.collection = group.urn, .conveys_authorization = true}).value());
  EXPECT_TRUE(graph_->find_membership(user.urn, group.urn).value()->conveys_authorization);
  EXPECT_THAT(graph_->add_member(group.urn, {.collection = group.urn}), fails_with(Code::kInvalidResource));
  EXPECT_TRUE(graph_->remove_member(user.urn, group.urn).value());
  EXPECT_FALSE(graph_->remove_member(user.urn, group.urn).value());
}

TEST_F(RelationOperations, a_grant_reaches_down_families_and_through_collections_that_convey) {
  const Resource root = make("System.Group");
  const Resource team = make("System.Group", root.urn);
  const Resource office = make("System.Group");
  const Resource user = make("System.User");
  ASSERT_TRUE(graph_->add_member(user.urn, {.collection = office.urn}));
  EXPECT_THAT(graph_->authorization_path(user.urn).value(), ElementsAre(user.urn));
  ASSERT_TRUE(graph_->add_member(user.urn, {.collection = team.urn, .conveys_authorization = true}));
  // A cycle of collections does no harm.
  ASSERT_TRUE(graph_->add_member(team.urn, {.collection = user.urn, .conveys_authorization = true}));
  EXPECT_THAT(graph_->authorization_path(user.urn).value(), ElementsAre(user.urn, team.urn, root.urn));
  EXPECT_THAT(graph_->authorization_reach(root.urn)->items, ElementsAre(root.urn, team.urn, user.urn));
  EXPECT_EQ(graph_->conveying_collections(user.urn).value().size(), 1U);
}

TEST_F(RelationOperations, tokens_are_good_for_their_own_list_only) {
  const Resource a = make("System.Group");
  const Resource b = make("System.Group");
  for (int i = 0; i < 3; ++i) make("System.Group", a.urn);
  const auto page = graph_->children(a.urn, {.limit = 2}).value();
  ASSERT_FALSE(page.token.empty());
  EXPECT_EQ(graph_->children(a.urn, {.limit = 2, .token = page.token})->items.size(), 1U);
  EXPECT_THAT(graph_->children(b.urn, {.token = page.token}), fails_with(Code::kInvalidPageToken));
  EXPECT_THAT(graph_->members(a.urn, {.token = page.token}), fails_with(Code::kInvalidPageToken));
  EXPECT_THAT(graph_->children(a.urn, {.token = page.token, .descending = true}), fails_with(Code::kInvalidPageToken));
  EXPECT_THAT(graph_->children(a.urn, {.limit = 0}), fails_with(Code::kInvalidArgument));
}

TEST_F(RelationOperations, resources_of_an_account_are_found_by_type_and_time) {
  const Resource account = make("System.Account");
  make("System.Account.Folder", account.urn);
  const Resource early = make("System.Account.Job", account.urn);
  seconds_ += 100;
  const Resource late = make("System.Account.Job", account.urn);
  const auto urns = [&](const AccountQuery& query) {
    std::vector<std::string> made;
    const ListPage<Resource> page = graph_->by_account(query).value();
    for (const Resource& each : page.items) made.push_back(each.urn);
    return made;
  };
  EXPECT_EQ(urns({.account = account.urn}).size(), 3U);
  EXPECT_THAT(urns({.account = account.urn, .type = "System.Account.Job"}), ElementsAre(early.urn, late.urn));
  EXPECT_THAT(urns({.account = account.urn, .type = "System.Account.Job", .created_from = Timestamp{seconds_, 0}}),
              ElementsAre(late.urn));
  EXPECT_THAT(urns({.account = account.urn, .type = "System.Account.Job", .created_before = Timestamp{seconds_, 0}}),
              ElementsAre(early.urn));
  EXPECT_THAT(graph_->by_account({.account = account.urn, .created_from = Timestamp{}}),
              fails_with(Code::kInvalidArgument));
}

TEST_F(RelationOperations, a_model_decides_which_attributes_a_type_has) {
  ResourceTypes modelled;
  Model model{.name = "Note",
              .table = "notes",
              .partition_key = {"topic", KeyType::kString},
              .attributes = {{.name = "topic", .type = Type::kString, .required = true},
                             {.name = "text", .type = Type::kString, .required = true},
                             {.name = "stars", .type = Type::kNumber}}};
  ASSERT_TRUE(modelled.add({.name = "Note", .model = model}));
  Relations graph = Relations::open(*store_, "system", modelled).value();
  const Result<Resource> bad = graph.create({.type = "Note", .attributes = {{"stars", "five"}, {"colour", "red"}}});
  EXPECT_THAT(bad, fails_with(Code::kInvalidResource));
  EXPECT_EQ(bad.error().details().size(), 3U);
  const Result<Resource> good = graph.create({.type = "Note", .attributes = {{"text", "x"}, {"stars", 5}}});
  ASSERT_THAT(good, succeeds());
  EXPECT_THAT(graph.update({.urn = good->urn, .remove = {"text"}}), fails_with(Code::kInvalidResource));
}

TEST_F(RelationOperations, a_table_of_another_shape_is_refused) {
  ASSERT_TRUE(store_->create_table({.name = "other", .partition_key = {"id", KeyType::kString}}));
  EXPECT_THAT(Relations::open(*store_, "other", types()), fails_with(Code::kInvalidArgument));
  EXPECT_THAT(Relations::open(*store_, "none", types(), {.create_table = false}), fails_with(Code::kTableNotFound));
}

}  // namespace
}  // namespace dolmen
