#include <gtest/gtest.h>

#include "base/test_result.h"
#include "test_engine.h"

/// How many tables there may be.
namespace dolmen::engine {
namespace {

TableDefinition table(const std::string& name) { return {.name = name, .partition_key = {"id"}}; }

std::unique_ptr<Service> engine_for(std::size_t tables_max) {
  return Engine::open(
             storage::Storage::open({.durability = Durability::kMemory, .keyspaces = keyspaces::names()}).value(),
             {.tables_max = tables_max})
      .value();
}

TEST(TableCount, is_limited_and_the_refusal_says_the_number) {
  const auto service = engine_for(2);
  EXPECT_THAT(create_table(*service, table("one")), succeeds());
  EXPECT_THAT(create_table(*service, table("two")), succeeds());
  const auto third = create_table(*service, table("three"));
  ASSERT_THAT(third, fails_with(Code::kLimitExceeded));
  EXPECT_EQ(third.error().message(), "Subscriber limit exceeded: There is a limit of 2 tables per subscriber");
  EXPECT_THAT(create_table(*service, table("two")), fails_with(Code::kTableExists)) << "which comes first";
  ASSERT_THAT(call<DeleteTable>(*service, {.table = "one"}), succeeds());
  EXPECT_THAT(create_table(*service, table("three")), succeeds());
}

TEST(TableCount, may_be_larger_than_that_of_a_new_account) {
  const auto service = engine_for(limits::kTablesPerAccount + 1);
  for (std::size_t i = 0; i <= limits::kTablesPerAccount; ++i)
    ASSERT_THAT(create_table(*service, table("table-" + std::to_string(i))), succeeds());
  EXPECT_THAT(create_table(*service, table("another")), fails_with(Code::kLimitExceeded));
}

}  // namespace
}  // namespace dolmen::engine
