#include "wire/patterns.h"

#include <gtest/gtest.h>
#include <set>
#include <string>

#include "wire/service_model.h"

namespace dolmen::wire {
namespace {

/// Every pattern of a shape and of what it is made of.
void collect_patterns(const Shape& shape, std::set<std::string_view>& patterns, std::set<const Shape*>& seen) {
  if (!seen.insert(&shape).second) return;
  if (!shape.pattern.empty()) patterns.insert(shape.pattern);
  for (const Shape* part : {shape.element, shape.key})
    if (part != nullptr) collect_patterns(*part, patterns, seen);
  for (const Member& member : shape.members) collect_patterns(*member.shape, patterns, seen);
}

TEST(Patterns, all_of_the_service_model_are_implemented) {
  std::set<std::string_view> patterns;
  std::set<const Shape*> seen;
  for (const ModelOperation& operation : model_operations()) collect_patterns(*operation.input, patterns, seen);
  EXPECT_GE(patterns.size(), 9U);
  for (const std::string_view pattern : patterns) EXPECT_TRUE(is_known_pattern(pattern)) << pattern;
}

TEST(Patterns, match_whole_texts_and_nothing_else) {
  struct Case {
    std::string_view pattern;
    std::string_view good;
    std::string_view bad;
  };
  const Case cases[] = {
      {"[a-zA-Z0-9_.-]+", "a_B.9-", "a b"},
      {R"(^[a-z0-9A-Z]+[\.\-\w]*[a-z0-9A-Z]+$)", "my.bucket-1", "-bucket"},
      {R"(^[a-z0-9A-Z]+[\.\-\w]*[a-z0-9A-Z]+$)", "ab", "a"},
      {"[0-9]{12}", "123456789012", "12345678901"},
      {R"(^[^\$]+$)", "token", "to$ken"},
      {R"([,;:|\t ])", "\t", ",,"},
      {R"([\x20-\x21\x23-\x2B\x2D-\x7E]*)", "name", "a,b"},
      {R"([\x20-\x21\x23-\x2B\x2D-\x7E]*)", "", "\""},
      {"([0-9a-f]{16})+", "0123456789abcdef", "0123456789abcdeF"},
      {R"(\p{Print}+)", "policy 1", "policy\n"},
      {R"([\u0020-\uD7FF\uE000-\uFFFD\uD800\uDC00-\uDBFF\uDFFF\r\n\t]*)", "arn:\xC3\xA9", "\x01"},
  };
  for (const Case& one : cases) {
    EXPECT_TRUE(matches_pattern(one.pattern, one.good)) << one.pattern << " " << one.good;
    EXPECT_FALSE(matches_pattern(one.pattern, one.bad)) << one.pattern << " " << one.bad;
  }
}

}  // namespace
}  // namespace dolmen::wire
