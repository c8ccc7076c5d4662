#include "transfer/item_check.h"

#include <gtest/gtest.h>

#include "base/test_result.h"

namespace dolmen::transfer {
namespace {

const TableDefinition kBinaryKeys{
    .name = "t",
    .partition_key = {"id", KeyType::kBinary},
    .sort_key = KeyAttribute{"part", KeyType::kBinary},
    .global_indexes = {{.name = "by-mark", .partition_keys = {{"mark", KeyType::kBinary}}, .sort_keys = {}}}};

TEST(CheckPlain, lets_bytes_be_keys_because_the_table_knows_their_type) {
  EXPECT_THAT(check_plain({{"id", Bytes("a")}, {"part", Bytes("b")}}, kBinaryKeys), succeeds());
  EXPECT_THAT(check_plain({{"id", Bytes("a")}, {"part", Bytes("b")}, {"mark", Bytes("c")}}, kBinaryKeys), succeeds());
}

TEST(CheckPlain, refuses_bytes_and_sets_elsewhere_and_names_them) {
  const Result<void> bytes =
      check_plain({{"id", Bytes("a")}, {"part", Bytes("b")}, {"photo", Bytes("c")}}, kBinaryKeys);
  ASSERT_THAT(bytes, fails_with(Code::kValidation));
  EXPECT_NE(bytes.error().message().find("photo"), std::string::npos) << bytes.error().message();
  EXPECT_THAT(check_plain({{"id", Bytes("a")}, {"part", Bytes("b")}, {"tags", StringSet{"c"}}}, kBinaryKeys),
              fails_with(Code::kValidation));
}

}  // namespace
}  // namespace dolmen::transfer
