// What is stored, byte for byte.
#include "base/test_result.h"
#include "company.h"

namespace dolmen {
namespace {

using testing::HasSubstr;

class RelationRecords : public CompanyTest {};

TEST_F(RelationRecords, of_a_resource_have_the_keys_and_attributes_of_the_specification) {
  const Resource account = make("System.Account");
  const Resource job =
      graph_->create({.type = "System.Account.Job", .parent = account.urn, .attributes = {{"n", 1}}}).value();
  const Item stored = row(job.urn);
  EXPECT_EQ(stored.at("_recordType").string(), "Resource");
  EXPECT_EQ(stored.at("_resourceType").string(), "System.Account.Job");
  EXPECT_EQ(stored.at("_id").string(), job.id);
  EXPECT_EQ(stored.at("urn").string(), "urn:pp:System.Account.Job::" + job.id);
  EXPECT_EQ(stored.at("_schemaVersion").number(), Number(1));
  EXPECT_EQ(stored.at("_createdAt").string(), "2025-11-02T10:15:30.123Z");
  EXPECT_EQ(stored.at("_updatedAt").string(), "2025-11-02T10:15:30.123Z");
  EXPECT_EQ(stored.at("_accountUrn").string(), account.urn);
  EXPECT_EQ(stored.at("_parentUrn").string(), account.urn);
  EXPECT_EQ(stored.at("n").number(), Number(1));
  EXPECT_TRUE(is_uuid_v7(job.id));
  EXPECT_FALSE(row(account.urn).contains("_accountUrn"));
}

TEST_F(RelationRecords, of_an_edge_have_no_urn_and_no_updated_at) {
  const Resource account = make("System.Account");
  const Resource job = make("System.Account.Job", account.urn);
  EXPECT_EQ(*record("Parent#" + account.urn, "Child#" + job.urn), (Item{{"PK", "Parent#" + account.urn},
                                                                        {"SK", "Child#" + job.urn},
                                                                        {"_recordType", "ParentChildRelationship"},
                                                                        {"parentUrn", account.urn},
                                                                        {"childUrn", job.urn},
                                                                        {"_createdAt", "2025-11-02T10:15:30.123Z"},
                                                                        {"_accountUrn", account.urn}}));
}

TEST_F(RelationRecords, of_a_membership_carry_the_account_and_whether_it_conveys) {
  const Resource account = make("System.Account");
  const Resource folder = make("System.Account.Folder", account.urn);
  const Resource group = make("System.Group");
  EXPECT_TRUE(graph_->add_member(folder.urn, {.collection = group.urn, .conveys_authorization = true}).value());
  EXPECT_EQ(*record("Collection#" + group.urn, "Member#" + folder.urn),
            (Item{{"PK", "Collection#" + group.urn},
                  {"SK", "Member#" + folder.urn},
                  {"_recordType", "CollectionMemberRelationship"},
                  {"collectionUrn", group.urn},
                  {"memberUrn", folder.urn},
                  {"_createdAt", "2025-11-02T10:15:30.123Z"},
                  {"conveysAuthorization", true},
                  {"_accountUrn", account.urn}}));
}

TEST_F(RelationRecords, of_a_unique_value_hold_it_as_it_is_compared) {
  const Resource account = graph_->create({.type = "System.Account", .unique = {{"name", "ACME#1"}}}).value();
  const std::string sort = "UniqueKeyValue#System.Account#name";
  EXPECT_EQ(*record(sort + "#acme#1", sort), (Item{{"PK", sort + "#acme#1"},
                                                   {"SK", sort},
                                                   {"_recordType", "UniqueKeyValue"},
                                                   {"_resourceType", "System.Account"},
                                                   {"key", "name"},
                                                   {"value", "acme#1"},
                                                   {"associatedRecordUrn", account.urn},
                                                   {"_createdAt", "2025-11-02T10:15:30.123Z"},
                                                   {"_updatedAt", "2025-11-02T10:15:30.123Z"}}));
  EXPECT_EQ(row(account.urn).at("name").string(), "ACME#1");
}

TEST_F(RelationRecords, cannot_be_overwritten_by_attributes_of_users) {
  for (const char* name : {"PK", "SK", "urn", "_id", "_createdAt", "_anything", "GSI1PK", ""}) {
    EXPECT_THAT(graph_->create({.type = "System.Group", .attributes = {{name, "x"}}}),
                fails_with(Code::kInvalidResource));
    const Resource group = make("System.Group");
    EXPECT_THAT(graph_->update({.urn = group.urn, .set = {{name, "x"}}}), fails_with(Code::kInvalidResource));
    EXPECT_THAT(graph_->update({.urn = group.urn, .remove = {name}}), fails_with(Code::kInvalidResource));
  }
}

TEST_F(RelationRecords, with_keys_that_an_index_could_not_hold_are_refused) {
  const Result<Resource> made = graph_->create({.type = "System.User", .unique = {{"email", std::string(1000, 'x')}}});
  EXPECT_THAT(made, fails_with(Code::kInvalidResource));
  EXPECT_THAT(made.error().message(), HasSubstr("1024"));
  EXPECT_TRUE(graph_->create({.type = "System.User", .unique = {{"email", std::string(980, 'x')}}}));
}

TEST_F(RelationRecords, are_found_through_the_two_indexes) {
  const Resource account = make("System.Account");
  const Resource job = make("System.Account.Job", account.urn);
  const auto parents =
      store_->query("system", {.key = key("SK") == "Child#" + job.urn, .index = "InvertedIndex"}).all().value();
  ASSERT_EQ(parents.size(), 1U);
  EXPECT_EQ(parents[0].at("PK").string(), "Parent#" + account.urn);
  const auto owned =
      store_->query("system", {.key = key("_accountUrn") == account.urn, .index = "ResourcesByAccountIndex"})
          .all()
          .value();
  ASSERT_EQ(owned.size(), 1U) << "edges have no urn and are not in this index";
  EXPECT_EQ(owned[0].at("urn").string(), job.urn);
}

TEST_F(RelationRecords, ids_must_be_version_7_unless_the_policy_is_any) {
  EXPECT_THAT(graph_->create({.type = "System.Group", .id = "123-abc"}), fails_with(Code::kInvalidUrn));
  const std::string id = "01955556-3cd2-7df2-b839-693fa6fbd505";
  EXPECT_EQ(graph_->create({.type = "System.Group", .id = id})->urn, "urn:pp:System.Group::" + id);
  ResourceTypes lenient = types();
  lenient.ids = IdPolicy::kAny;
  Relations other = Relations::open(*store_, "system", lenient).value();
  EXPECT_TRUE(other.create({.type = "System.Group", .id = "123-abc"}));
  EXPECT_THAT(other.create({.type = "System.Group", .id = "ABC"}), fails_with(Code::kInvalidUrn));
}

}  // namespace
}  // namespace dolmen
