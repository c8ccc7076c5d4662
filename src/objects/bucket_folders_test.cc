#include "objects/bucket_folders.h"

#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/test_directory.h"
#include "base/test_result.h"
#include "base/test_steps.h"

namespace dolmen {
namespace {

using testing::ElementsAre;

class BucketFolders : public testing::Test {
 protected:
  BucketFolders() { std::filesystem::create_directories(root_ / "b"); }

  std::shared_ptr<ObjectStore> open(FileWriter files = FileWriter()) {
    return open_bucket_folders(root_, std::move(files)).value()->open("b").value();
  }
  static std::vector<std::string> keys(const Result<std::vector<ObjectInfo>>& listed) {
    std::vector<std::string> found;
    for (const ObjectInfo& object : listed.value()) found.push_back(object.key);
    return found;
  }

  TemporaryDirectory folder_;
  const std::filesystem::path root_ = folder_.path() / "buckets";
};

TEST_F(BucketFolders, keep_objects_as_files) {
  const auto bucket = open();
  ASSERT_THAT(bucket->put("in/a", "hello"), succeeds());
  EXPECT_EQ(FileWriter::read(root_ / "b" / "in" / "a", 100), "hello");
  EXPECT_EQ(open()->read("in/a", 0, 100), "hello");
  EXPECT_EQ(bucket->read("in/a", 1, 3), "ell");
  EXPECT_EQ(bucket->read("in/a", 5, 1), "");
  EXPECT_EQ(bucket->read("in/a", 9, 3), "");
  ASSERT_THAT(bucket->put("in/a", ""), succeeds());
  EXPECT_EQ(bucket->read("in/a", 0, 100), "");
  ASSERT_THAT(bucket->remove("in/a"), succeeds());
  EXPECT_THAT(bucket->read("in/a", 0, 1), fails_with(Code::kObjectNotFound, "there is no object in/a"));
  EXPECT_THAT(bucket->remove("in/a"), succeeds());
}

TEST_F(BucketFolders, have_no_object_where_a_folder_is_or_below_a_file) {
  const auto bucket = open();
  ASSERT_THAT(bucket->put("in/a", "hello"), succeeds());
  for (const char* key : {"in", "in/b", "none/a", "in/a/b"})
    EXPECT_THAT(bucket->read(key, 0, 1), fails_with(Code::kObjectNotFound)) << key;
}

TEST_F(BucketFolders, list_objects_in_the_order_of_their_keys) {
  const auto bucket = open();
  const auto before = std::chrono::system_clock::now() - std::chrono::hours(1);
  for (const char* key : {"in/b", "in/a/2", "in/a/1", "in-1", "other"})
    ASSERT_THAT(bucket->put(key, "four"), succeeds()) << key;
  EXPECT_THAT(keys(bucket->list("")), ElementsAre("in-1", "in/a/1", "in/a/2", "in/b", "other"));
  EXPECT_THAT(keys(bucket->list("in")), ElementsAre("in-1", "in/a/1", "in/a/2", "in/b"));
  EXPECT_THAT(keys(bucket->list("in/a/")), ElementsAre("in/a/1", "in/a/2"));
  EXPECT_THAT(keys(bucket->list("in/a/2")), ElementsAre("in/a/2"));
  for (const ObjectInfo& object : bucket->list("").value()) {
    EXPECT_EQ(object.bytes, 4U);
    EXPECT_GT(object.modified_at, before);
  }
}

TEST_F(BucketFolders, list_nothing_where_there_is_no_folder) {
  const auto bucket = open();
  ASSERT_THAT(bucket->put("file", "x"), succeeds());
  EXPECT_THAT(keys(bucket->list("none/")), ElementsAre());
  EXPECT_THAT(keys(bucket->list("file/")), ElementsAre());
  EXPECT_THAT(bucket->list("../"), fails_with(Code::kInvalidArgument));
}

TEST_F(BucketFolders, list_neither_links_nor_what_is_not_finished) {
  const auto bucket = open();
  ASSERT_THAT(bucket->put("whole", "x"), succeeds());
  std::ofstream(root_ / "b" / "half.tmp") << "x";
  std::filesystem::create_symlink(root_ / "b" / "whole", root_ / "b" / "link");
  EXPECT_THAT(keys(bucket->list("")), ElementsAre("whole"));
}

TEST_F(BucketFolders, stay_inside_of_themselves) {
  std::filesystem::create_directory_symlink(folder_.path(), root_ / "b" / "out");
  std::filesystem::create_directory_symlink(folder_.path(), root_ / "linked");
  std::ofstream(root_ / "file") << "x";
  const std::unique_ptr<Buckets> buckets = open_bucket_folders(root_).value();
  for (const char* name : {"", ".", "..", "b/..", "none", "../buckets", "file"})
    EXPECT_THAT(buckets->open(name), fails_with(Code::kBucketNotFound)) << name;
  EXPECT_THAT(buckets->open("linked"), fails_with(Code::kAccessDenied));
  const auto bucket = open();
  for (const char* key : {"", "../x", "in/../../x", "/x", "in//x", "in/."})
    EXPECT_THAT(bucket->put(key, "x"), fails_with(Code::kInvalidArgument)) << key;
  EXPECT_THAT(bucket->put("out/x", "x"), fails_with(Code::kAccessDenied));
  EXPECT_THAT(bucket->read("out/x", 0, 1), fails_with(Code::kAccessDenied));
  EXPECT_THAT(bucket->remove("out/x"), fails_with(Code::kAccessDenied));
  EXPECT_THAT(bucket->list("out/"), fails_with(Code::kAccessDenied));
  EXPECT_EQ(folder_.files(), 1U);
}

TEST_F(BucketFolders, refuse_keys_that_are_too_long_for_a_file) {
  const auto bucket = open();
  // While it is written, a file has a longer name.
  const std::string longest(251, 'x');
  ASSERT_THAT(bucket->put(longest, "x"), succeeds());
  EXPECT_THAT(keys(bucket->list("")), ElementsAre(longest));
  EXPECT_THAT(bucket->put(std::string(252, 'x'), "x"), fails_with(Code::kInvalidArgument));
  const std::string folder(255, 'f');
  EXPECT_THAT(bucket->put(folder + "/a", "x"), succeeds());
  EXPECT_EQ(bucket->read(folder + "/a", 0, 1), "x");
  EXPECT_THAT(bucket->read(std::string(255, 'x'), 0, 1), fails_with(Code::kObjectNotFound));
  EXPECT_THAT(bucket->put(std::string(256, 'f') + "/a", "x"), fails_with(Code::kInvalidArgument));
  EXPECT_THAT(bucket->read(std::string(256, 'x'), 0, 1), fails_with(Code::kInvalidArgument));
}

TEST_F(BucketFolders, leave_the_old_object_when_a_new_one_cannot_be_written) {
  ASSERT_THAT(open()->put("in/a", "old"), succeeds());
  WatchedSteps watched;
  ASSERT_THAT(open(watched.writer())->put("in/a", "old"), succeeds());
  const auto steps = static_cast<int>(watched.steps.size());
  ASSERT_GT(steps, 3);
  // The last step makes the name of the new file durable.
  for (int step = 0; step < steps - 1; ++step) {
    EXPECT_THAT(open(watched.writer(step))->put("in/a", "new"), fails_with(Code::kNoSpace)) << step;
    EXPECT_EQ(open()->read("in/a", 0, 100), "old") << step;
    EXPECT_EQ(folder_.files(), 1U) << step;
  }
}

TEST_F(BucketFolders, need_a_folder) {
  std::ofstream(folder_.path() / "file") << "x";
  for (const char* name : {"none", "file"})
    EXPECT_THAT(open_bucket_folders(folder_.path() / name), fails_with(Code::kDirectoryUnusable)) << name;
}

}  // namespace
}  // namespace dolmen
