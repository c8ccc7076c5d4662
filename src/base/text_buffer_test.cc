#include "base/text_buffer.h"

#include <gtest/gtest.h>

namespace dolmen {
namespace {

TEST(TextBuffer, copies_a_text_of_any_length_and_nothing_beside_it) {
  std::string text;
  for (std::size_t length = 0; length < 70; ++length) {
    std::string out(length + 2, '#');
    EXPECT_EQ(copy_text(out.data() + 1, text), out.data() + 1 + length);
    EXPECT_EQ(out, "#" + text + "#");
    text.push_back(static_cast<char>('0' + length));
  }
}

TEST(TextBuffer, appends_behind_what_the_string_has) {
  std::string out = "before ";
  std::string expected = out;
  {
    TextBuffer buffer(out);
    EXPECT_EQ(buffer.size(), 7U);
    for (int i = 0; i < 1'000; ++i) {
      buffer.append("text");
      buffer.append('.');
      expected += "text.";
    }
    EXPECT_EQ(buffer.size(), expected.size());
  }
  EXPECT_EQ(out, expected);
}

TEST(TextBuffer, drops_what_is_cut_off) {
  std::string out;
  {
    TextBuffer buffer(out);
    buffer.append("one");
    const std::size_t size = buffer.size();
    buffer.append("two");
    buffer.cut(size);
    buffer.append("three");
  }
  EXPECT_EQ(out, "onethree");
}

}  // namespace
}  // namespace dolmen
