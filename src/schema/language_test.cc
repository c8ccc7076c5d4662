// The language of schema files. Tests named Rule.A1_n hold for rule n of docs/documents.md.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/test_result.h"
#include "schema/digest.h"
#include "schema/limits.h"
#include "schema/names.h"
#include "schema/test_schemas.h"

namespace dolmen {
namespace {

using test::mistakes;
using test::schema_text;
using testing::ElementsAre;
using testing::HasSubstr;

std::string with_version(std::string_view json) {
  return R"({"schema_id":"a","schema_version":)" + std::string(json) +
         R"(,"fields":{"_id":{"type":"string","required":true}}})";
}

TEST(Rule, A1_2_an_id_is_a_string_and_a_version_a_string_or_an_integer) {
  const Schema third = parse_schema(with_version("3")).value();
  EXPECT_EQ(third.ref, (SchemaRef{"a", "3"}));
  EXPECT_EQ(third.version_number, 3);
  EXPECT_EQ(parse_schema(with_version("\"3\"")).value().version_number, std::nullopt);
  EXPECT_EQ(parse_schema(with_version("999999999999999999")).value().version_number, 999999999999999999);
  for (const char* version : {"-1", "-0", "1.0", "1e2", "1000000000000000000", "99999999999999999999999"})
    EXPECT_THAT(mistakes(with_version(version)), ElementsAre("schema_version schema_version")) << version;
  for (const char* version : {"true", "[1]", "null"})
    EXPECT_THAT(mistakes(with_version(version)), ElementsAre("schema_version key_type")) << version;
  EXPECT_THAT(mistakes(R"({"schema_id":7,"schema_version":"v1","fields":{"_id":{"type":"string","required":true}}})"),
              ElementsAre("schema_id key_type"));
  EXPECT_EQ(parse_schema(schema_text("users", "v1")).value().ref, (SchemaRef{"users", "v1"}));
}

TEST(Rule, A1_6_a_version_has_no_underscore_so_file_names_split_one_way) {
  EXPECT_THAT(mistakes(schema_text("a", "b_c")), ElementsAre("schema_version schema_version"));
  EXPECT_EQ(parse_schema(schema_text("a_b", "c")).value().ref, (SchemaRef{"a_b", "c"}));
  EXPECT_EQ(schema::ref_of_file(schema::file_name({"a_b", "c"})), (SchemaRef{"a_b", "c"}));
  EXPECT_EQ(schema::ref_of_file("schema_a_b_c.json"), (SchemaRef{"a_b", "c"}));
}

TEST(Rule, A1_7_unsafe_names_are_refused_and_never_escaped) {
  for (const char* id : {"", ".a", "_a", "-a", "a/b", "x/../../../evil", "a..b", "a b", "a\\u0000b", "a\\u0007b", "é"})
    EXPECT_THAT(mistakes(schema_text(id, "v1")), ElementsAre("schema_id schema_id")) << id;
  for (const char* version : {"", ".1", "-1", "1/2", "1..2", "v 1", "v_1"})
    EXPECT_THAT(mistakes(schema_text("a", version)), ElementsAre("schema_version schema_version")) << version;
  EXPECT_EQ(mistakes(schema_text(std::string(limits::kSchemaIdBytes, 'a'), std::string(64, '1'))).size(), 0U);
  EXPECT_EQ(mistakes(schema_text(std::string(limits::kSchemaIdBytes + 1, 'a'), "1")).size(), 1U);
  EXPECT_EQ(mistakes(schema_text("a", std::string(limits::kSchemaVersionBytes + 1, '1'))).size(), 1U);
  EXPECT_LE(schema::file_name({std::string(limits::kSchemaIdBytes, 'a'), std::string(64, '1')}).size(), 255U);
}

TEST(Rule, A1_12_the_top_level_has_exactly_its_keys) {
  EXPECT_THAT(mistakes(R"({"schema_id":"a","schema_version":"1","fields":{"_id":{"type":"string","required":true}},
                           "indexes":[]})"),
              ElementsAre("indexes unknown_key"));
  EXPECT_THAT(mistakes("{}"), ElementsAre("fields missing_key", "schema_id missing_key", "schema_version missing_key"));
  EXPECT_THAT(mistakes("[]"), ElementsAre(" root_type"));
  const auto described = parse_schema(
      R"({"schema_id":"a","schema_version":"1","description":"d","fields":{"_id":{"type":"string","required":true}}})");
  EXPECT_EQ(described.value().description, "d");
}

TEST(Rule, A1_13_a_field_has_type_and_required_and_nothing_else) {
  EXPECT_THAT(mistakes(schema_text("a", "1", R"(,"x":{"type":"int"})")), ElementsAre("fields.x.required missing_key"));
  EXPECT_THAT(mistakes(schema_text("a", "1", R"(,"x":{"required":true})")), ElementsAre("fields.x.type missing_key"));
  for (const char* extra : {"default", "unique", "nullable", "index", "fields", "element_type"})
    EXPECT_THAT(
        mistakes(schema_text("a", "1", std::string(R"(,"x":{"type":"int","required":true,")") + extra + R"(":true})")),
        ElementsAre(std::string("fields.x.") + extra + " unknown_key"));
  EXPECT_THAT(mistakes(schema_text("a", "1", R"(,"x":{"type":"int","required":"yes"})")),
              ElementsAre("fields.x.required key_type"));
}

TEST(Rule, A1_14_there_are_six_types_and_no_unions) {
  for (const char* type : {R"("string")", R"("int")", R"("bool")", R"("float")"})
    EXPECT_THAT(parse_schema(schema_text("a", "1", std::string(R"(,"x":{"required":true,"type":)") + type + "}")),
                succeeds());
  for (const char* type : {R"("date")", R"("String")", R"(["string","int"])", "null", "1"})
    EXPECT_THAT(mistakes(schema_text("a", "1", std::string(R"(,"x":{"required":true,"type":)") + type + "}")),
                ElementsAre("fields.x.type type_name"))
        << type;
}

TEST(Rule, A1_14_every_mistake_of_a_field_without_a_type_is_named) {
  EXPECT_THAT(mistakes(schema_text("a", "1", R"(,"x":{"type":["int"],"required":true,"default":1})")),
              ElementsAre("fields.x.type type_name", "fields.x.default unknown_key"));
  EXPECT_THAT(mistakes(schema_text("a", "1", R"(,"x":{"required":true,"default":1})")),
              ElementsAre("fields.x.type missing_key", "fields.x.default unknown_key"));
  EXPECT_THAT(mistakes(schema_text("a", "1", R"(,"x":{"type":"objct","required":true,"fields":{"y":{"type":"int"}}})")),
              ElementsAre("fields.x.type type_name", "fields.x.fields.y.required missing_key"));
  EXPECT_THAT(
      mistakes(schema_text("a", "1", R"(,"x":{"type":"list","required":true,"element_type":{"type":"int","z":1}})")),
      ElementsAre("fields.x.type type_name", "fields.x.element_type.z unknown_key"));
}

TEST(Rule, A1_15_objects_declare_fields_and_arrays_one_element_type) {
  EXPECT_THAT(mistakes(schema_text("a", "1", R"(,"x":{"type":"object","required":true})")),
              ElementsAre("fields.x.fields missing_key"));
  EXPECT_THAT(mistakes(schema_text("a", "1", R"(,"x":{"type":"array","required":true})")),
              ElementsAre("fields.x.element_type missing_key"));
  EXPECT_THAT(mistakes(schema_text(
                  "a", "1", R"(,"x":{"type":"array","required":true,"element_type":{"type":"int","required":true}})")),
              ElementsAre("fields.x.element_type.required unknown_key"));
  const Schema nested = parse_schema(schema_text("a", "1", R"(,"m":{"type":"array","required":true,"element_type":
      {"type":"array","element_type":{"type":"object","fields":{"x":{"type":"int","required":true}}}}})"))
                            .value();
  EXPECT_EQ(nested.fields[1].type.element[0].element[0].fields[0].name, "x");
}

TEST(Rule, A1_15_nesting_and_field_counts_are_limited) {
  const auto nested = [](unsigned levels) {
    std::string type = R"({"type":"int"})";
    for (unsigned i = 1; i < levels; ++i) type = R"({"type":"array","element_type":)" + type + "}";
    return schema_text("a", "1", R"(,"x":{"type":"array","required":true,"element_type":)" + type + "}");
  };
  EXPECT_THAT(parse_schema(nested(limits::kSchemaNesting)), succeeds());
  EXPECT_EQ(mistakes(nested(limits::kSchemaNesting + 1)).size(), 1U);
  EXPECT_THAT(mistakes(nested(limits::kSchemaNesting + 1))[0], HasSubstr(" depth"));
  std::string fields;
  for (std::size_t i = 1; i < limits::kFieldsPerObject; ++i)
    fields += ",\"f" + std::to_string(i) + R"(":{"type":"int","required":true})";
  EXPECT_THAT(parse_schema(schema_text("a", "1", fields)), succeeds());
  EXPECT_THAT(mistakes(schema_text("a", "1", fields + R"(,"one_more":{"type":"int","required":true})")),
              ElementsAre("fields field_count"));
}

TEST(Rule, A1_16_every_schema_declares_id_as_a_required_string) {
  const auto with = [](const std::string& fields) {
    return R"({"schema_id":"a","schema_version":"1","fields":{)" + fields + "}}";
  };
  EXPECT_THAT(mistakes(with("")), ElementsAre("fields._id id_field"));
  EXPECT_THAT(mistakes(with(R"("_id":{"type":"int","required":true})")), ElementsAre("fields._id id_field"));
  EXPECT_THAT(mistakes(with(R"("_id":{"type":"string","required":false})")), ElementsAre("fields._id id_field"));
  EXPECT_THAT(mistakes(with(R"("_id":{"type":"array","required":true,"element_type":{"type":"int"}})")),
              ElementsAre("fields._id id_field"));
}

TEST(Rule, A1_17_field_names_are_unique_and_cannot_be_paths_or_operators) {
  EXPECT_THAT(
      mistakes(schema_text("a", "1", R"(,"x":{"type":"int","required":true},"x":{"type":"int","required":true})")),
      ElementsAre("fields.x unique_names"));
  for (const char* name : {"", "a.b", "$gt", "a[0]", "a\\u0001"})
    EXPECT_EQ(mistakes(schema_text("a", "1", std::string(",\"") + name + R"(":{"type":"int","required":true})")).size(),
              1U)
        << name;
  EXPECT_FALSE(parse_schema(schema_text("a", "1", ",\"\xFF\":{\"type\":\"int\",\"required\":true}")).has_value());
}

TEST(SchemaLanguage, names_every_mistake_with_its_place) {
  const auto parsed = parse_schema(
      "{\"schema_id\":\"a\",\n \"schema_version\":\"1\",\n \"fields\":{\"x\":{\"type\":\"in\"}}}", "users.json");
  ASSERT_FALSE(parsed);
  EXPECT_THAT(parsed, fails_with(Code::kSchemaInvalid));
  ASSERT_EQ(parsed.error().details().size(), 3U);
  EXPECT_THAT(parsed.error().details()[0].message, HasSubstr("users.json:3:11: \"_id\" is missing"));
}

TEST(SchemaLanguage, tells_schemas_apart_by_their_fields) {
  const auto with = [](std::string_view field) { return parse_schema(schema_text("a", "1", field)).value(); };
  const Schema one = with(R"(,"x":{"type":"int","required":true})");
  EXPECT_EQ(one, with(R"(,"x":{"type":"int","required":true})"));
  EXPECT_NE(one, with(R"(,"y":{"type":"int","required":true})"));
  EXPECT_NE(one, with(R"(,"x":{"type":"int","required":false})"));
  EXPECT_NE(one, with(R"(,"x":{"type":"bool","required":true})"));
}

TEST(SchemaNames, are_folded_from_the_first_letter_to_the_last) { EXPECT_EQ(schema::folded("AZaz@[09"), "azaz@[09"); }

TEST(SchemaDigest, is_that_of_the_standard) {
  EXPECT_EQ(schema::sha256("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}

TEST(SchemaLanguage, knows_the_scalars_of_a_document) {
  const Schema schema = test::all_fields_schema();
  std::vector<std::string> paths;
  for (const ScalarPath& scalar : schema.scalars) paths.push_back(scalar.path);
  EXPECT_THAT(paths, ElementsAre("_id", "b", "f", "i", "o.x", "o.y", "s"));
  EXPECT_TRUE(schema.scalars[0].always_present);
  EXPECT_FALSE(schema.scalars[4].always_present) << "o is optional";
}

}  // namespace
}  // namespace dolmen
