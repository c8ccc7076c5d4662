// Rows that are encrypted: what stands in the files, and who can read it.
#include "storage/row_seals.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/endian.h"
#include "base/test_result.h"
#include "test_support.h"

namespace dolmen::storage {
namespace {

using namespace test;

constexpr std::string_view kSecret = "the quick brown secret";
constexpr RowSeals::RowId kSealed = 7;
constexpr RowSeals::RowId kPlain = 8;

std::string row(RowSeals::RowId id, std::string_view rest) {
  std::string key;
  append_big_endian(key, id);
  return key.append(rest);
}

std::shared_ptr<const RowCipher> cipher(std::uint8_t byte) {
  RowCipher::Key key{};
  key.fill(byte);
  return std::make_shared<RowCipher>(key);
}

/// Whether a text stands in any file of a directory.
bool stands_in_files(const std::filesystem::path& directory, std::string_view text) {
  for (const auto& entry : std::filesystem::recursive_directory_iterator(directory))
    if (entry.is_regular_file() && file_content(entry.path()).contains(text)) return true;
  return false;
}

class SealedRows : public testing::Test {
 protected:
  void SetUp() override { open(); }

  void open() {
    Options options = options_for(temp_ / "data");
    options.keyspaces.emplace_back("counters");
    storage_ = open_store(options);
  }
  void seal() {
    storage_->seals()->set_key(1, cipher(1));
    storage_->seals()->seal_rows(kRows, kSealed, 1);
  }
  void put(RowSeals::RowId id, std::string_view rest, std::string_view value) {
    must(storage_->commit(batch_of(kRows, row(id, rest), value)));
  }
  std::string stored(const std::string& key) {
    Iterator rows = storage_->iterate_stored(kRows, {.lower = key, .upper = {}});
    rows.seek_first();
    return rows.valid() && rows.key() == key ? std::string(rows.value()) : "";
  }
  Result<bool> get(const std::string& key) {
    std::string value;
    return storage_->get(kRows, key, value);
  }

  TemporaryDirectory temp_;
  std::unique_ptr<Storage> storage_;
};

TEST_F(SealedRows, stand_encrypted_in_logs_and_files_and_are_read_as_they_were) {
  seal();
  put(kSealed, "a", kSecret);
  EXPECT_EQ(read(*storage_, kRows, row(kSealed, "a")), kSecret);
  EXPECT_EQ(content(*storage_, kRows), (Content{{row(kSealed, "a"), std::string(kSecret)}}));
  EXPECT_TRUE(storage_->seals()->is_sealed(kRows, stored(row(kSealed, "a"))));
  EXPECT_FALSE(stands_in_files(temp_.path(), kSecret));
  must(storage_->close());
  EXPECT_FALSE(stands_in_files(temp_.path(), kSecret));
}

TEST_F(SealedRows, leave_others_as_they_are) {
  seal();
  put(kPlain, "a", kSecret);
  EXPECT_EQ(stored(row(kPlain, "a")), kSecret);
  EXPECT_TRUE(stands_in_files(temp_.path(), kSecret));
}

TEST_F(SealedRows, cannot_be_read_without_their_key_or_with_another) {
  seal();
  put(kSealed, "a", kSecret);
  storage_.reset();
  open();
  storage_->seals()->watch(kRows);
  const Result<bool> missing = get(row(kSealed, "a"));
  ASSERT_FALSE(missing);
  EXPECT_TRUE(is_key_missing(missing.error()));
  Iterator rows = storage_->iterate(kRows, {});
  rows.seek_first();
  EXPECT_FALSE(rows.valid());
  EXPECT_TRUE(is_key_missing(rows.status().error()));
  storage_->seals()->set_key(1, cipher(2));
  EXPECT_THAT(get(row(kSealed, "a")), fails_with(Code::kCorruption));
  storage_->seals()->set_key(1, cipher(1));
  EXPECT_EQ(read(*storage_, kRows, row(kSealed, "a")), kSecret);
}

TEST_F(SealedRows, cannot_be_swapped_changed_or_cut) {
  seal();
  put(kSealed, "a", "one");
  put(kSealed, "b", "two");
  const std::string one = stored(row(kSealed, "a"));
  put(kSealed, "b", one);  // Sealed already, so it is written as it is.
  EXPECT_THAT(get(row(kSealed, "b")), fails_with(Code::kCorruption));
  std::string changed = one;
  changed.back() = static_cast<char>(changed.back() ^ 1);
  put(kSealed, "a", changed);
  EXPECT_THAT(get(row(kSealed, "a")), fails_with(Code::kCorruption));
  put(kSealed, "a", one.substr(0, one.size() - 1));
  EXPECT_THAT(get(row(kSealed, "a")), fails_with(Code::kCorruption));
  put(kSealed, "a", one.substr(0, RowSeals::kMark.size()));
  EXPECT_THAT(get(row(kSealed, "a")), fails_with(Code::kCorruption));
  put(kSealed, "a", one);
  EXPECT_EQ(read(*storage_, kRows, row(kSealed, "a")), "one");
}

TEST_F(SealedRows, cannot_be_written_without_their_key_and_nothing_else_suffers) {
  storage_->seals()->seal_rows(kRows, kSealed, 1);
  EXPECT_THAT(storage_->commit(batch_of(kRows, row(kSealed, "a"), kSecret)), fails_with(Code::kAccessDenied));
  put(kPlain, "a", "fine");
  EXPECT_FALSE(stands_in_files(temp_.path(), kSecret));
  Batch removal;
  removal.remove(kRows, row(kSealed, "a"));
  must(storage_->commit(std::move(removal)));
  seal();
  put(kSealed, "a", kSecret);
}

TEST_F(SealedRows, a_withheld_key_opens_nothing_but_still_seals) {
  seal();
  put(kSealed, "a", kSecret);
  storage_->seals()->withhold_key(1);
  EXPECT_THAT(get(row(kSealed, "a")), fails_with(Code::kAccessDenied));
  put(kSealed, "b", kSecret);
  EXPECT_FALSE(stands_in_files(temp_.path(), kSecret));
  storage_->seals()->set_key(1, cipher(1));
  EXPECT_EQ(read(*storage_, kRows, row(kSealed, "b")), kSecret);
}

TEST_F(SealedRows, appended_rows_are_bound_to_their_numbers) {
  seal();
  Batch batch;
  batch.append(kRows, kCounters, row(kSealed, "s"), "first");
  batch.append(kRows, kCounters, row(kSealed, "s"), "second");
  must(storage_->commit(std::move(batch)));
  std::string key = row(kSealed, "s");
  append_big_endian(key, std::uint64_t{1});
  EXPECT_EQ(read(*storage_, kRows, key), "first");
  const std::string first = stored(key);
  key.back() = 2;
  put(kSealed, key.substr(sizeof(RowSeals::RowId)), first);
  EXPECT_THAT(get(key), fails_with(Code::kCorruption));
}

TEST_F(SealedRows, rewriting_seals_and_opens_rows_and_the_files_follow) {
  put(kSealed, "a", kSecret);
  put(kPlain, "a", "plain");
  must(storage_->close());
  open();
  ASSERT_TRUE(stands_in_files(temp_.path(), kSecret));
  seal();
  EXPECT_EQ(read(*storage_, kRows, row(kSealed, "a")), kSecret);
  Batch batch;
  batch.rewrite(kRows, row(kSealed, "a"));
  batch.rewrite(kRows, row(kSealed, "missing"));
  must(storage_->commit(std::move(batch)));
  EXPECT_TRUE(storage_->seals()->is_sealed(kRows, stored(row(kSealed, "a"))));
  EXPECT_EQ(stored(row(kSealed, "missing")), "");
  const std::string lower = row(kSealed, "");
  const std::string upper = row(kPlain, "");
  EXPECT_TRUE(must(storage_->rewrite_files(kRows, {.lower = lower, .upper = upper})));
  EXPECT_FALSE(stands_in_files(temp_.path(), kSecret));
  EXPECT_EQ(read(*storage_, kRows, row(kSealed, "a")), kSecret);
  EXPECT_EQ(read(*storage_, kRows, row(kPlain, "a")), "plain");

  storage_->seals()->leave_rows(kRows, kSealed);
  Batch back;
  back.rewrite(kRows, row(kSealed, "a"));
  must(storage_->commit(std::move(back)));
  EXPECT_EQ(stored(row(kSealed, "a")), kSecret);
}

TEST_F(SealedRows, rewriting_never_undoes_what_the_same_commit_writes) {
  put(kSealed, "a", "old");
  put(kSealed, "b", "old");
  seal();
  Batch batch;
  batch.put(kRows, row(kSealed, "a"), "new");
  batch.remove(kRows, row(kSealed, "b"));
  batch.rewrite(kRows, row(kSealed, "a"));
  batch.rewrite(kRows, row(kSealed, "b"));
  must(storage_->commit(std::move(batch)));
  EXPECT_EQ(content(*storage_, kRows), (Content{{row(kSealed, "a"), "new"}}));
}

TEST_F(SealedRows, make_older_programs_refuse_the_store_and_its_copies) {
  must(storage_->mark_sealed());
  must(storage_->checkpoint(temp_ / "copy"));
  must(storage_->fork(temp_ / "fork"));
  for (const auto* name : {"data", "copy", "fork"})
    EXPECT_EQ(file_content(temp_ / name / "DOLMEN"), "dolmen data directory, format 2\n") << name;
  storage_.reset();
  open();
}

}  // namespace
}  // namespace dolmen::storage
