#include "relation/page_token.h"

#include <gtest/gtest.h>

#include "base/test_result.h"

namespace dolmen::relation {
namespace {

TEST(PageToken, gives_back_the_position_for_its_own_list_only) {
  const std::string token = make_token("children of a", "b\n\xff");
  EXPECT_EQ(read_token("children of a", token).value(), "b\n\xff");
  EXPECT_THAT(read_token("children of b", token), fails_with(Code::kInvalidPageToken));
}

TEST(PageToken, is_refused_when_any_letter_is_changed_or_missing) {
  const std::string token = make_token("list", "position");
  for (std::size_t i = 0; i < token.size(); ++i) {
    std::string changed = token;
    changed[i] = changed[i] == 'A' ? 'B' : 'A';
    EXPECT_THAT(read_token("list", changed), fails_with(Code::kInvalidPageToken)) << i;
    EXPECT_THAT(read_token("list", token.substr(0, i)), fails_with(Code::kInvalidPageToken)) << i;
  }
  EXPECT_THAT(read_token("list", "not a token"), fails_with(Code::kInvalidPageToken));
}

}  // namespace
}  // namespace dolmen::relation
