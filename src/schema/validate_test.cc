// Documents against their schema. Tests named Rule.A1_n hold for rule n of docs/documents.md.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <random>

#include "base/test_result.h"
#include "base/test_seed.h"
#include "schema/limits.h"
#include "schema/test_schemas.h"

namespace dolmen {
namespace {

using test::all_fields_schema;
using test::violations;
using testing::ElementsAre;
using testing::IsEmpty;

/// With an `_id` before the rest.
std::vector<std::string> of(std::string_view rest) {
  return violations(all_fields_schema(), R"({"_id":"1",)" + std::string(rest) + "}");
}

TEST(Rule, A1_18_a_document_is_valid_when_all_of_it_is) {
  EXPECT_THAT(violations(all_fields_schema(), "{}"), ElementsAre("_id required"));
  EXPECT_THAT(of(R"("o":{})"), ElementsAre("o.x required"));
  EXPECT_THAT(of(R"("o":{"x":1,"z":2},"nick":3)"), ElementsAre("nick undeclared", "o.z undeclared"));
  EXPECT_THAT(of(R"("rows":[{"c":1},{"c":1,"d":2},{}])"), ElementsAre("rows[1].d undeclared", "rows[2].c required"));
  EXPECT_THAT(of(R"("s":"x","i":1,"b":true,"f":1.5,"o":{"x":1},"a":["p","q"],"rows":[{"c":1}])"), IsEmpty());
}

TEST(Rule, A1_19_nothing_is_coerced) {
  EXPECT_THAT(of(R"("i":"1")"), ElementsAre("i type"));
  EXPECT_THAT(of(R"("b":1)"), ElementsAre("b type"));
  EXPECT_THAT(of(R"("b":0)"), ElementsAre("b type"));
  EXPECT_THAT(of(R"("i":true)"), ElementsAre("i type"));
  EXPECT_THAT(of(R"("i":1.0)"), ElementsAre("i type"));
  EXPECT_THAT(of(R"("i":1e2)"), ElementsAre("i type"));
  EXPECT_THAT(of(R"("s":1)"), ElementsAre("s type"));
  EXPECT_THAT(of(R"("o":[],"a":{})"), ElementsAre("a type", "o type"));
  EXPECT_THAT(of(R"("a":["x",1,true])"), ElementsAre("a[1] type", "a[2] type"));
}

TEST(Rule, A1_20_int_is_64_bits_with_a_sign) {
  EXPECT_THAT(of(R"("i":9223372036854775807)"), IsEmpty());
  EXPECT_THAT(of(R"("i":-9223372036854775808)"), IsEmpty());
  EXPECT_THAT(of(R"("i":9223372036854775808)"), ElementsAre("i int_range"));
  EXPECT_THAT(of(R"("i":-9223372036854775809)"), ElementsAre("i int_range"));
  EXPECT_THAT(of(R"("i":18446744073709551615)"), ElementsAre("i int_range"));
}

TEST(Rule, A1_21_a_float_is_what_is_written_as_one) {
  EXPECT_THAT(of(R"("f":30)"), ElementsAre("f type"));
  EXPECT_THAT(of(R"("f":30.0)"), IsEmpty());
  EXPECT_THAT(of(R"("f":3e1)"), IsEmpty());
  EXPECT_THAT(of(R"("f":1e400)"), ElementsAre("f float_range"));
  EXPECT_THAT(of(R"("f":-1e400)"), ElementsAre("f float_range"));
  const auto kept = validate_document(all_fields_schema(), R"({ "_id" : "1", "f" : -0.0 })");
  EXPECT_EQ(kept.value().text, R"({"_id":"1","f":-0.0})");
}

TEST(Rule, A1_22_null_is_forbidden_everywhere) {
  EXPECT_THAT(violations(all_fields_schema(), R"({"_id":null})"), ElementsAre("_id null"));
  EXPECT_THAT(of(R"("s":null)"), ElementsAre("s null"));
  EXPECT_THAT(of(R"("o":{"x":null})"), ElementsAre("o.x null"));
  EXPECT_THAT(of(R"("a":[null])"), ElementsAre("a[0] null"));
  EXPECT_THAT(of(R"("o":null,"a":null)"), ElementsAre("a null", "o null"));
}

TEST(Rule, A1_24_empty_is_valid_and_malformed_is_not) {
  EXPECT_THAT(of(R"("a":[],"rows":[])"), IsEmpty());
  const Schema free =
      parse_schema(test::schema_text("a", "1", R"(,"o":{"type":"object","required":true,"fields":{}})")).value();
  EXPECT_THAT(violations(free, R"({"_id":"1","o":{}})"), IsEmpty());
  for (const char* text : {"[]", "1", "\"x\"", "null", "true"})
    EXPECT_THAT(violations(free, text), ElementsAre("$root root_type")) << text;
  EXPECT_THAT(of(R"("s":"x","s":"y")"), ElementsAre("s duplicate_key"));
  EXPECT_THAT(of(R"("s":"x","\u0073":"x")"), ElementsAre("s duplicate_key"));
  EXPECT_THAT(of(R"("o":{"x":1,"x":2})"), ElementsAre("o.x duplicate_key"));
  EXPECT_THAT(violations(free, R"({"_id":"1","o":{}} x)"), ElementsAre("$root json"));
  EXPECT_THAT(violations(free, "{\"_id\":\"\xFF\",\"o\":{}}"), ElementsAre("$root utf8"));
  EXPECT_THAT(violations(free, R"({"_id":"\ud800","o":{}})"), ElementsAre("$root utf8"));
  EXPECT_THAT(violations(free, R"({"_id":"\udc00","o":{}})"), ElementsAre("$root utf8"));
  for (const char* text : {"", "{", R"({"_id")", R"({"_id":})", R"({"_id":"1",})", R"({'_id':1})", R"({"_id":01})",
                           R"({"_id":"1" "o":{}})", R"({"_id":tru})", R"({"_id":-})", R"({"_id":1.})",
                           "{\"_id\":\"\n\"}", R"({"_id":"\x"})"})
    EXPECT_THAT(violations(free, text), ElementsAre("$root json")) << text;
}

TEST(Rule, A1_25_an_id_is_neither_empty_nor_too_long_and_has_no_nul) {
  const Schema schema = all_fields_schema();
  EXPECT_THAT(violations(schema, R"({"_id":""})"), ElementsAre("_id id_valid"));
  EXPECT_THAT(violations(schema, R"({"_id":"a\u0000"})"), ElementsAre("_id id_valid"));
  EXPECT_THAT(violations(schema, R"({"_id":")" + std::string(limits::kDocumentIdBytes, 'a') + "\"}"), IsEmpty());
  EXPECT_THAT(violations(schema, R"({"_id":")" + std::string(limits::kDocumentIdBytes + 1, 'a') + "\"}"),
              ElementsAre("_id id_valid"));
  EXPECT_EQ(validate_document(schema, R"({"_id":"\u00e9\ud83d\ude00"})").value().id, "é😀");
}

TEST(Rule, A1_29_all_violations_are_reported_sorted_by_path_and_rule) {
  const std::string document = R"({"_id":"1","z":1,"rows":[{"c":"x"},{"d":1}],"s":1,"b":0,"i":"","f":2,"o":{"y":1}})";
  const auto expected = ElementsAre("b type", "f type", "i type", "o.x required", "o.y type", "rows[0].c type",
                                    "rows[1].c required", "rows[1].d undeclared", "s type", "z undeclared");
  for (int i = 0; i < 20; ++i) EXPECT_THAT(violations(all_fields_schema(), document), expected);
}

TEST(Validation, says_what_was_expected_and_what_was_found) {
  const Schema users =
      parse_schema(test::schema_text("users", "v1", R"(,"email":{"type":"string","required":true})")).value();
  const auto bad = validate_document(users, R"({"_id":"u1","email":42,"nick":"x"})");
  ASSERT_FALSE(bad);
  EXPECT_THAT(bad, fails_with(Code::kSchemaValidationFailed));
  EXPECT_EQ(bad.error().message(),
            "the document does not fit users v1: email: expected string, found int; nick: not declared in users v1");
}

TEST(Validation, knows_where_the_scalars_of_a_document_stand) {
  const Schema schema = all_fields_schema();
  const CheckedDocument document =
      validate_document(schema, R"({"o":{"y":"\u0061b","x":-7},"_id":"1","s":"t"})").value();
  const auto text_of = [&](std::string_view path) {
    const CheckedDocument::Span span = document.scalars[*schema.find_scalar(path)];
    return document.text.substr(span.offset, span.length);
  };
  EXPECT_EQ(text_of("o.x"), "-7");
  EXPECT_EQ(text_of("o.y"), R"("ab")");
  EXPECT_EQ(text_of("s"), R"("t")");
  EXPECT_EQ(text_of("i"), "");
}

TEST(Validation, limits_the_size_and_the_depth_of_what_it_reads) {
  EXPECT_THAT(of(R"("s":")" + std::string(limits::kDocumentBytes, 'x') + "\""), ElementsAre("$root size"));
  EXPECT_THAT(of(R"("u":)" + std::string(100'000, '[')), ElementsAre("$root json"));
  EXPECT_THAT(violations(all_fields_schema(), std::string(limits::kDocumentTextBytes + 1, ' ')),
              ElementsAre("$root size"));
}

TEST(Validation, of_what_it_accepts_accepts_what_it_makes_of_it) {
  std::mt19937_64 random(test_seed("of_what_it_accepts_accepts_what_it_makes_of_it"));
  const Schema schema = all_fields_schema();
  const std::string good =
      R"( {"_id" : "1", "s":"\u00e9", "i": -0, "b":true, "f":1E+2, "o":{"x":3},"a":["\\"],"rows":[]})";
  ASSERT_THAT(validate_document(schema, good), succeeds());
  int accepted = 0;
  for (int i = 0; i < 20'000; ++i) {
    std::string text = good;
    for (int change = 0; change < 2; ++change) text[random() % text.size()] = static_cast<char>(random() % 128);
    const auto once = validate_document(schema, text);
    if (!once) continue;
    ++accepted;
    const auto again = validate_document(schema, once->text);
    ASSERT_THAT(again, succeeds()) << text;
    EXPECT_EQ(again->text, once->text);
    EXPECT_EQ(again->id, once->id);
  }
  EXPECT_GT(accepted, 0);
}

TEST(ItemValidation, holds_items_to_the_same_schema) {
  const Schema schema = all_fields_schema();
  const auto found = [&](const Item& item) {
    std::vector<std::string> all;
    for (const ErrorDetail& detail : item_violations(schema, item, {"pk"}))
      all.push_back(detail.path + " " + detail.rule);
    return all;
  };
  EXPECT_THAT(found({{"pk", "k"}, {"_id", "1"}, {"i", 5}, {"f", 5}, {"o", Item{{"x", 1}}}, {"a", List{"p"}}}),
              IsEmpty());
  EXPECT_THAT(found({{"s", 1}, {"i", Number::parse("1.5").value()}, {"b", nullptr}, {"q", "?"}, {"a", List{"p", 1}}}),
              ElementsAre("_id required", "a[1] type", "b null", "i int_range", "q undeclared", "s type"));
}

}  // namespace
}  // namespace dolmen
