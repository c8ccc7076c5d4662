#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/test_result.h"
#include "objects/object_store.h"

namespace dolmen {
namespace {

using testing::ElementsAre;

TEST(ObjectKey, has_the_parts_between_its_slashes) {
  EXPECT_THAT(object_key_parts("a"), holds(ElementsAre("a")));
  EXPECT_THAT(object_key_parts("a/b c/..d"), holds(ElementsAre("a", "b c", "..d")));
  EXPECT_THAT(object_key_parts("\xc3\xa9/#"), holds(ElementsAre("\xc3\xa9", "#")));
}

TEST(ObjectKey, is_of_1_to_1024_bytes_of_text) {
  EXPECT_THAT(object_key_parts(std::string(1024, 'x')), succeeds());
  for (const std::string& key : {std::string(), std::string(1025, 'x'), std::string("\xff"), std::string("a\0b", 3)})
    EXPECT_THAT(object_key_parts(key),
                fails_with(Code::kInvalidArgument, "the key of an object must be 1 to 1024 bytes of UTF-8"))
        << key;
}

TEST(ObjectKey, has_no_part_that_leads_elsewhere) {
  for (const char* key : {".", "..", "./a", "a/../b", "a/.", "a/.."}) {
    EXPECT_THAT(object_key_parts(key), fails_with(Code::kInvalidArgument)) << key;
    EXPECT_THAT(object_key_parts(key, true), fails_with(Code::kInvalidArgument)) << key;
  }
}

TEST(ObjectKey, has_empty_parts_only_where_they_are_allowed) {
  for (const char* key : {"/", "/a", "a/", "a//b"})
    EXPECT_THAT(object_key_parts(key), fails_with(Code::kInvalidArgument)) << key;
  EXPECT_THAT(object_key_parts("/a//b/", true), holds(ElementsAre("", "a", "", "b", "")));
}

}  // namespace
}  // namespace dolmen
