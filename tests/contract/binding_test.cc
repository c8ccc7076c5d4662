// How a table comes to be bound: versions, restarts, and writes that go on meanwhile.
#include <atomic>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <thread>
#include <tuple>

#include "base/fail.h"
#include "base/test_result.h"
#include "bound_table.h"
#include "contract/operations.h"

namespace dolmen::contract {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

using ContractBinding = BoundTable;

TEST_F(ContractBinding, is_there_again_after_a_restart_and_gone_after_unbind) {
  ASSERT_TRUE(bind());
  open();
  EXPECT_NE(put({{"pk", "a"}}), "");
  EXPECT_EQ(contracts_->unbind("notes"), true);
  EXPECT_EQ(contracts_->unbind("notes"), false);
  EXPECT_EQ(put({{"pk", "a"}}), "");
  open();
  EXPECT_EQ(put({{"pk", "b"}}), "");
  EXPECT_THAT(contracts_->status("notes")->versions, ElementsAre("v1"));
}

TEST_F(ContractBinding, goes_with_its_table_and_is_not_taken_over_by_another_of_that_name) {
  ASSERT_TRUE(bind());
  ASSERT_TRUE(delete_table(store_->service(), "notes"));
  ASSERT_TRUE(create_table(store_->service(), {.name = "notes", .partition_key = {"pk", KeyType::kString}}));
  EXPECT_EQ(put({{"pk", "a"}}), "");
  open();
  EXPECT_EQ(put({{"pk", "b"}}), "");
  EXPECT_FALSE(contracts_->status("notes")->active);
  EXPECT_THAT(contracts_->status().value(), ::testing::IsEmpty());
}

TEST_F(ContractBinding, counts_stored_items_that_break_it_before_anything_is_switched) {
  ASSERT_EQ(put({{"pk", "a"}}), "");
  ASSERT_EQ(put({{"pk", "b"}, {"text", "x"}}), "");
  const Result<StoredItems> refused = bind();
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused, fails_with(Code::kValidation));
  EXPECT_THAT(refused.error().message(), HasSubstr("1 of 2 stored items break the contract"));
  EXPECT_EQ(put({{"pk", "c"}}), "") << "nothing was bound";
  accept_ = true;
  const Result<StoredItems> stored = bind();
  ASSERT_THAT(stored, succeeds());
  EXPECT_EQ(stored->checked, 3U);
  EXPECT_EQ(stored->violating, 2U);
  EXPECT_NE(put({{"pk", "c"}}), "");
}

TEST_F(ContractBinding, a_published_version_never_changes_and_can_be_switched_back_to) {
  ASSERT_TRUE(bind());
  Definition stricter = notes();
  stricter.kinds = {Kind{.model = "Tag"}};
  EXPECT_THAT(bind(Mode::kEnforce, stricter), fails_with(Code::kSchemaImmutable));
  ASSERT_TRUE(bind(Mode::kEnforce, stricter, "v2"));
  EXPECT_EQ(put({{"pk", "a"}, {"colour", "red"}}), "");
  EXPECT_NE(put({{"pk", "b"}, {"text", "x"}}), "");
  accept_ = true;
  ASSERT_TRUE(bind(Mode::kEnforce, {}, "v1"));
  EXPECT_EQ(put({{"pk", "b"}, {"text", "x"}}), "");
  EXPECT_THAT(contracts_->status("notes")->versions, ElementsAre("v1", "v2"));
  EXPECT_THAT(bind(Mode::kEnforce, {}, "v3"), fails_with(Code::kUnknownSchemaVersion));
}

TEST_F(ContractBinding, says_what_a_published_version_consists_of) {
  ASSERT_TRUE(bind());
  const std::string text = contracts_->published("notes", "v1").value();
  EXPECT_THAT(text, HasSubstr(R"("kinds":[{"model":"Note"}])"));
  EXPECT_THAT(contracts_->published("notes", "v2"), fails_with(Code::kUnknownSchemaVersion));
  EXPECT_THAT(contracts_->status("notes")->kinds, ElementsAre("model Note"));
}

TEST_F(ContractBinding, does_not_ignore_a_part_of_a_definition_that_lacks_its_models) {
  ASSERT_TRUE(bind());
  EXPECT_THAT(bind(Mode::kEnforce, {.models = {}, .schemas = {}, .discriminator = "kind", .kinds = {}}),
              fails_with(Code::kSchemaImmutable));
}

TEST_F(ContractBinding, forgets_tables_that_are_gone) {
  ASSERT_TRUE(bind());
  const std::string lost = describe_table(store_->service(), "notes")->id;
  ASSERT_TRUE(delete_table(store_->service(), "notes"));
  ASSERT_TRUE(create_table(store_->service(), {.name = "notes", .partition_key = {"pk", KeyType::kString}}));
  ASSERT_TRUE(bind());
  const Rows rows(store_->service());
  EXPECT_FALSE(rows.active(lost).value());
  EXPECT_THAT(rows.versions(lost).value(), ::testing::IsEmpty());
  EXPECT_NE(put({{"pk", "a"}}), "");
}

TEST_F(ContractBinding, no_bad_item_slips_in_while_the_stored_ones_are_looked_at) {
  std::atomic<bool> stop = false;
  std::vector<std::jthread> writers;
  for (int i = 0; i < 3; ++i)
    writers.emplace_back([&, i] {
      const std::string key = "w" + std::to_string(i);
      for (int n = 0; !stop; ++n) {
        if (n % 20 == 0) std::ignore = call(store_->service(), put_of({{"pk", key}}));
        std::ignore = call(store_->service(), put_of({{"pk", key}, {"text", "good"}}));
      }
    });
  int bound = 0;
  for (int attempt = 0; attempt < 40; ++attempt) {
    const Result<StoredItems> result = bind(Mode::kEnforce, notes(), "v" + std::to_string(attempt));
    if (!result) {
      EXPECT_THAT(result, fails_with(Code::kValidation));
      continue;
    }
    ++bound;
    const Result<StoredItems> again = contracts_->bind(
        {.table = "notes", .version = "v" + std::to_string(attempt), .definition = {}, .dry_run = true});
    ASSERT_THAT(again, succeeds());
    EXPECT_EQ(again->violating, 0U);
    EXPECT_EQ(contracts_->unbind("notes"), true);
  }
  stop = true;
  writers.clear();
  EXPECT_GT(bound, 0);
}

TEST_F(ContractBinding, carries_out_operations_by_their_names) {
  ASSERT_TRUE(bind());
  const SchemaText none = [](const SchemaRef&) -> Result<std::string> { return fail(Code::kUnknownSchema, "none"); };
  EXPECT_THAT(execute(*contracts_, {.name = "ListContracts", .body = "{}"}, none), succeeds());
  EXPECT_THAT(execute(*contracts_, {.name = "Other", .body = "{}"}, none),
              fails_with(Code::kUnknownOperation, "Other is not an operation on contracts"));
}

}  // namespace
}  // namespace dolmen::contract
