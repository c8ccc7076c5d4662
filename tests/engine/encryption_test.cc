// Tables that are encrypted by keys of customers.
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <iterator>
#include <map>
#include <mutex>

#include "base/test_directory.h"
#include "base/test_result.h"
#include "engine/table_keys.h"
#include "test_tables.h"

namespace dolmen::engine {
namespace {

using testing::HasSubstr;
using testing::SizeIs;

constexpr std::string_view kMarker = "the note that nobody else may read";

/// Keys that a test gives and takes.
class GivenKeys final : public TableKeys {
 public:
  void give(const std::string& name, std::uint8_t byte) {
    storage::RowCipher::Key key{};
    key.fill(byte);
    const std::lock_guard lock(keys_mutex_);
    keys_.insert_or_assign(name, key);
  }
  void take(const std::string& name) {
    const std::lock_guard lock(keys_mutex_);
    keys_.erase(name);
  }
  std::optional<storage::RowCipher::Key> find(std::string_view name) override {
    const std::lock_guard lock(keys_mutex_);
    const auto found = keys_.find(std::string(name));
    return found == keys_.end() ? std::nullopt : std::optional(found->second);
  }

 private:
  std::mutex keys_mutex_;
  std::map<std::string, storage::RowCipher::Key> keys_;
};

class Encryption : public testing::Test {
 protected:
  void SetUp() override {
    keys_->give("mine", 1);
    keys_->give("other", 2);
    open();
  }

  void open(bool with_keys = true) {
    service_.reset();
    service_ = open_engine_with({.table_keys = with_keys ? keys_ : nullptr}, {.directory = temp_ / "data"});
  }
  TableDefinition definition(std::optional<std::string> key = "mine") {
    TableDefinition table = with_early_index("things");
    table.kms_key = std::move(key);
    table.stream = StreamView::kNewAndOldImages;
    return table;
  }
  Result<TableDescription> create(std::optional<std::string> key = "mine") {
    return create_table(*service_, definition(std::move(key)));
  }
  static Item item(int i) {
    return {{"p", std::to_string(i)}, {"colour", "c"}, {"rank", i}, {"note", std::string(kMarker) + std::to_string(i)}};
  }
  void fill(int count) {
    for (int first = 0; first < count; first += 25) {
      BatchWriteRequest batch;
      for (int i = first; i < std::min(first + 25, count); ++i) batch.writes.push_back(put("things", item(i)));
      ASSERT_THAT(call(*service_, std::move(batch)), succeeds());
    }
  }
  void write(int i) { ASSERT_THAT(call(*service_, put("things", item(i))), succeeds()); }
  Result<TableDescription> encrypt(std::optional<std::string> key) {
    return call<UpdateTable>(*service_, {.table = "things", .encryption = EncryptionUpdate{.kms_key = std::move(key)}});
  }
  TableDescription described() { return describe_table(*service_, "things").value(); }
  TableDescription settled() {
    return await_table(*service_, "things",
                       [](const TableDescription& table) { return table.encryption_status == TableStatus::kActive; });
  }
  [[nodiscard]] bool stands_in_files() const {
    for (const auto& entry : std::filesystem::recursive_directory_iterator(temp_.path())) {
      if (!entry.is_regular_file()) continue;
      std::ifstream file(entry.path(), std::ios::binary);
      const std::string bytes{std::istreambuf_iterator<char>(file), {}};
      if (bytes.contains(kMarker)) return true;
    }
    return false;
  }
  /// The same, where files may be replaced by others while they are listed.
  [[nodiscard]] bool stands_in_files_at_last() const {
    for (int look = 0; look < 100; ++look)
      if (stands_in_files()) return true;
    return false;
  }
  [[nodiscard]] std::size_t count(std::optional<std::string> index = {}) {
    return scan_all(*service_, "things", std::move(index)).size();
  }
  Result<WriteResponse> try_write() { return call(*service_, put("things", {{"p", "x"}})); }

  TemporaryDirectory temp_;
  std::shared_ptr<GivenKeys> keys_ = std::make_shared<GivenKeys>();
  std::unique_ptr<Service> service_;
};

TEST_F(Encryption, of_a_new_table_leaves_no_plain_value_in_any_file) {
  ASSERT_THAT(create(), succeeds());
  EXPECT_EQ(described().definition.kms_key, "arn:aws:kms:us-east-1:000000000000:key/mine");
  ASSERT_THAT(call<UpdateContinuousBackups>(*service_, {.table = "things", .change = PointInTimeChange{}}), succeeds());
  fill(50);
  fill(50);
  EXPECT_FALSE(stands_in_files());
  ASSERT_THAT(call<CreateBackup>(*service_, {.table = "things", .name = "one"}), succeeds());
  EXPECT_FALSE(stands_in_files());
  EXPECT_EQ(count(), 50U);
  EXPECT_EQ(count("early"), 50U);
  open();
  EXPECT_FALSE(stands_in_files());
  EXPECT_EQ(count(), 50U);
  EXPECT_EQ(item_at(*service_, "things", {{"p", "7"}}).at("note").string(), std::string(kMarker) + "7");
}

TEST_F(Encryption, of_no_table_leaves_plain_values) {
  // Else the tests above would prove nothing.
  ASSERT_THAT(create(std::nullopt), succeeds());
  fill(1);
  EXPECT_TRUE(stands_in_files());
}

TEST_F(Encryption, takes_ids_aliases_and_arns_and_refuses_unknown_keys) {
  const std::string start = "arn:aws:kms:us-east-1:000000000000:";
  for (const std::string& name :
       {std::string("mine"), std::string("alias/mine"), start + "key/mine", start + "alias/mine"}) {
    ASSERT_THAT(create(name), succeeds()) << name;
    EXPECT_EQ(described().definition.kms_key, start + "key/mine");
    ASSERT_THAT(call<DeleteTable>(*service_, {.table = "things"}), succeeds());
  }
  EXPECT_THAT(create("unknown"), fails_with(Code::kValidation, HasSubstr("Key '" + start + "key/unknown' does not")));
  EXPECT_THAT(create("alias/unknown"),
              fails_with(Code::kValidation, HasSubstr("Alias " + start + "alias/unknown is not found.")));
  EXPECT_THAT(create("arn:aws:kms:eu-west-1:000000000000:key/mine"), fails_with(Code::kValidation));
  EXPECT_THAT(create("arn:aws:kms:us-east-1:111111111111:key/mine"), fails_with(Code::kValidation));
}

TEST_F(Encryption, by_a_key_of_aws_is_only_a_name) {
  ASSERT_THAT(create("alias/aws/dynamodb"), succeeds());
  fill(1);
  EXPECT_TRUE(described().definition.kms_key.has_value());
  EXPECT_TRUE(stands_in_files());
}

TEST_F(Encryption, without_keys_keeps_any_name_until_the_store_has_encrypted_tables) {
  open(false);
  ASSERT_THAT(create("whatever"), succeeds());
  ASSERT_THAT(call<DeleteTable>(*service_, {.table = "things"}), succeeds());
  open();
  ASSERT_THAT(create(), succeeds());
  open(false);
  TableDefinition second = definition("whatever");
  second.name = "second";
  EXPECT_THAT(create_table(*service_, second), fails_with(Code::kValidation));
}

TEST_F(Encryption, a_missing_key_closes_the_table_and_nothing_else) {
  ASSERT_THAT(create(), succeeds());
  fill(3);
  ASSERT_THAT(create_table(*service_, {.name = "free", .partition_key = {"p"}}), succeeds());
  keys_->take("mine");
  open();
  TableDescription table = described();
  EXPECT_EQ(table.status, TableStatus::kInaccessible);
  EXPECT_TRUE(table.inaccessible_since.has_value());
  EXPECT_EQ(table.extent.item_count, 3U);
  EXPECT_THAT(try_write(), fails_with(Code::kAccessDenied, HasSubstr("KMS key access denied error")));
  EXPECT_THAT(call<Scan>(*service_, {.table = "things"}), fails_with(Code::kAccessDenied));
  EXPECT_THAT(call(*service_, GetItemRequest{.table = "things", .key = encode_item({{"p", "1"}})}),
              fails_with(Code::kAccessDenied));
  EXPECT_THAT(encrypt("other"), fails_with(Code::kAccessDenied));
  EXPECT_THAT(call(*service_, put("free", {{"p", "x"}})), succeeds());
  keys_->give("mine", 9);  // Another key of the same name opens nothing.
  open();
  EXPECT_EQ(described().status, TableStatus::kInaccessible);
  keys_->give("mine", 1);
  table =
      await_table(*service_, "things", [](const TableDescription& now) { return now.status == TableStatus::kActive; });
  EXPECT_EQ(table.inaccessible_since, std::nullopt);
  EXPECT_EQ(count(), 3U);
  EXPECT_THAT(try_write(), succeeds());
}

TEST_F(Encryption, a_key_that_goes_while_the_store_is_open_closes_the_table) {
  ASSERT_THAT(create(), succeeds());
  fill(1);
  keys_->take("mine");
  await_table(*service_, "things",
              [](const TableDescription& now) { return now.status == TableStatus::kInaccessible; });
  EXPECT_THAT(try_write(), fails_with(Code::kAccessDenied));
}

TEST_F(Encryption, an_inaccessible_table_can_be_deleted) {
  ASSERT_THAT(create(), succeeds());
  fill(3);
  keys_->take("mine");
  open();
  EXPECT_THAT(call<DeleteTable>(*service_, {.table = "things"}), succeeds());
}

TEST_F(Encryption, a_changed_key_replaces_the_old_one) {
  ASSERT_THAT(create(), succeeds());
  fill(3);
  ASSERT_THAT(encrypt("other"), succeeds());
  EXPECT_EQ(settled().definition.kms_key, "arn:aws:kms:us-east-1:000000000000:key/other");
  keys_->take("mine");
  open();
  EXPECT_EQ(count(), 3U);
  keys_->take("other");
  open();
  EXPECT_EQ(described().status, TableStatus::kInaccessible);
}

TEST_F(Encryption, that_is_enabled_later_seals_what_was_there) {
  ASSERT_THAT(create(std::nullopt), succeeds());
  ASSERT_THAT(call<UpdateContinuousBackups>(*service_, {.table = "things", .change = PointInTimeChange{}}), succeeds());
  fill(2000);
  fill(10);
  ASSERT_TRUE(stands_in_files());
  const Result<TableDescription> answer = encrypt("mine");
  ASSERT_THAT(answer, succeeds());
  EXPECT_EQ(answer->encryption_status, TableStatus::kUpdating);
  write(5000);  // Meanwhile
  settled();
  EXPECT_FALSE(stands_in_files());
  EXPECT_EQ(count(), 2001U);
  EXPECT_EQ(count("early"), 2001U);
  open();
  EXPECT_EQ(count(), 2001U);
}

TEST_F(Encryption, that_is_disabled_opens_what_was_there) {
  ASSERT_THAT(create(), succeeds());
  fill(1000);
  ASSERT_THAT(encrypt(std::nullopt), succeeds());
  EXPECT_EQ(settled().definition.kms_key, std::nullopt);
  keys_->take("mine");
  open(false);
  EXPECT_EQ(described().status, TableStatus::kActive);
  EXPECT_EQ(count(), 1000U);
  EXPECT_EQ(count("early"), 1000U);
  EXPECT_TRUE(stands_in_files_at_last());
}

TEST_F(Encryption, goes_on_where_it_was_when_the_store_is_opened_again) {
  ASSERT_THAT(create(std::nullopt), succeeds());
  fill(3000);
  ASSERT_THAT(encrypt("mine"), succeeds());
  EXPECT_THAT(encrypt("other"),
              fails_with(Code::kTableInUse, HasSubstr("Server-Side Encryption is still being updated")));
  for (int i = 0; i < 5; ++i) open();
  settled();
  EXPECT_FALSE(stands_in_files());
  EXPECT_EQ(count(), 3000U);
  ASSERT_THAT(encrypt(std::nullopt), succeeds());
  for (int i = 0; i < 5; ++i) open();
  settled();
  EXPECT_EQ(count("early"), 3000U);
}

TEST_F(Encryption, waits_for_its_key_before_it_goes_on) {
  ASSERT_THAT(create(std::nullopt), succeeds());
  fill(3000);
  ASSERT_THAT(encrypt("mine"), succeeds());
  keys_->take("mine");
  open();
  const TableDescription table = described();
  EXPECT_EQ(table.status, TableStatus::kInaccessible);
  keys_->give("mine", 1);
  settled();
  EXPECT_EQ(count(), 3000U);
}

TEST_F(Encryption, is_kept_by_backups_and_points_in_time) {
  ASSERT_THAT(create(), succeeds());
  ASSERT_THAT(call<UpdateContinuousBackups>(*service_, {.table = "things", .change = PointInTimeChange{}}), succeeds());
  fill(20);
  const Result<BackupDetails> backup = call<CreateBackup>(*service_, {.table = "things", .name = "one"});
  ASSERT_THAT(backup, succeeds());
  ASSERT_THAT(call<RestoreTableFromBackup>(*service_, {.backup_arn = backup->arn, .target = "from-backup"}),
              succeeds());
  ASSERT_THAT(call<RestoreTableToPointInTime>(*service_, {.source = "things", .target = "from-time"}), succeeds());
  for (const std::string& name : {std::string("from-backup"), std::string("from-time")}) {
    await_table(*service_, name, has_active_indexes);
    EXPECT_THAT(scan_all(*service_, name), SizeIs(20)) << name;
  }
  ASSERT_THAT(
      call<RestoreTableFromBackup>(*service_, {.backup_arn = backup->arn,
                                               .target = "by-other",
                                               .overrides = {.encryption = EncryptionUpdate{.kms_key = "other"}}}),
      succeeds());
  await_table(*service_, "by-other", has_active_indexes);
  EXPECT_FALSE(stands_in_files());
  // A backup outlives its table, and needs its key.
  ASSERT_THAT(call<DeleteTable>(*service_, {.table = "things"}), succeeds());
  open();
  ASSERT_THAT(call<RestoreTableFromBackup>(*service_, {.backup_arn = backup->arn, .target = "late"}), succeeds());
  await_table(*service_, "late", has_active_indexes);
  EXPECT_THAT(scan_all(*service_, "late"), SizeIs(20));
  keys_->take("mine");
  open();
  EXPECT_THAT(call<RestoreTableFromBackup>(*service_, {.backup_arn = backup->arn, .target = "never"}),
              fails_with(Code::kAccessDenied));
  EXPECT_EQ(describe_table(*service_, "by-other").value().status, TableStatus::kActive);
  EXPECT_EQ(describe_table(*service_, "late").value().status, TableStatus::kInaccessible);
}

}  // namespace
}  // namespace dolmen::engine
