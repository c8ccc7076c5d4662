// The log and the start. Tests named RecoveryRule.A1_n hold for rule n of docs/documents.md.
#include <fstream>
#include <gmock/gmock.h>

#include "base/test_result.h"
#include "document/layout.h"
#include "document/rows.h"
#include "opened.h"
#include "schema/log_note.h"
#include "storage/storage.h"

namespace dolmen {
namespace {

namespace fs = std::filesystem;
using test::kUsers1;
using test::OnDisk;
using test::user;
using test::users_schema;
using testing::Each;
using testing::HasSubstr;
using testing::SizeIs;

class RecoveryRule : public OnDisk {
 protected:
  /// The data directory becomes what it was at the last `copy_to(crashed())`.
  [[nodiscard]] fs::path crashed() const { return folder_ / "crashed"; }
  void crash() {
    copy_to(crashed());
    close();
    fs::remove_all(data());
    fs::rename(crashed(), data());
  }

  /// What the log says was written under.
  [[nodiscard]] std::vector<SchemaRef> notes() const {
    std::vector<SchemaRef> found;
    storage::Options options{.directory = data(), .keyspaces = {"catalogue", "items", "tokens"}};
    options.inspect_log = [&](std::string_view bytes) -> Result<void> {
      std::ranges::copy(schema::read_log_note(bytes).value(), std::back_inserter(found));
      return {};
    };
    auto storage = storage::Storage::open(options).value();
    return found;
  }

  [[nodiscard]] fs::path last_log() const {
    fs::path last;
    for (const auto& entry : fs::directory_iterator(data() / "rocksdb"))
      if (entry.path().extension() == ".log") last = std::max(last, entry.path());
    return last;
  }
};

TEST_F(RecoveryRule, A1_28_a_refused_write_leaves_log_data_and_indexes_byte_for_byte_as_they_were) {
  Documents& documents = open();
  documents.publish(users_schema()).value();
  documents.create_index(kUsers1, "age").value();
  documents.wait_for_indexes().value();
  ASSERT_TRUE(documents.insert(kUsers1, user("u1", "Ada", 36)));
  const auto before = picture();
  EXPECT_FALSE(documents.insert({"", ""}, user("u2", "Eve", 1)));
  EXPECT_FALSE(documents.insert({"orders", "v1"}, user("u2", "Eve", 1)));
  EXPECT_FALSE(documents.insert({"users", "v2"}, user("u2", "Eve", 1)));
  EXPECT_FALSE(documents.insert(kUsers1, R"({"_id":"u2","name":1})"));
  EXPECT_FALSE(documents.insert(kUsers1, user("u1", "Eve", 1)));
  EXPECT_FALSE(documents.update(kUsers1, user("u9", "Eve", 1)));
  EXPECT_FALSE(documents.update(kUsers1, R"({"_id":"u1"})"));
  EXPECT_FALSE(documents.update(kUsers1, user("u2", "Eve", 1), {.id = "u1"}));
  EXPECT_FALSE(documents.remove(kUsers1, "u9").value());
  EXPECT_FALSE(documents.create_index(kUsers1, "age"));
  EXPECT_FALSE(documents.publish(users_schema()));
  EXPECT_FALSE(documents.publish("{}"));
  EXPECT_EQ(picture(), before);
}

TEST_F(RecoveryRule, A1_34_every_record_of_the_log_names_the_schema_it_was_written_under) {
  Documents& documents = open();
  documents.publish(users_schema()).value();
  ASSERT_TRUE(documents.insert(kUsers1, user("u1", "Ada", 36)));
  ASSERT_TRUE(documents.update(kUsers1, user("u1", "Ada", 37)));
  ASSERT_TRUE(documents.remove(kUsers1, "u1").value());
  crash();
  EXPECT_THAT(notes(), testing::AllOf(SizeIs(4), Each(kUsers1))) << "publication, insert, update, delete";
}

TEST_F(RecoveryRule, A1_35_a_schema_that_is_missing_refuses_the_start_and_changes_no_byte) {
  Documents& documents = open();
  documents.publish(users_schema()).value();
  ASSERT_TRUE(documents.insert(kUsers1, user("u1", "Ada", 36)));
  crash();
  fs::rename(data() / "metadata", folder_ / "metadata");
  const auto without_files = picture();
  EXPECT_THAT(try_open(), HasSubstr("schema_users_v1.json is missing"));
  EXPECT_EQ(picture(), without_files);
  fs::rename(data() / "SCHEMAS", folder_ / "SCHEMAS");
  const auto without_all = picture();
  EXPECT_THAT(try_open(), HasSubstr("the log has documents of users v1"));
  EXPECT_EQ(picture(), without_all);
  fs::rename(folder_ / "SCHEMAS", data() / "SCHEMAS");
  fs::rename(folder_ / "metadata", data() / "metadata");
  EXPECT_EQ(open().get(kUsers1, "u1").value().text, user("u1", "Ada", 36));
  EXPECT_GE(report_.log_notes, 2U);
}

TEST_F(RecoveryRule, A1_35_documents_whose_schemas_are_all_gone_are_noticed_after_a_clean_stop_too) {
  open().publish(users_schema()).value();
  ASSERT_TRUE(documents_->insert(kUsers1, user("u1", "Ada", 36)));
  close();
  fs::remove_all(data() / "metadata");
  fs::remove(data() / "SCHEMAS");
  EXPECT_THAT(try_open(), HasSubstr("was used with the schema users v1, and its schema file is gone"));
}

TEST_F(RecoveryRule, A1_37_an_unfinished_index_is_built_at_the_start_and_an_invalid_document_refuses_it) {
  open().publish(users_schema()).value();
  for (int i = 0; i < 60; ++i) ASSERT_TRUE(documents_->insert(kUsers1, user(std::to_string(100 + i), "n", i)));
  {
    // Declared, and nothing built: as if the process had ended there.
    const document::Rows rows(*store_);
    ASSERT_TRUE(rows.write(
        {{.key = document::head_row(kUsers1), .attributes = {{"revision", 1}}},
         {.key = document::index_row(kUsers1, "age"), .attributes = {{"state", "building"}, {"reason", ""}}}},
        kUsers1));
  }
  EXPECT_EQ(open().indexes(kUsers1).value().front().state, IndexState::kReady);
  EXPECT_EQ(documents_->query(kUsers1, {.filter = R"({"age":{"$gte":0}})", .limit = 100}).value().documents.size(),
            60U);
  {
    const document::Rows rows(*store_);
    ASSERT_TRUE(rows.write(
        {{.key = document::index_row(kUsers1, "name"), .attributes = {{"state", "building"}, {"reason", ""}}},
         {.key = document::document_row(kUsers1, "x"), .attributes = {{"body", "{}"}, {"mark", 1}}}},
        kUsers1));
  }
  EXPECT_THAT(try_open(), HasSubstr("a stored document cannot be"));
}

TEST_F(RecoveryRule, A2_a_torn_last_record_is_dropped_and_reported) {
  open().publish(users_schema()).value();
  ASSERT_TRUE(documents_->insert(kUsers1, user("u1", "Ada", 36)));
  ASSERT_TRUE(documents_->insert(kUsers1, user("u2", "Eve", 20)));
  crash();
  // The beginning of a record that was never synced, and so never acknowledged.
  constexpr std::size_t kTornBytes = 40;
  std::string begun(kTornBytes, '\0');
  std::ifstream(last_log(), std::ios::binary).read(begun.data(), kTornBytes);
  std::ofstream(last_log(), std::ios::binary | std::ios::app) << begun;
  Documents& documents = open();
  EXPECT_EQ(report_.torn_bytes, kTornBytes);
  EXPECT_THAT(lines_of(report_), testing::Contains(HasSubstr("never acknowledged; they are dropped")));
  EXPECT_TRUE(documents.get(kUsers1, "u1"));
  EXPECT_TRUE(documents.get(kUsers1, "u2"));
}

TEST_F(RecoveryRule, A2_a_log_that_lost_an_acknowledged_document_refuses_the_start) {
  open().publish(users_schema()).value();
  ASSERT_TRUE(documents_->insert(kUsers1, user("u1", "Ada", 36)));
  crash();
  fs::resize_file(last_log(), fs::file_size(last_log()) - 3);
  const auto before = picture();
  EXPECT_THAT(try_open(), HasSubstr("bytes of acknowledged writes were synced to it"));
  EXPECT_EQ(picture(), before);
}

TEST_F(RecoveryRule, A2_other_damage_to_the_log_refuses_the_start_and_changes_no_byte) {
  open().publish(users_schema()).value();
  for (int i = 0; i < 5; ++i) ASSERT_TRUE(documents_->insert(kUsers1, user("u" + std::to_string(i), "Ada", i)));
  crash();
  const std::uintmax_t size = fs::file_size(last_log());
  for (const std::uintmax_t at : {size / 2, size - 3}) {
    std::fstream log(last_log(), std::ios::in | std::ios::out | std::ios::binary);
    log.seekg(static_cast<std::streamoff>(at));
    const int old = log.get();
    log.seekp(static_cast<std::streamoff>(at));
    log.put(static_cast<char>(old ^ 0x55));
    log.close();
    const auto before = picture();
    EXPECT_NE(try_open(), "") << "byte " << at << " of " << size;
    EXPECT_EQ(picture(), before);
    std::fstream again(last_log(), std::ios::in | std::ios::out | std::ios::binary);
    again.seekp(static_cast<std::streamoff>(at));
    again.put(static_cast<char>(old));
  }
  EXPECT_TRUE(open().get(kUsers1, "u4"));
  EXPECT_EQ(report_.torn_bytes, 0U);
}

TEST_F(RecoveryRule, A2_a_start_after_a_clean_stop_has_nothing_to_report) {
  open().publish(users_schema()).value();
  ASSERT_TRUE(documents_->insert(kUsers1, user("u1", "Ada", 36)));
  open();
  EXPECT_THAT(lines_of(report_), SizeIs(0));
  EXPECT_EQ(report_.schemas, 1U);
  EXPECT_EQ(documents_->get(kUsers1, "u1").value().text, user("u1", "Ada", 36));
}

}  // namespace
}  // namespace dolmen
