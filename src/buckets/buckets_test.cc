#include <gtest/gtest.h>
#include <string>

#include "base/test_directory.h"
#include "base/test_result.h"
#include "buckets/bucket_listing.h"
#include "buckets/folder_mirror.h"
#include "objects/bucket_folders.h"

namespace dolmen {
namespace {

std::string listing_of(std::string_view key, std::string_view size = "7",
                       std::string_view modified = "2026-11-16T10:00:00.000Z") {
  return std::string("<ListBucketResult><EncodingType>url</EncodingType><Contents><Key>")
      .append(key)
      .append("</Key><Size>")
      .append(size)
      .append("</Size><LastModified>")
      .append(modified)
      .append("</LastModified></Contents></ListBucketResult>");
}

TEST(BucketListing, has_the_objects_with_their_decoded_keys) {
  const Result<BucketListing> listing = read_bucket_listing(listing_of("a+b%2Bc/%C3%A9"));
  ASSERT_THAT(listing, succeeds());
  ASSERT_EQ(listing->objects.size(), 1U);
  EXPECT_EQ(listing->objects[0].key, "a b+c/\xC3\xA9");
  EXPECT_EQ(listing->objects[0].bytes, 7U);
  EXPECT_EQ(listing->next, "");
}

TEST(BucketListing, is_refused_when_an_object_lacks_its_key_size_or_time) {
  for (const std::string& text :
       {listing_of(""), listing_of("%zz"), listing_of("a", ""), listing_of("a", "-1"), listing_of("a", "7", "")})
    EXPECT_THAT(read_bucket_listing(text), fails_with(Code::kUnexpectedResponse)) << text;
}

TEST(FolderMirror, begins_with_an_empty_folder_when_the_bucket_is_empty) {
  const TemporaryDirectory directory;
  std::filesystem::create_directory(directory / "b");
  const std::shared_ptr<ObjectStore> bucket = open_bucket_folders(directory.path()).value()->open("b").value();
  const auto mirror = FolderMirror::open(bucket, "backups/", [](std::string_view) { return true; });
  ASSERT_THAT(mirror, succeeds());
  EXPECT_TRUE(std::filesystem::is_empty((*mirror)->folder()));
  ASSERT_THAT(FileWriter().write((*mirror)->folder() / "new", "content"), succeeds());
  ASSERT_THAT((*mirror)->put_new([](std::vector<std::string>&) {}), succeeds());
  EXPECT_THAT(bucket->read("backups/new", 0, 100), holds("content"));
}

}  // namespace
}  // namespace dolmen
