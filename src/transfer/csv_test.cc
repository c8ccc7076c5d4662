#include "transfer/csv.h"

#include <gtest/gtest.h>

#include "base/test_result.h"
#include "transfer/plain_json.h"

namespace dolmen::transfer {
namespace {

const TableDefinition kTable{.name = "notes",
                             .partition_key = {"topic", KeyType::kString},
                             .sort_key = KeyAttribute{"written", KeyType::kNumber}};

TEST(Csv, splits_records_and_tells_empty_texts_from_nothing) {
  EXPECT_EQ(*parse_record("a,,\"\",\"x,\"\"y\"\"\nz\""), (CsvRecord{"a", std::nullopt, "", "x,\"y\"\nz"}));
  EXPECT_EQ(*parse_record(""), CsvRecord{std::nullopt});
  EXPECT_TRUE(is_open_record("a,\"b"));
  EXPECT_FALSE(is_open_record("a,\"b\"\"\""));
  EXPECT_THAT(parse_record("\"a\"b"), fails_with(Code::kValidation));
  EXPECT_THAT(parse_record("\"a"), fails_with(Code::kValidation));
}

TEST(Csv, takes_the_types_of_columns_from_the_first_line_and_the_keys) {
  EXPECT_EQ(*parse_header("topic,written,n:N,ok:BOOL,any:JSON,a:b", kTable),
            (std::vector<CsvColumn>{{"topic", CsvType::kString},
                                    {"written", CsvType::kNumber},
                                    {"n", CsvType::kNumber},
                                    {"ok", CsvType::kBool},
                                    {"any", CsvType::kJson},
                                    {"a:b", CsvType::kString}}));
  EXPECT_THAT(parse_header("a,a", kTable), fails_with(Code::kValidation));
  EXPECT_THAT(parse_header("a,", kTable), fails_with(Code::kValidation));
}

TEST(Csv, gives_back_what_it_has_written) {
  const std::vector<Item> items{
      {{"topic", "a,b"}, {"written", 1}, {"text", ""}, {"mixed", 1}, {"bytes", Bytes("\x01")}, {"odd:N", "x"}},
      {{"topic", " x"}, {"written", 2}, {"ok", true}, {"mixed", "1"}, {"list", List{1, nullptr}}}};
  const std::vector<CsvColumn> columns = columns_for(items, kTable);
  std::string header;
  append_header(header, columns);
  EXPECT_EQ(header, "topic,written:N,bytes:B,list:JSON,mixed:JSON,odd:N:S,ok:BOOL,text\n");
  header.pop_back();
  ASSERT_EQ(*parse_header(header, kTable), columns);
  for (const Item& item : items) {
    std::string line;
    ASSERT_TRUE(append_csv_item(line, item, columns));
    line.pop_back();
    EXPECT_EQ(*parse_csv_item(line, columns), item) << line;
  }
}

TEST(Csv, refuses_what_its_columns_cannot_hold) {
  const std::vector<CsvColumn> columns = columns_for({{{"topic", "a"}, {"written", 1}, {"n", 1}}}, kTable);
  std::string line;
  EXPECT_THAT(append_csv_item(line, {{"topic", "a"}, {"written", 1}, {"n", "x"}}, columns),
              fails_with(Code::kValidation));
  EXPECT_THAT(append_csv_item(line, {{"topic", "a"}, {"written", 1}, {"new", 1}}, columns),
              fails_with(Code::kValidation));
  EXPECT_EQ(parse_csv_item("a,x,1", columns).error().message(), "written: \"x\" is not a number");
  EXPECT_EQ(parse_csv_item("a,1", columns).error().message(), "there are 2 fields, and 3 columns");
}

}  // namespace
}  // namespace dolmen::transfer
