#include "service/tag_rules.h"

#include <gtest/gtest.h>

#include "base/test_result.h"

namespace dolmen {
namespace {

Result<void> check_one(std::string key, std::string value = "") {
  const Tag tags[] = {{.key = std::move(key), .value = std::move(value)}};
  return check_tags(tags);
}

/// `count` characters of three bytes each.
std::string wide(int count) {
  std::string text;
  for (int i = 0; i < count; ++i) text += "鍵";
  return text;
}

TEST(TagRules, accept_letters_digits_and_spaces_of_any_script) {
  for (const char* key :
       {"a", " leading", "Grüße", "ключ", "鍵", "مفتاح", "٣", "𝒦𝓮𝔂", "a+b-c=d.e_f:g/h@i", "system:x", "aws"})
    EXPECT_THAT(check_one(key, key), succeeds()) << key;
}

TEST(TagRules, refuse_other_characters) {
  for (const char* text : {"#", "a|b", "tab\t", "a,b", "emoji 😀", "e\u0301", "\xFF"}) {
    EXPECT_THAT(check_one(text),
                fails_with(Code::kValidation, std::string("The Tag Key provided is invalid, Key: ") + text));
    EXPECT_THAT(check_one("k", text),
                fails_with(Code::kValidation, std::string("The Tag Value provided is invalid, Value: ") + text));
  }
}

TEST(TagRules, count_characters_and_not_bytes) {
  EXPECT_THAT(check_one(wide(128), wide(256)), succeeds());
  EXPECT_THAT(check_one(wide(129)),
              fails_with(Code::kValidation, "The Tag Key provided is invalid, Key: " + wide(129)));
  EXPECT_THAT(check_one("k", wide(257)),
              fails_with(Code::kValidation, "The Tag Value provided is invalid, Value: " + wide(257)));
  EXPECT_THAT(check_one(""), fails_with(Code::kValidation, "The Tag Key provided is invalid, Key: "));
}

TEST(TagRules, reserve_keys_that_begin_with_aws) {
  for (const std::string key : {"aws:", "aws:x", "AwS:x"})
    EXPECT_THAT(check_one(key), fails_with(Code::kValidation, "Tag Key cannot be prefixed with aws:, Key: " + key));
  EXPECT_THAT(check_one("xaws:x"), succeeds());
}

TEST(TagRules, refuse_a_key_that_is_given_twice) {
  const Tag same[] = {{"a", "1"}, {"b", "2"}, {"a", "1"}};
  EXPECT_THAT(check_tags(same),
              fails_with(Code::kValidation, "Duplicate Tag Keys provided as input: Duplicate Tag Key found a"));
  const Tag other_case[] = {{"a", "1"}, {"A", "2"}};
  EXPECT_THAT(check_tags(other_case), succeeds());
}

}  // namespace
}  // namespace dolmen
