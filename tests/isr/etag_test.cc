#include <gtest/gtest.h>

#include "dolmen/isr/etag.h"

namespace dolmen {
namespace {

TEST(ETag, is_made_from_the_body) {
  EXPECT_EQ(strong_etag("test"), "\"9f86d081884c7d659a2feaa0c55ad015\"");
  EXPECT_EQ(weak_etag("test"), "W/\"9f86d081884c7d659a2feaa0c55ad015\"");
  EXPECT_NE(strong_etag("a"), strong_etag("b"));
  EXPECT_TRUE(is_etag(strong_etag("")));
}

TEST(ETag, has_quotes_and_no_spaces) {
  for (const char* tag : {"\"\"", "\"a\"", "W/\"a,b\"", "\"!#~\"", "\"\xc3\xa9\""}) EXPECT_TRUE(is_etag(tag)) << tag;
  for (const char* text : {"", "a", "\"a", "a\"", "w/\"a\"", "\"a b\"", "\"a\"b\"", "W/", "*", "\"a\" "})
    EXPECT_FALSE(is_etag(text)) << text;
}

TEST(ETag, hits_if_none_match_whether_weak_or_strong) {
  EXPECT_TRUE(none_match_hits("\"a\"", "\"a\""));
  EXPECT_TRUE(none_match_hits("W/\"a\"", "\"a\""));
  EXPECT_TRUE(none_match_hits("\"a\"", "W/\"a\""));
  EXPECT_TRUE(none_match_hits("\"x\",\t\"y,z\" , W/\"a\"", "\"a\""));
  EXPECT_TRUE(none_match_hits(" * ", "\"a\""));
  EXPECT_TRUE(none_match_hits(", \"a\",,", "\"a\""));
  EXPECT_FALSE(none_match_hits("\"b\"", "\"a\""));
  EXPECT_FALSE(none_match_hits("", "\"a\""));
  EXPECT_FALSE(none_match_hits("\"y,\"a\"", "\"a\""));
  EXPECT_FALSE(none_match_hits("\"a\" \"b\"", "\"a\""));
  EXPECT_FALSE(none_match_hits("*", "no tag"));
}

TEST(ETag, holds_if_match_only_when_both_are_strong) {
  EXPECT_TRUE(match_holds("\"b\", \"a\"", "\"a\""));
  EXPECT_TRUE(match_holds("*", "W/\"a\""));
  EXPECT_FALSE(match_holds("W/\"a\"", "W/\"a\""));
  EXPECT_FALSE(match_holds("\"a\"", "W/\"a\""));
  EXPECT_FALSE(match_holds("\"b\"", "\"a\""));
}

}  // namespace
}  // namespace dolmen
