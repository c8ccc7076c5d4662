// How documents of one version become documents of another.
#include "document/mapping.h"

#include <gmock/gmock.h>

#include "base/test_result.h"
#include "opened.h"

namespace dolmen::document {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

Schema old_schema() {
  return parse_schema(
             test::schema_text("users", "v1",
                               R"(,"mail":{"type":"string","required":true},"age":{"type":"string","required":false},
             "score":{"type":"int","required":false},"nick":{"type":"string","required":false},
             "home":{"type":"object","required":false,"fields":{"town":{"type":"string","required":true}}})"))
      .value();
}

Schema new_schema() {
  return parse_schema(
             test::schema_text("users", "v2",
                               R"(,"email":{"type":"string","required":true},"age":{"type":"int","required":false},
             "score":{"type":"float","required":false},"active":{"type":"bool","required":true},
             "address":{"type":"object","required":false,"fields":{"city":{"type":"string","required":true}}})"))
      .value();
}

Result<Mapping> read(std::string_view text) { return Mapping::read(text, "map.yml", old_schema(), new_schema()); }

TEST(Mappings, rename_remove_convert_and_add) {
  const Mapping mapping = read(
                              "rename: {mail: email, home.town: address.city}\n"
                              "remove: [nick, home]\n"
                              "convert: [age, score]\n"
                              "add: {active: true}\n")
                              .value();
  EXPECT_EQ(
      mapping.apply(R"({"_id":"1","mail":"a@b","age":"36","score":7,"nick":"x","home":{"town":"Brest"}})").value(),
      R"({"_id":"1","age":36,"score":7.0,"email":"a@b","address":{"city":"Brest"},"active":true})");
  EXPECT_EQ(mapping.apply(R"({"_id":"1","mail":"\u00e9\n"})").value(),
            "{\"_id\":\"1\",\"email\":\"é\\n\",\"active\":true}")
      << "what is not there is not made up";
}

TEST(Mappings, refuse_what_has_no_form_in_the_new_type_and_names_that_are_taken) {
  const Mapping mapping = read("convert: [age, score]\nrename: {nick: email, mail: email}\n").value();
  const auto refused = mapping.apply(R"({"_id":"1","mail":"a","nick":"b","age":"young","score":1})");
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused, fails_with(Code::kSchemaValidationFailed));
  EXPECT_THAT(test::violations_of(refused.error()), ElementsAre("email rename", "age convert"));
  EXPECT_TRUE(mapping.apply(R"({"_id":"1","age":"-7"})"));
  for (const char* age : {"01", "1.5", "1e3", "", " 1", "9223372036854775808"})
    EXPECT_FALSE(mapping.apply(std::string(R"({"_id":"1","age":")") + age + "\"}")) << age;
}

TEST(Mappings, say_every_mistake_with_its_place) {
  const auto refused =
      read("rename: {phone: email, mail: [1]}\nremove: [_id, nick]\nconvert: [address]\nmove: {}\nadd: 7\n");
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused, fails_with(Code::kQueryInvalid));
  std::string message;
  for (const ErrorDetail& detail : refused.error().details()) message.append(detail.message).append("\n");
  for (const char* part : {"map.yml:1:10: users v1 has no field phone", "map.yml:2:10: _id cannot change",
                           "map.yml:3:11: address is an object", "map.yml:4:1: \"move\" is not allowed here",
                           "map.yml:5:6: \"add\" must be a map"})
    EXPECT_THAT(message, HasSubstr(part));
  EXPECT_EQ(refused.error().details().size(), 6U);
  EXPECT_THAT(read("- a"), fails_with(Code::kQueryInvalid));
}

}  // namespace
}  // namespace dolmen::document
