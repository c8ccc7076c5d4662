// Backups of whole stores: what comes back, what they share, and what is refused.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/test_result.h"
#include "storage/directory.h"
#include "storage/store_backups.h"
#include "test_support.h"

namespace dolmen::storage {
namespace {

namespace fs = std::filesystem;
using test::kRows;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

void fill(Storage& storage, int first, int count) {
  Batch batch;
  for (int i = first; i < first + count; ++i) batch.put(kRows, "key" + std::to_string(i), std::string(500, 'v'));
  test::must(storage.commit(std::move(batch)));
}

class StoreBackups : public testing::Test {
 protected:
  void SetUp() override {
    storage_ = test::open_store(test::options_for(temp_ / "data"));
    fill(*storage_, 0, 2000);
    fs::create_directories(temp_ / "data" / "metadata" / "schemas");
    write_text(temp_ / "data" / "metadata" / "schemas" / "schema_a_1.json", "{}");
    write_text(temp_ / "data" / "SCHEMAS", "a 1");
  }

  static void write_text(const fs::path& path, std::string_view text) { std::ofstream(path) << text; }
  [[nodiscard]] BackupFolder folder() const { return BackupFolder::open(temp_ / "backups").value(); }
  StoreBackup back_up() { return folder().create(*storage_).value(); }

  std::string last_value(const fs::path& directory, const std::string& key) {
    const auto restored = test::open_store(test::options_for(directory));
    return test::read(*restored, kRows, key).value_or("missing");
  }

  const TemporaryDirectory temp_;
  std::unique_ptr<Storage> storage_;
};

TEST_F(StoreBackups, come_back_as_the_store_was) {
  const StoreBackup first = back_up();
  fill(*storage_, 2000, 1);
  const StoreBackup second = back_up();
  EXPECT_LT(second.new_bytes, first.new_bytes / 2) << "files are shared";
  ASSERT_THAT(folder().restore(first.id, temp_ / "first"), succeeds());
  ASSERT_THAT(folder().restore(second.id, temp_ / "second"), succeeds());
  EXPECT_EQ(last_value(temp_ / "first", "key1999"), std::string(500, 'v'));
  EXPECT_EQ(last_value(temp_ / "first", "key2000"), "missing");
  EXPECT_EQ(last_value(temp_ / "second", "key2000"), std::string(500, 'v'));
  EXPECT_TRUE(fs::exists(temp_ / "second" / "metadata" / "schemas" / "schema_a_1.json"));
  EXPECT_TRUE(fs::exists(temp_ / "second" / "SCHEMAS"));
  EXPECT_FALSE(fs::exists(temp_ / "data" / "backup.tmp"));
}

TEST_F(StoreBackups, keep_the_format_of_the_store) {
  const StoreBackup before = back_up();
  ASSERT_THAT(storage_->mark_sealed(), succeeds());
  const StoreBackup after = back_up();
  ASSERT_THAT(folder().restore(before.id, temp_ / "before"), succeeds());
  ASSERT_THAT(folder().restore(after.id, temp_ / "after"), succeeds());
  EXPECT_EQ(Directory::format_in(temp_ / "before"), kDirectoryFormat);
  EXPECT_EQ(Directory::format_in(temp_ / "after"), kDirectoryFormatSealed);
}

TEST_F(StoreBackups, are_listed_verified_and_pruned) {
  for (int i = 0; i < 3; ++i) {
    fill(*storage_, 3000 + i, 1);
    back_up();
  }
  const auto ids = [&] {
    std::vector<std::uint32_t> found;
    const std::vector<StoreBackup> all = folder().list().value();
    for (const StoreBackup& backup : all) found.push_back(backup.id);
    return found;
  };
  EXPECT_THAT(ids(), ElementsAre(1, 2, 3));
  EXPECT_EQ(folder().newest(), 3U);
  EXPECT_EQ(folder().prune(1), 2U);
  EXPECT_THAT(ids(), ElementsAre(3));
  EXPECT_THAT(folder().verify(3).value(), IsEmpty());
  EXPECT_THAT(folder().verify(1), fails_with(Code::kBackupNotFound));
  ASSERT_THAT(folder().restore(3, temp_ / "restored"), succeeds());
  EXPECT_EQ(last_value(temp_ / "restored", "key3002"), std::string(500, 'v'));
}

TEST_F(StoreBackups, name_every_damaged_or_missing_file_and_write_nothing) {
  const std::uint32_t id = back_up().id;
  storage_.reset();
  const fs::path kept = temp_ / "kept";
  fs::copy(temp_ / "backups", kept, fs::copy_options::recursive);
  std::size_t looked_at = 0;
  for (const auto& entry : fs::recursive_directory_iterator(kept)) {
    const std::string name = entry.path().lexically_relative(kept).generic_string();
    if (!entry.is_regular_file() || name == "DOLMEN-BACKUPS") continue;
    for (const bool remove : {true, false}) {
      SCOPED_TRACE(name + (remove ? " removed" : " damaged"));
      fs::remove(temp_ / "backups" / name);
      if (!remove) write_text(temp_ / "backups" / name, "damaged");
      const Result<std::vector<std::string>> damaged = folder().verify(id);
      if (damaged) {
        EXPECT_THAT(*damaged, testing::Contains(HasSubstr(name)));
      } else {
        EXPECT_EQ(name.find("lists/"), std::string::npos) << damaged.error().message();
      }
      EXPECT_FALSE(folder().restore(id, temp_ / "restored"));
      EXPECT_FALSE(fs::exists(temp_ / "restored"));
      fs::copy_file(entry.path(), temp_ / "backups" / name, fs::copy_options::overwrite_existing);
      ++looked_at;
    }
  }
  EXPECT_GE(looked_at, 12U);
  EXPECT_THAT(folder().verify(id).value(), IsEmpty());
}

TEST_F(StoreBackups, refuse_folders_that_are_something_else) {
  fs::create_directories(temp_ / "other");
  write_text(temp_ / "other" / "file", "text");
  EXPECT_THAT(BackupFolder::open(temp_ / "other"), fails_with(Code::kForeignDirectory));
  const std::uint32_t id = back_up().id;
  EXPECT_THAT(folder().restore(id, temp_ / "other"), fails_with(Code::kForeignDirectory));
  EXPECT_THAT(folder().restore(9, temp_ / "restored"), fails_with(Code::kBackupNotFound));
  EXPECT_THAT(BackupFolder::open(temp_ / "missing").value().newest(), fails_with(Code::kBackupNotFound));
  EXPECT_FALSE(fs::exists(temp_ / "missing"));
}

}  // namespace
}  // namespace dolmen::storage
