#include "dolmen/model/cursor.h"

#include <gtest/gtest.h>

#include "base/base64.h"
#include "base/test_result.h"
#include "base/test_seed.h"
#include "value/test_items.h"

// Section 4.1: cursors.
namespace dolmen {
namespace {

std::string json_of(const Cursor& cursor) { return decode_base64(encode_cursor(cursor), Base64::kUrl).value(); }
Result<Cursor> from_json(std::string_view json) { return decode_cursor(encode_base64(json, Base64::kUrl)); }

const Item kKey{{"PK", "USER#1"}, {"SK", "PROFILE"}};

TEST(Cursor, section_4_1_is_the_golden_fixture_of_all_languages) {
  const std::string text =
      "eyJsYXN0S2V5Ijp7IlBLIjp7IlMiOiJVU0VSIzEifSwiU0siOnsiUyI6IlBST0ZJTEUifX0sImluZGV4IjoiZ3NpLWVtYWlsIiwic29ydCI6IkFT"
      "QyJ"
      "9";
  const Cursor cursor{.last_key = kKey, .index = "gsi-email", .order = SortOrder::kAscending};
  EXPECT_EQ(encode_cursor(cursor), text);
  EXPECT_EQ(decode_cursor(text), cursor);
  EXPECT_EQ(decode_cursor(" " + text + "\n\n"), cursor);
}

TEST(Cursor, section_4_1_escapes_as_go_does) {
  EXPECT_EQ(
      json_of({.last_key = {{"k", "<>&\xE2\x80\xA8\xE2\x80\xA9\"\\/\b\f\n\r\t\x01\x7F\xC3\xA9\xFF"}}, .index = "a<b"}),
      "{\"lastKey\":{\"k\":{\"S\":\"\\u003c\\u003e\\u0026\\u2028\\u2029\\\"\\\\/"
      "\\b\\f\\n\\r\\t\\u0001\x7F\xC3\xA9\\ufffd\"}},"
      "\"index\":\"a\\u003cb\"}");
}

TEST(Cursor, section_4_1_sorts_names_by_bytes_and_leaves_out_what_is_empty) {
  EXPECT_EQ(json_of({.last_key = {{"\xF0\x90\x80\x80", 1}, {"\xEF\xAC\x81", Bytes("\xFB\xFF")}}}),
            "{\"lastKey\":{\"\xEF\xAC\x81\":{\"B\":\"+/8=\"},\"\xF0\x90\x80\x80\":{\"N\":\"1\"}}}");
  EXPECT_EQ(encode_cursor({.last_key = {}, .index = "i"}), "");
}

TEST(Cursor, section_4_1_reads_every_form_that_is_written_somewhere) {
  const Cursor cursor{.last_key = {{"k", "~?>?>"}}, .order = SortOrder::kDescending};
  std::string text = encode_cursor(cursor);
  while (text.ends_with('=')) text.pop_back();
  EXPECT_EQ(decode_cursor(text), cursor);
  EXPECT_EQ(decode_cursor(encode_base64(R"({ "sort":"DESC", "lastKey" : {"k":{"S":"~?>?>"}}, "more": 1 })")), cursor);
  EXPECT_EQ(from_json(R"({"lastKey":{"k":{"S":"a"}},"sort":"desc","index":null})"), (Cursor{.last_key = {{"k", "a"}}}));
  EXPECT_EQ(from_json(R"({"lastKey":{},"sort":"ASC"})").value().last_key, Item());
}

TEST(Cursor, section_4_1_gives_back_any_key) {
  RandomItems items(test_seed("cursor round trip"));
  for (int i = 0; i < 2000; ++i) {
    const Cursor cursor{.last_key = items.item(), .index = items.text()};
    if (cursor.last_key.empty()) continue;
    ASSERT_EQ(decode_cursor(encode_cursor(cursor)), cursor) << json_of(cursor);
  }
}

TEST(Cursor, section_4_1_is_refused_when_it_is_damaged) {
  for (const char* text : {"", "   ", "!!!", "bnVsbA==", "e30=", "W10=", "eyJsYXN0S2V5Ijo1fQ==", "=", "YQ=", "YQ==="})
    EXPECT_THAT(decode_cursor(text), fails_with(Code::kInvalidOperator)) << text;
  for (const char* json :
       {R"({"lastKey":{"k":{"S":"a","N":"1"}}})", R"({"lastKey":{"k":{"NULL":false}}})",
        R"({"lastKey":{"k":{"X":"a"}}})", R"({"lastKey":{"k":{"S":5}}})", R"({"lastKey":{"k":{"B":"@@"}}})",
        R"({"lastKey":{"k":{"S":"a"}})", R"({"lastKey":{"k":{"S":"a"}}} x)", R"({"lastKey":{"k":{"N":"x"}}})",
        R"({"lastKey":{"k":{"SS":["a","a"]}}})", R"({"lastKey":{"k":{"SS":"a"}}})", R"({"lastKey":{"k":{"BOOL":1}}})",
        R"({"lastKey":{"k":{"L":{}}}})"})
    EXPECT_THAT(from_json(json), fails_with(Code::kInvalidOperator)) << json;
  EXPECT_EQ(from_json("[").error().message().substr(0, 16), "invalid cursor: ");
}

Model user() {
  return {.name = "User",
          .table = "users",
          .partition_key = {"PK", KeyType::kString},
          .sort_key = KeyAttribute{"SK", KeyType::kString},
          .attributes = {},
          .indexes = {{.name = "gsi-email", .partition_key = {"emailHash", KeyType::kString}},
                      {.name = "gsi-phone", .partition_key = {"phoneHash", KeyType::kString}}}};
}

std::string use(const Cursor& cursor, const CursorUse& use) {
  const Result<void> checked = check_cursor(cursor, user(), use);
  if (checked) return "ok";
  EXPECT_THAT(checked, fails_with(Code::kInvalidOperator));
  return checked.error().message();
}

TEST(Cursor, section_4_1_is_accepted_where_it_belongs) {
  const Item index_key{{"PK", "a"}, {"SK", "b"}, {"emailHash", "c"}};
  EXPECT_EQ(use({.last_key = kKey, .order = SortOrder::kAscending}, {.order = SortOrder::kAscending}), "ok");
  EXPECT_EQ(use({.last_key = index_key, .index = "gsi-email", .order = SortOrder::kDescending},
                {.index = "gsi-email", .order = SortOrder::kDescending}),
            "ok");
  // Go does not record an index that it chose by itself, nor a direction that nobody asked for.
  EXPECT_EQ(use({.last_key = index_key}, {.index = "gsi-email", .order = SortOrder::kAscending}), "ok");
  EXPECT_EQ(use({.last_key = kKey}, {}), "ok");
}

TEST(Cursor, section_4_1_is_refused_in_another_read) {
  const Item index_key{{"PK", "a"}, {"SK", "b"}, {"emailHash", "c"}};
  EXPECT_EQ(use({.last_key = index_key, .index = "gsi-email"}, {.index = "gsi-phone"}),
            "the cursor belongs to another read: its index is gsi-email, but this one's is gsi-phone");
  EXPECT_EQ(use({.last_key = index_key, .index = "gsi-email"}, {}),
            "the cursor belongs to another read: its index is gsi-email, but this one's is none");
  // Only Go leaves the index out, and then it leaves out the order as well.
  EXPECT_EQ(use({.last_key = index_key, .order = SortOrder::kAscending},
                {.index = "gsi-email", .order = SortOrder::kAscending}),
            "the cursor belongs to another read: its index is none, but this one's is gsi-email");
  EXPECT_EQ(use({.last_key = kKey, .order = SortOrder::kAscending}, {.order = SortOrder::kDescending}),
            "the cursor belongs to another read: its order is ASC, but this one's is DESC");
  EXPECT_EQ(use({.last_key = kKey}, {.index = "gsi-email"}),
            "the cursor belongs to another read: it lacks the key attribute emailHash");
  EXPECT_EQ(use({.last_key = index_key}, {}),
            "the cursor belongs to another read: emailHash is not an attribute of this key");
  EXPECT_EQ(use({.last_key = {{"PK", "a"}, {"SK", 1}}}, {}),
            "the cursor belongs to another read: its SK is of type N, not S");
  EXPECT_EQ(use({.last_key = kKey}, {.index = "none"}), "the model User has no index none");
}

}  // namespace
}  // namespace dolmen
