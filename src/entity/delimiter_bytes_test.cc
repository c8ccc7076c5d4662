#include "entity/delimiter_bytes.h"

#include <gtest/gtest.h>
#include <string>
#include <string_view>
#include <vector>

namespace dolmen::entity {
namespace {

TEST(DelimiterBytes, are_found_anywhere_in_texts_of_every_length) {
  const DelimiterBytes delimiters({'|', '#', '\x80'});
  for (std::size_t size = 0; size <= 50; ++size) {
    // In memory of exactly this size, so that AddressSanitizer notices when more is read.
    std::vector<char> text(size, 'a');
    const std::string_view view(text.data(), size);
    EXPECT_FALSE(delimiters.any_in(view)) << size;
    for (std::size_t at = 0; at < size; ++at)
      for (const char delimiter : {'|', '#', '\x80'}) {
        text[at] = delimiter;
        EXPECT_TRUE(delimiters.any_in(view)) << size << " " << at;
        text[at] = 'a';
      }
  }
}

TEST(DelimiterBytes, are_not_confused_with_similar_bytes) {
  const DelimiterBytes delimiters({'|', '#', '!'});
  for (const char other : {'\0', '{', '}', '"', '$', ' ', '\xFC', '\xA3'})
    for (std::size_t size = 1; size <= 40; ++size) EXPECT_FALSE(delimiters.any_in(std::string(size, other))) << other;
}

}  // namespace
}  // namespace dolmen::entity
