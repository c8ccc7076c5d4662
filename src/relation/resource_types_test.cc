#include "dolmen/relation/resource_types.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/test_result.h"

namespace dolmen {
namespace {

using testing::HasSubstr;

constexpr const char* kFile = R"(
domain: acme
ids: any
types:
  - name: System
    account: none
  - name: System.Account
    account: self
    parents: [System]
    unique: [{ key: name, normalise: casefold }]
  - name: System.Account.Job
    account: required
    unique: [code, { key: path, per_account: true }]
    schema_version: 3
    upcasters:
      "1": [{ rename: { title: name } }]
      "2": [{ default: { state: new, tries: 0 } }, { remove: [draft] }]
)";

std::string messages(const Error& error) {
  std::string all = error.message();
  for (const ErrorDetail& detail : error.details()) all += "\n" + detail.message;
  return all;
}

TEST(ResourceTypes, are_read_from_a_file) {
  const ResourceTypes types = ResourceTypes::parse(kFile, "types.yml").value();
  EXPECT_EQ(types.domain, "acme");
  EXPECT_EQ(types.ids, IdPolicy::kAny);
  ASSERT_EQ(types.all().size(), 3U);
  const ResourceType* account = types.find("System.Account");
  EXPECT_EQ(account->account, AccountScope::kSelf);
  EXPECT_EQ(account->parents, std::vector<std::string>{"System"});
  EXPECT_EQ(account->unique, (std::vector<UniqueKey>{{.key = "name", .normaliser = Normaliser::kCaseFold}}));
  const ResourceType* job = types.find("System.Account.Job");
  EXPECT_EQ(job->schema_version, 3);
  EXPECT_EQ(job->unique, (std::vector<UniqueKey>{{.key = "code"}, {.key = "path", .per_account = true}}));
}

TEST(ResourceTypes, upcast_as_the_file_says) {
  const ResourceTypes types = ResourceTypes::parse(kFile, "types.yml").value();
  const ResourceType* job = types.find("System.Account.Job");
  const Item second = job->upcasters.at(1)({{"title", "Paint"}, {"draft", "x"}}).value();
  EXPECT_EQ(second, (Item{{"name", "Paint"}, {"draft", "x"}}));
  const Item third = job->upcasters.at(2)(second).value();
  EXPECT_EQ(third, (Item{{"name", "Paint"}, {"state", "new"}, {"tries", 0}}));
}

TEST(ResourceTypes, say_what_is_wrong_with_a_file_and_where) {
  const struct {
    const char* text;
    const char* message;
  } cases[] = {
      {"types: [{ name: Sys tem }]", "types.yml:1:9: \"Sys tem\" is not a resource type"},
      {"types: [{ name: Dolmen.Own }]", "reserved"},
      {"types: [{ name: A, account: sometimes }]", "account must be one of optional, none, required, self"},
      {"types: [{ name: A, colour: red }]", "colour is not allowed here; use "},
      {"types: [{ name: A, parents: [B] }]", "B is not a declared resource type"},
      {"types: [{ name: A }, { name: A }]", "declared twice"},
      {"types: [{ name: A, unique: [{ key: a, normalise: soft }] }]", "normalise must be one of exact, nfc, casefold"},
      {"types: [{ name: A, unique: [_id] }]", "reserved"},
      {"types: [{ name: A, unique: [\"a#b\"] }]", "must not contain # or @"},
      {"types: [{ name: A, unique: [a, a] }]", "twice"},
      {"types: [{ name: A, unique: [{ key: a, per_account: true }] }]", "needs an account"},
      {"types: [{ name: A, schema_version: 0 }]", "1 or more"},
      {"types: [{ name: A, schema_version: 2, upcasters: { \"2\": [] } }]",
       "an upcaster from version 2 makes no sense"},
      {"types: [{ name: A, schema_version: 2, upcasters: { \"1\": [{ rename: [a, b] }] } }]",
       "types.yml:1:68: rename must be a map"},
      {"types: [{ name: A, schema_version: 2, upcasters: { \"1\": [{ rename: a }] } }]", "rename must be a map"},
      {"types: [{ name: A, schema_version: 2, upcasters: { \"1\": [{ default: a }] } }]", "default must be a map"},
      {"types: [{ name: A, schema_version: 2, upcasters: { \"1\": [{ default: [a] }] } }]", "default must be a map"},
      {"types: [{ name: A, schema_version: 2, upcasters: { \"1\": [{ remove: a }] } }]", "remove must be a list"},
      {"types: [{ name: A, schema_version: 2, upcasters: { \"1\": [remove] } }]", "expected a map"},
      {"types: [{ name: A, model: { file: nowhere.yml, name: A } }]", "nowhere.yml"},
      {"domain: UPPER", "is not the domain"},
      {"[]", "expected a map"},
  };
  for (const auto& each : cases) {
    const Result<ResourceTypes> types = ResourceTypes::parse(each.text, "types.yml");
    ASSERT_FALSE(types) << each.text;
    EXPECT_THAT(types, fails_with(Code::kInvalidArgument));
    EXPECT_THAT(messages(types.error()), HasSubstr(each.message));
  }
}

TEST(ResourceTypes, refuse_what_they_do_not_know_unless_told_otherwise) {
  EXPECT_THAT(ResourceTypes().get("A"), fails_with(Code::kInvalidResource));
  EXPECT_EQ(ResourceTypes::undeclared().get("A")->name, "A");
}

TEST(Normalise, makes_equal_what_should_be) {
  EXPECT_EQ(normalise(Normaliser::kExact, "Ada ").value(), "Ada ");
  // An e with an accent, in one and in two code points.
  EXPECT_EQ(normalise(Normaliser::kNfc, "e\u0301").value(), "\u00e9");
  EXPECT_NE(normalise(Normaliser::kExact, "e\u0301").value(), "\u00e9");
  EXPECT_EQ(normalise(Normaliser::kCaseFold, "STRASSE").value(), normalise(Normaliser::kCaseFold, "Straße").value());
  EXPECT_EQ(normalise(Normaliser::kCaseFold, "E\u0301").value(), "\u00e9");
  EXPECT_EQ(normalise(Normaliser::kNfc, "A").value(), "A");
}

TEST(Normalise, refuses_the_empty_and_what_is_no_text) {
  for (const Normaliser each : {Normaliser::kExact, Normaliser::kNfc, Normaliser::kCaseFold}) {
    EXPECT_THAT(normalise(each, ""), fails_with(Code::kInvalidResource));
    EXPECT_THAT(normalise(each, "\xff"), fails_with(Code::kInvalidResource));
  }
}

}  // namespace
}  // namespace dolmen
