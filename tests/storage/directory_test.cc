#include "storage/directory.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "base/test_result.h"
#include "base/test_steps.h"
#include "test_support.h"

namespace dolmen::storage {
namespace {

using test::picture_of;
using test::write_content;
using testing::AllOf;
using testing::HasSubstr;

std::filesystem::path make_finished(const std::filesystem::path& path) {
  Directory directory = test::must(Directory::open(path));
  test::must(directory.begin_creation());
  std::filesystem::create_directory(directory.database());
  test::must(directory.finish_creation());
  return path;
}

/// Expects that `path` is refused with `code`, by a message that holds all of `parts`, and is left as it was.
void expect_refused(const std::filesystem::path& path, const std::filesystem::path& watched, Code code,
                    std::initializer_list<std::string> parts) {
  const auto before = picture_of(watched);
  const Result<Directory> refused = Directory::open(path);
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused, fails_with(code));
  for (const std::string& part : parts) EXPECT_THAT(refused.error().message(), HasSubstr(part));
  EXPECT_EQ(picture_of(watched), before);
}

TEST(Directory, is_created_with_the_ones_above_it) {
  const TemporaryDirectory temp;
  for (const auto* name : {"a/b/c", "d/"}) {
    const auto directory = test::must(Directory::open(temp / name));
    EXPECT_TRUE(directory.is_new());
    EXPECT_TRUE(std::filesystem::is_directory(temp / name));
  }
}

TEST(Directory, may_be_empty) {
  const TemporaryDirectory temp;
  EXPECT_TRUE(test::must(Directory::open(temp.path())).is_new());
}

TEST(Directory, is_marked_with_the_format_of_its_data) {
  const TemporaryDirectory temp;
  make_finished(temp / "data");
  EXPECT_EQ(test::file_content(temp / "data/DOLMEN"), "dolmen data directory, format 1\n");
  EXPECT_FALSE(std::filesystem::exists(temp / "data/DOLMEN.new"));
  EXPECT_FALSE(test::must(Directory::open(temp / "data")).is_new());
}

TEST(Directory, is_synced_at_each_step_of_its_creation) {
  const TemporaryDirectory temp;
  WatchedSteps watched;
  Directory directory = test::must(Directory::open(temp / "data", watched.writer()));
  test::must(directory.begin_creation());
  test::must(directory.finish_creation());
  EXPECT_THAT(watched.steps, testing::ElementsAre("make_folder data", "sync_folder " + temp.path().filename().string(),
                                                  "write DOLMEN.new", "sync DOLMEN.new", "sync_folder data",
                                                  "rename DOLMEN", "sync_folder data"));
  const FileWriter files = watched.writer();
  test::must(Directory::mark(temp.path(), files));
  EXPECT_THAT(watched.steps, testing::ElementsAre("write DOLMEN.tmp", "sync DOLMEN.tmp", "rename DOLMEN",
                                                  "sync_folder " + temp.path().filename().string()));
}

TEST(Directory, starts_again_after_its_creation_was_interrupted_at_any_point) {
  const std::string marker = "dolmen data directory, format 1\n";
  for (std::size_t written = 0; written <= marker.size(); ++written) {
    const TemporaryDirectory temp;
    write_content(temp / "DOLMEN.new", marker.substr(0, written));
    if (written == marker.size()) {
      std::filesystem::create_directory(temp / "rocksdb");
      write_content(temp / "rocksdb/CURRENT", "half");
      write_content(temp / "SEAL", "MANIFEST-000005 100 0123456789abcdef\n");
      write_content(temp / "SEAL.tmp", "MANIF");
    }
    Directory directory = test::must(Directory::open(temp.path()));
    ASSERT_TRUE(directory.is_new());
    test::must(directory.begin_creation());
    EXPECT_FALSE(std::filesystem::exists(temp / "rocksdb"));
    test::must(directory.finish_creation());
    EXPECT_FALSE(directory.is_new());
  }
}

TEST(Directory, that_holds_something_else_is_refused_and_the_message_says_what_it_holds) {
  const TemporaryDirectory temp;
  write_content(temp / "letter.txt", "dear");
  std::filesystem::create_directory(temp / "photos");
  expect_refused(temp.path(), temp.path(), Code::kForeignDirectory,
                 {temp.path(), "letter.txt, photos", "no DOLMEN file"});
}

TEST(Directory, that_holds_much_else_is_refused_with_a_short_message) {
  const TemporaryDirectory temp;
  for (char name = 'a'; name <= 'z'; ++name) write_content(temp / std::string(1, name), "");
  expect_refused(temp.path(), temp.path(), Code::kForeignDirectory, {"holds a, b, c, d, e, ..."});
}

TEST(Directory, with_a_database_but_no_marker_is_refused) {
  const TemporaryDirectory temp;
  make_finished(temp / "data");
  std::filesystem::remove(temp / "data/DOLMEN");
  expect_refused(temp / "data", temp.path(), Code::kForeignDirectory, {"rocksdb"});
}

TEST(Directory, with_somebody_elses_file_of_the_same_name_is_refused) {
  for (const auto* name : {"DOLMEN", "DOLMEN.new"}) {
    for (const auto* text : {"the stones of Carnac\n", "dolmen data directory, format x\n"}) {
      const TemporaryDirectory temp;
      write_content(temp / name, text);
      expect_refused(temp.path(), temp.path(), Code::kForeignDirectory, {temp.path()});
    }
  }
}

TEST(Directory, of_another_format_is_refused_and_the_message_names_both) {
  const TemporaryDirectory temp;
  make_finished(temp / "data");
  write_content(temp / "data/DOLMEN", "dolmen data directory, format 27\n");
  expect_refused(temp / "data", temp.path(), Code::kFormatVersion, {"format 27", "formats 1 to 2"});
}

TEST(Directory, can_be_open_only_once) {
  const TemporaryDirectory temp;
  make_finished(temp / "data");
  {
    const auto first = test::must(Directory::open(temp / "data"));
    std::filesystem::create_symlink(temp / "data", temp / "other-name");
    expect_refused(temp / "data", temp.path(), Code::kDirectoryInUse, {temp / "data", "in use"});
    expect_refused(temp / "other-name", temp.path(), Code::kDirectoryInUse, {"other-name"});
  }
  EXPECT_TRUE(Directory::open(temp / "data"));
}

TEST(Directory, cannot_be_a_file_or_below_one) {
  const TemporaryDirectory temp;
  write_content(temp / "file", "text");
  expect_refused(temp / "file", temp.path(), Code::kDirectoryUnusable, {temp / "file", "Not a directory"});
  expect_refused(temp / "file/data", temp.path(), Code::kDirectoryUnusable, {temp / "file/data", "Not a directory"});
}

TEST(Directory, cannot_be_where_none_can_be_created) {
  const Result<Directory> refused = Directory::open("/proc/dolmen");
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused, fails_with(Code::kDirectoryUnusable));
  EXPECT_THAT(refused.error().message(), AllOf(HasSubstr("/proc/dolmen"), HasSubstr("cannot create")));
}

/// Gives up root's power to write everywhere, for a while.
class AsNobody {
 public:
  AsNobody() : user_(::geteuid()) { EXPECT_EQ(user_ == 0 ? ::seteuid(65534) : 0, 0); }
  ~AsNobody() { EXPECT_EQ(::seteuid(user_), 0); }

 private:
  const uid_t user_;
};

TEST(Directory, cannot_be_one_that_cannot_be_written) {
  namespace fs = std::filesystem;
  const TemporaryDirectory temp;
  fs::permissions(temp.path(), fs::perms::owner_all | fs::perms::group_exec | fs::perms::others_exec);
  make_finished(temp / "data");
  make_finished(temp / "data-with-locked-database");
  const auto read_only =
      fs::perms::owner_read | fs::perms::owner_exec | fs::perms::others_read | fs::perms::others_exec;
  fs::permissions(temp / "data", read_only);
  fs::permissions(temp / "data-with-locked-database", fs::perms::all);
  fs::permissions(temp / "data-with-locked-database/rocksdb", read_only);
  for (const auto* name : {"data", "data-with-locked-database"}) {
    const AsNobody nobody;
    const Result<Directory> refused = Directory::open(temp / name);
    ASSERT_FALSE(refused);
    EXPECT_THAT(refused, fails_with(Code::kDirectoryUnusable));
    EXPECT_THAT(refused.error().message(), AllOf(HasSubstr(temp / name), HasSubstr("Permission denied")));
  }
}

TEST(Directory, says_that_the_disk_is_full_when_it_is) {
  EXPECT_EQ(file_error(ENOSPC, "write", "x").code(), Code::kNoSpace);
  EXPECT_EQ(file_error(EDQUOT, "write", "x").code(), Code::kNoSpace);
  EXPECT_EQ(file_error(EACCES, "write", "x").code(), Code::kDirectoryUnusable);
  EXPECT_EQ(file_error(EACCES, "write", "x").message(), "cannot write x: Permission denied");
}

TEST(Directory, that_got_its_marker_later_opens_as_a_finished_one) {
  const TemporaryDirectory temp;
  std::filesystem::create_directory(temp / "rocksdb");
  test::must(Directory::mark(temp.path(), FileWriter()));
  EXPECT_FALSE(test::must(Directory::open(temp.path())).is_new());
}

TEST(Directory, whose_marking_was_interrupted_is_refused_rather_than_emptied) {
  const TemporaryDirectory temp;
  std::filesystem::create_directory(temp / "rocksdb");
  write_content(temp / "DOLMEN.tmp", "dolmen data directory, format 1\n");
  expect_refused(temp.path(), temp.path(), Code::kForeignDirectory, {});
}

}  // namespace
}  // namespace dolmen::storage
