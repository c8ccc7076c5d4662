// Backups of tables, and tables that are restored from them.
#include <filesystem>
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/test_directory.h"
#include "base/test_result.h"
#include "test_tables.h"

namespace dolmen::engine {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

/// In memory or on disk.
class Backups : public testing::TestWithParam<bool> {
 protected:
  void SetUp() override {
    open();
    ASSERT_THAT(create_table(*service_, with_early_index("things")), succeeds());
    ASSERT_THAT(create_table(*service_, with_early_index("others")), succeeds());
    fill_coloured(*service_, "things", 1500);
    fill_coloured(*service_, "others", 100);
  }

  void open() {
    service_.reset();
    service_ = open_engine_with({.clock = &clock_}, {.directory = GetParam() ? temp_ / "data" : ""});
  }
  Result<BackupDetails> back_up(const std::string& table, const std::string& name = "nightly") {
    clock_.advance(std::chrono::seconds(1));
    return call<CreateBackup>(*service_, {.table = table, .name = name});
  }
  Result<TableDescription> restore(const std::string& arn, const std::string& target) {
    return call<RestoreTableFromBackup>(*service_, {.backup_arn = arn, .target = target});
  }
  std::vector<std::string> names(ListBackupsOptions options = {}) {
    std::vector<std::string> found;
    const BackupPage page = call<ListBackups>(*service_, std::move(options)).value();
    for (const BackupSummary& backup : page.backups) found.push_back(backup.details.name);
    return found;
  }

  const TemporaryDirectory temp_;
  FixedClock clock_;
  std::unique_ptr<Service> service_;
};

TEST_P(Backups, are_the_table_at_one_moment_and_outlive_it) {
  const std::vector<Item> before = scan_all(*service_, "things");
  const Extent extent = describe_table(*service_, "things").value().extent;
  const BackupDetails made = back_up("things").value();
  EXPECT_EQ(made.status, BackupStatus::kCreating);
  EXPECT_EQ(made.size_bytes, extent.size_bytes);
  ASSERT_THAT(call(*service_, put("things", coloured(5000, 4))), succeeds());
  ASSERT_THAT(delete_table(*service_, "things"), succeeds());
  const BackupDescription backup = call<DescribeBackup>(*service_, {.arn = made.arn}).value();
  EXPECT_EQ(backup.details.status, BackupStatus::kAvailable);
  EXPECT_EQ(backup.extent, extent);
  EXPECT_EQ(backup.definition.name, "things");
  ASSERT_THAT(restore(made.arn, "again"), succeeds());
  const TableDescription table = await_table(*service_, "again", has_active_indexes);
  EXPECT_EQ(table.extent, extent);
  EXPECT_EQ(scan_all(*service_, "again"), before);
  EXPECT_EQ(scan_all(*service_, "again", "early").size(), table.global_index_states.at(0).extent.item_count);
}

TEST_P(Backups, are_listed_in_the_order_in_which_they_were_made) {
  std::vector<BackupDetails> made;
  for (const char* name : {"one", "two", "three"}) made.push_back(back_up("things", name).value());
  made.push_back(back_up("others", "four").value());
  EXPECT_THAT(names(), ElementsAre("one", "two", "three", "four"));
  EXPECT_THAT(names({.of_table = "things"}), ElementsAre("one", "two", "three"));
  EXPECT_THAT(names({.of_table = "nothing"}), IsEmpty());
  EXPECT_THAT(names({.from = made[1].created, .until = made[2].created}), ElementsAre("two"));
  EXPECT_THAT(names({.after = made[1].arn}), ElementsAre("three", "four"));
  EXPECT_THAT(names({.type = BackupType::kSystem}), IsEmpty());
  const BackupPage first = call<ListBackups>(*service_, {.limit = 2}).value();
  EXPECT_EQ(first.last_arn, made[1].arn);
  const BackupPage second = call<ListBackups>(*service_, {.limit = 2, .after = first.last_arn}).value();
  EXPECT_THAT(second.backups, SizeIs(2));
  EXPECT_FALSE(second.last_arn);
  EXPECT_THAT(call<ListBackups>(*service_, {.from = made[1].created, .until = made[0].created}),
              fails_with(Code::kValidation));
}

TEST_P(Backups, go_when_they_are_deleted) {
  const std::string arn = back_up("things").value().arn;
  EXPECT_EQ(call<DeleteBackup>(*service_, {.arn = arn}).value().details.status, BackupStatus::kDeleted);
  EXPECT_THAT(call<DeleteBackup>(*service_, {.arn = arn}),
              fails_with(Code::kBackupNotFound, "Backup not found: " + arn));
  EXPECT_THAT(restore(arn, "again"), fails_with(Code::kBackupNotFound));
  EXPECT_THAT(names(), IsEmpty());
  EXPECT_TRUE(!GetParam() || std::filesystem::is_empty(temp_ / "data" / "copies"));
}

TEST_P(Backups, of_a_deleted_table_with_a_history_are_made_by_the_system) {
  ASSERT_THAT(call<UpdateContinuousBackups>(*service_, {.table = "others", .change = {}}), succeeds());
  const std::vector<Item> before = scan_all(*service_, "others");
  ASSERT_THAT(delete_table(*service_, "others"), succeeds());
  EXPECT_THAT(names(), IsEmpty());
  const BackupPage page = call<ListBackups>(*service_, {.type = BackupType::kSystem}).value();
  ASSERT_THAT(page.backups, SizeIs(1));
  const BackupDetails& backup = page.backups[0].details;
  EXPECT_EQ(backup.name, "others$DeletedTableBackup");
  EXPECT_TRUE(backup.arn.ends_with("-00000000"));
  EXPECT_EQ(backup.expires, backup.created + std::chrono::days(35));
  EXPECT_THAT(
      call<DeleteBackup>(*service_, {.arn = backup.arn}),
      fails_with(Code::kValidation, "Invalid Request: User is not allowed to delete the system backup with arn " +
                                        backup.arn + ". It will automatically expire on 2027-02-19T08:00:00Z"));
  ASSERT_THAT(restore(backup.arn, "others"), succeeds());
  await_table(*service_, "others", has_active_indexes);
  EXPECT_EQ(scan_all(*service_, "others"), before);
}

TEST_P(Backups, refuse_what_dynamodb_refuses) {
  const auto describe = [&](const std::string& arn) { return call<DescribeBackup>(*service_, {.arn = arn}); };
  EXPECT_THAT(back_up("nothing"), fails_with(Code::kSourceTableNotFound, "Table not found: nothing"));
  EXPECT_THAT(back_up("things", "a b"), fails_with(Code::kValidation));
  EXPECT_THAT(describe("junk"), fails_with(Code::kValidation, "Invalid Backup ARN"));
  EXPECT_THAT(describe("arn:aws:dynamodb:us-east-1:000000000000:table/things"),
              fails_with(Code::kValidation, "Invalid Backup ARN"));
  EXPECT_THAT(describe("arn:aws:dynamodb:us-east-1:111111111111:table/things/backup/01-2"),
              fails_with(Code::kAccessDenied, "Access is denied"));
  EXPECT_THAT(describe("arn:aws:s3:us-east-1:000000000000:table/things/backup/01-2"),
              fails_with(Code::kValidation, "Invalid Request: BackupArn is not valid"));
  const std::string arn = back_up("things").value().arn;
  EXPECT_THAT(restore(arn, "others"), fails_with(Code::kTargetTableExists, "Table already exists: others"));
}

INSTANTIATE_TEST_SUITE_P(Kinds, Backups, testing::Bool(),
                         [](const auto& kind) { return kind.param ? "on_disk" : "in_memory"; });

/// The files of a copy, by their paths.
std::vector<std::filesystem::path> files_below(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> found;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder))
    if (entry.is_regular_file() && entry.path().filename() != "LOCK") found.push_back(entry.path());
  return found;
}

void flip_a_byte(const std::filesystem::path& path) {
  // The file may be one of the store itself, too: the damaged one must be a copy.
  const std::filesystem::path copy = path.string() + ".copy";
  std::filesystem::copy_file(path, copy);
  std::fstream file(copy, std::ios::in | std::ios::out | std::ios::binary);
  const auto size = std::filesystem::file_size(copy);
  file.seekg(static_cast<std::streamoff>(size / 2));
  const char byte = static_cast<char>(file.get() ^ 1);
  file.seekp(static_cast<std::streamoff>(size / 2));
  file.put(byte);
  file.close();
  std::filesystem::rename(copy, path);
}

TEST(BackupFiles, are_shared_with_the_store_and_looked_at_before_a_restore) {
  const TemporaryDirectory temp;
  const auto service = open_engine_with({}, {.directory = temp / "data"});
  ASSERT_THAT(create_table(*service, with_early_index("things")), succeeds());
  fill_coloured(*service, "things", 300);
  const std::string arn = call<CreateBackup>(*service, {.table = "things", .name = "nightly"}).value().arn;
  const std::filesystem::path copy = temp / "data" / "copies" / arn.substr(arn.rfind('/') + 1);
  bool shared = false;
  for (const std::filesystem::path& file : files_below(copy))
    shared |= file.extension() == ".sst" && std::filesystem::hard_link_count(file) > 1;
  EXPECT_TRUE(shared);
  const std::filesystem::path kept = temp / "kept";
  std::filesystem::copy(copy, kept, std::filesystem::copy_options::recursive);
  for (const bool remove : {false, true})
    for (const std::filesystem::path& file : files_below(kept)) {
      const std::string name = file.lexically_relative(kept).string();
      SCOPED_TRACE(name + (remove ? " removed" : " damaged"));
      if (std::filesystem::file_size(file) == 0 && !remove) continue;
      remove ? static_cast<void>(std::filesystem::remove(copy / name)) : flip_a_byte(copy / name);
      const auto refused = call<RestoreTableFromBackup>(*service, {.backup_arn = arn, .target = "again"});
      ASSERT_FALSE(refused.has_value());
      EXPECT_EQ(refused.error().code(), Code::kCorruption);
      EXPECT_THAT(refused.error().message(), HasSubstr(name));
      EXPECT_THAT(list_tables(*service).value().names, ElementsAre("things"));
      std::filesystem::copy_file(file, copy / name, std::filesystem::copy_options::overwrite_existing);
    }
  ASSERT_THAT(call<RestoreTableFromBackup>(*service, {.backup_arn = arn, .target = "again"}), succeeds());
  await_table(*service, "again", has_active_indexes);
  EXPECT_EQ(scan_all(*service, "again"), scan_all(*service, "things"));
}

}  // namespace
}  // namespace dolmen::engine
