#include "entity/collation.h"

#include <gtest/gtest.h>
#include <random>

#include "base/test_seed.h"

namespace dolmen::entity {
namespace {

struct Collated {
  CollatedTexts texts;
  std::vector<std::uint64_t> first;

  explicit Collated(const std::vector<std::string_view>& all) : texts(all.size()) {
    for (std::size_t i = 0; i < all.size(); ++i) texts.set(i, all[i]);
    first = texts.finish();
  }
};

/// A text that is not ASCII makes ICU the judge of all of them.
Collated by_icu(std::vector<std::string_view> texts) {
  texts.emplace_back("日");
  return Collated(texts);
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
  const Collated own(views);
  const Collated icu = by_icu(views);
  for (std::size_t i = 0; i < texts.size(); ++i)
    for (std::size_t j = 0; j < texts.size(); ++j) {
      SCOPED_TRACE(testing::PrintToString(texts[i]) + " and " + testing::PrintToString(texts[j]));
      const int order = sign(icu.texts.compare(i, j));
      ASSERT_EQ(sign(own.texts.compare(i, j)), order);
      ASSERT_EQ(sign(compare_collated(texts[i], texts[j])), order);
      // What the first bytes say must agree.
      for (const Collated* collated : {&own, &icu})
        if (collated->first[i] != collated->first[j]) {
          ASSERT_EQ(collated->first[i] < collated->first[j] ? -1 : 1, order);
        }
    }
}

TEST(Collation, puts_accents_among_their_letters_and_lower_case_first) {
  const std::vector<std::string_view> views = {"a", "A", "b", "e", "é", "f"};
  const CollatedTexts texts = Collated(views).texts;
  for (std::size_t i = 0; i + 1 < 6; ++i) {
    EXPECT_LT(texts.compare(i, i + 1), 0);
    EXPECT_GT(texts.compare(i + 1, i), 0);
    EXPECT_LT(compare_collated(views[i], views[i + 1]), 0);
  }
}

}  // namespace
}  // namespace dolmen::entity
