#include "entity/collation.h"

#include <gtest/gtest.h>
#include <random>

#include "base/test_seed.h"

namespace dolmen::entity {
namespace {

/// A text that is not ASCII makes ICU the judge of all of them.
CollationKeys keys_by_icu(std::vector<std::string_view> texts) {
  texts.emplace_back("日");
  return CollationKeys(texts);
}

int sign(int value) { return value < 0 ? -1 : value > 0 ? 1 : 0; }

TEST(Collation, sorts_ascii_as_icu_does) {
  std::mt19937_64 random(test_seed("collation of ASCII"));
  std::vector<std::string> texts;
  for (int c = 0; c < 128; ++c) texts.emplace_back(1, static_cast<char>(c));
  for (int i = 0; i < 400; ++i) {
    std::string text(random() % 6, ' ');
    for (char& c : text) c = static_cast<char>(random() % 128);
    texts.push_back(text);
  }
  const std::vector<std::string_view> views(texts.begin(), texts.end());
  const CollationKeys own(views);
  const CollationKeys icu = keys_by_icu(views);
  for (std::size_t i = 0; i < texts.size(); ++i)
    for (std::size_t j = 0; j < texts.size(); ++j)
      ASSERT_EQ(sign(own[i].compare(own[j])), sign(icu[i].compare(icu[j])))
          << testing::PrintToString(texts[i]) << " and " << testing::PrintToString(texts[j]);
}

TEST(Collation, puts_accents_among_their_letters_and_lower_case_first) {
  const CollationKeys keys({"a", "A", "é", "e", "f", "b"});
  EXPECT_LT(keys[0], keys[1]);
  EXPECT_LT(keys[1], keys[5]);
  EXPECT_LT(keys[3], keys[2]);
  EXPECT_LT(keys[2], keys[4]);
}

}  // namespace
}  // namespace dolmen::entity
