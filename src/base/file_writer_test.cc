#include "base/file_writer.h"

#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "base/test_directory.h"
#include "base/test_result.h"
#include "base/test_steps.h"

namespace dolmen {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;

std::string content_of(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

class FileWriterTest : public testing::Test {
 protected:
  TemporaryDirectory folder_;
  const std::string folder_name_ = folder_.path().filename();
  WatchedSteps watched_;
};

TEST_F(FileWriterTest, replaces_a_file_durably) {
  FileWriter().replace(folder_ / "a", "old").value();
  watched_.writer().replace(folder_ / "a", "new").value();
  EXPECT_THAT(watched_.steps, ElementsAre("write a.tmp", "sync a.tmp", "rename a", "sync_folder " + folder_name_));
  EXPECT_EQ(content_of(folder_ / "a"), "new");
  EXPECT_EQ(folder_.files(), 1U);
}

TEST_F(FileWriterTest, keeps_the_old_file_and_no_temporary_one_when_a_replacement_fails) {
  FileWriter().replace(folder_ / "a", "old").value();
  for (int step = 0; step < 4; ++step) {
    const Result<void> replaced = watched_.writer(step).replace(folder_ / "a", "new");
    ASSERT_FALSE(replaced) << step;
    EXPECT_THAT(replaced, fails_with(Code::kNoSpace));
    EXPECT_EQ(content_of(folder_ / "a"), step < 3 ? "old" : "new") << step;
    EXPECT_EQ(folder_.files(), 1U) << step;
  }
}

TEST_F(FileWriterTest, creates_a_file_durably_and_never_replaces_one) {
  EXPECT_TRUE(watched_.writer().create(folder_ / "a", "first", FileWriter::Readers::kOwnerAlone).value());
  EXPECT_THAT(watched_.steps,
              ElementsAre("write a.tmp", "sync a.tmp", "link a", "remove a.tmp", "sync_folder " + folder_name_));
  EXPECT_EQ(fs::status(folder_ / "a").permissions(), fs::perms::owner_read | fs::perms::owner_write);
  EXPECT_FALSE(FileWriter().create(folder_ / "a", "second").value());
  EXPECT_EQ(content_of(folder_ / "a"), "first");
  EXPECT_EQ(folder_.files(), 1U);
}

TEST_F(FileWriterTest, leaves_nothing_of_a_file_that_cannot_be_created) {
  for (int step = 0; step < 3; ++step) {
    ASSERT_FALSE(watched_.writer(step).create(folder_ / "a", "text")) << step;
    EXPECT_EQ(folder_.files(), 0U) << step;
  }
  ASSERT_FALSE(watched_.writer(3).create(folder_ / "a", "text"));
  EXPECT_EQ(content_of(folder_ / "a"), "text") << "what has its name is whole";
  EXPECT_EQ(folder_.files(), 1U);
}

TEST_F(FileWriterTest, names_the_file_and_not_its_temporary_one_when_it_cannot_be_written) {
  const fs::path path = folder_ / "none/a";
  const std::string expected = "cannot create " + path.native() + ": No such file or directory";
  EXPECT_EQ(FileWriter().replace(path, "text").error().message(), expected);
  EXPECT_EQ(FileWriter().create(path, "text").error().message(), expected);
}

TEST_F(FileWriterTest, makes_folders_that_last) {
  watched_.writer().make_folders(folder_ / "a" / "b").value();
  EXPECT_THAT(watched_.steps,
              ElementsAre("make_folder a", "sync_folder " + folder_name_, "make_folder b", "sync_folder a"));
  watched_.writer().make_folders(folder_ / "a" / "b/").value();
  EXPECT_TRUE(watched_.steps.empty());
  // A crash may have come between the making of a folder and its sync.
  watched_.writer().make_folders(folder_.path(), "a").value();
  EXPECT_THAT(watched_.steps, ElementsAre("make_folder a", "sync_folder " + folder_name_));
  FileWriter().replace(folder_ / "file", "").value();
  EXPECT_THAT(FileWriter().make_folders(folder_ / "file" / "c"), fails_with(Code::kDirectoryUnusable));
}

TEST_F(FileWriterTest, reads_whole_files_and_beginnings) {
  const std::string text(200'000, 'x');
  FileWriter().replace(folder_ / "a", text).value();
  EXPECT_EQ(FileWriter::read(folder_ / "a", text.size()).value(), text);
  EXPECT_THAT(FileWriter::read(folder_ / "a", text.size() - 1), fails_with(Code::kDirectoryUnusable));
  EXPECT_EQ(FileWriter::read_start(folder_ / "a", 3).value(), "xxx");
  EXPECT_EQ(FileWriter::read_start(folder_ / "a", std::string::npos).value(), text);
  EXPECT_FALSE(FileWriter::read(folder_.path(), 1));
  fs::create_symlink(folder_ / "a", folder_ / "link");
  EXPECT_FALSE(FileWriter::read(folder_ / "link", text.size()));
}

TEST_F(FileWriterTest, says_when_the_disk_is_full) {
  if (!fs::exists("/dev/full")) GTEST_SKIP() << "this machine has no device that is always full";
  const Result<void> written = FileWriter().write("/dev/full", "text");
  ASSERT_FALSE(written);
  EXPECT_THAT(written, fails_with(Code::kNoSpace));
}

}  // namespace
}  // namespace dolmen
