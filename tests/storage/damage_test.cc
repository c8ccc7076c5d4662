// What becomes of a store whose files are damaged, cut or removed: it is refused with a message and not changed, or it
// opens and every row is right or reported as damaged. Nothing is lost without a word.

#include <cstdlib>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/test_result.h"
#include "storage/fault_plan.h"
#include "storage/log_note.h"
#include "storage/storage.h"
#include "test_support.h"

namespace dolmen::storage {
namespace {

namespace fs = std::filesystem;
using test::batch_of;
using test::database_files;
using test::kNotes;
using test::kRows;
using test::must;
using test::open_store;
using test::options_for;
using testing::HasSubstr;

constexpr int kInFiles = 12;
constexpr int kInOldLog = 5;
constexpr int kInLog = 5;
constexpr int kAll = kInFiles + kInOldLog + kInLog;

std::string key(int number) { return "key" + std::to_string(1000 + number); }

/// Makes a store as a killed process leaves it: some rows in files, some in a log that another follows, and some in the
/// newest log.
void make_killed_store(const fs::path& directory) {
  std::mt19937_64 random(7);
  const auto commit = [&random](Storage& storage, Keyspace keyspace, int number) {
    must(storage.commit(batch_of(keyspace, key(number), test::random_bytes(random, 40))));
  };
  {
    const auto storage = open_store(options_for(directory, Durability::kSync));
    for (int i = 0; i < kInFiles; ++i) commit(*storage, kRows, i);
    must(storage->close());
  }
  Options options = options_for(directory, Durability::kSync);
  options.faults = std::make_shared<FaultPlan>();
  const auto storage = open_store(options);
  for (int i = 0; i < kInOldLog; ++i) commit(*storage, kNotes, kInFiles + i);
  // Reclaiming writes one keyspace to a file, which begins a new log while the other keyspace needs the old one.
  must(storage->commit(batch_of(kRows, "zzz", "")));
  must(storage->reclaim(kRows, {.lower = "zz", .upper = "zzzz"}));
  for (int i = 0; i < kInLog; ++i) commit(*storage, kNotes, kInFiles + kInOldLog + i);
  options.faults->crash();
}

using test::Content;

Content content_of(const Storage& storage) {
  Content all = test::content(storage, kRows);
  all.merge(test::content(storage, kNotes));
  return all;
}

class Damage : public testing::Test {
 protected:
  Damage() {
    make_killed_store(temp_ / "whole");
    fs::copy(temp_ / "whole", temp_ / "opened", fs::copy_options::recursive);
    expected_ = content_of(*open_store(options_for(temp_ / "opened")));
    EXPECT_EQ(expected_.size(), static_cast<std::size_t>(kAll));
  }

  /// A copy of the store, from which a test may take something.
  const fs::path& fresh() {
    fs::remove_all(copy_);
    fs::copy(temp_ / "whole", copy_, fs::copy_options::recursive);
    return copy_;
  }

  /// The damaged copy must be refused and not changed, or be right as far as it can be read. Returns the refusal.
  std::optional<Error> expect_no_silent_loss(const std::string& what) {
    SCOPED_TRACE(what);
    const auto before = test::picture_of(copy_);
    const auto opened = Storage::open(options_for(copy_, Durability::kSync));
    if (!opened) {
      EXPECT_EQ(test::picture_of(copy_), before) << opened.error().message();
      EXPECT_GT(opened.error().message().size(), 20U);
      return opened.error();
    }
    for (const Keyspace keyspace : {kRows, kNotes}) {
      Iterator row = (*opened)->iterate(keyspace, {});
      for (row.seek_first(); row.valid(); row.next()) {
        const auto found = expected_.find(std::string(row.key()));
        EXPECT_TRUE(found != expected_.end()) << "a row that was never written: " << row.key();
        if (found != expected_.end()) {
          EXPECT_EQ(row.value(), found->second) << row.key();
        }
      }
      if (!row.status()) {
        EXPECT_THAT(row.status(), fails_with(Code::kCorruption));
      }
    }
    std::string value;
    for (const auto& [key, right] : expected_) {
      const Keyspace keyspace = key < expected_key(kInFiles) ? kRows : kNotes;
      const Result<bool> got = (*opened)->get(keyspace, key, value);
      if (!got) {
        EXPECT_THAT(got, fails_with(Code::kCorruption));
      } else {
        EXPECT_TRUE(*got) << "an acknowledged row is lost: " << key;
        EXPECT_EQ(value, right);
      }
    }
    return std::nullopt;
  }

  static std::string expected_key(int number) { return key(number); }

  std::vector<fs::path> files() const {
    std::vector<fs::path> all;
    for (const auto& entry : fs::recursive_directory_iterator(temp_ / "whole"))
      if (entry.is_regular_file()) all.push_back(fs::relative(entry.path(), temp_ / "whole"));
    std::ranges::sort(all);
    return all;
  }

  /// How many bytes to go on from one damage of a file to the next: DOLMEN_DAMAGE_STEP, where 1 means each. Of what
  /// RocksDB tells people, and never reads, a sample is always enough.
  static std::size_t step_in(const fs::path& file) {
    const char* given = file.filename().string().starts_with("LOG") && file.has_parent_path()
                            ? nullptr
                            : std::getenv("DOLMEN_DAMAGE_STEP");
    return given != nullptr ? std::max<std::size_t>(1, std::strtoull(given, nullptr, 10)) : 509;
  }

  const TemporaryDirectory temp_;
  const fs::path copy_ = temp_ / "copy";
  Content expected_;
};

TEST_F(Damage, of_a_live_log_is_refused_and_names_it_when_the_log_is_deleted) {
  for (const auto& log : database_files(temp_ / "whole", ".log")) {
    fresh();
    fs::remove(copy_ / "rocksdb" / log.filename());
    const std::optional<Error> refused = expect_no_silent_loss("without " + log.string());
    if (fs::file_size(log) == 0) continue;
    ASSERT_TRUE(refused) << log;
    EXPECT_EQ(refused->code(), Code::kCorruption);
    EXPECT_THAT(refused->message(), HasSubstr(log.filename()));
    EXPECT_THAT(refused->message(), HasSubstr("Nothing has been changed"));
    EXPECT_THAT(refused->message(), HasSubstr("dolmen repair"));
  }
}

TEST_F(Damage, of_a_live_log_is_refused_and_names_it_when_the_log_is_emptied_or_zeroed) {
  ASSERT_GE(database_files(temp_ / "whole", ".log").size(), 2U);
  int refusals = 0;
  for (const auto& log : database_files(temp_ / "whole", ".log")) {
    if (fs::file_size(log) == 0) continue;
    for (const std::string& content : {std::string(), std::string(fs::file_size(log), '\0')}) {
      fresh();
      test::write_content(copy_ / "rocksdb" / log.filename(), content);
      const std::optional<Error> refused = expect_no_silent_loss(log.string());
      ASSERT_TRUE(refused);
      EXPECT_THAT(refused->message(), HasSubstr(log.filename()));
      ++refusals;
    }
  }
  EXPECT_GE(refusals, 4);
}

TEST_F(Damage, of_a_log_that_is_cut_anywhere_is_refused) {
  for (const auto& log : database_files(temp_ / "whole", ".log")) {
    for (std::uintmax_t length = 0; length < fs::file_size(log); length += 1 + step_in(log) / 20) {
      fresh();
      fs::resize_file(copy_ / "rocksdb" / log.filename(), length);
      EXPECT_TRUE(expect_no_silent_loss(log.string() + " cut at " + std::to_string(length)));
    }
  }
}

TEST_F(Damage, of_the_note_of_the_logs_leaves_the_hole_between_two_logs_to_be_found) {
  fresh();
  fs::remove(copy_ / kLogNoteFile);
  EXPECT_FALSE(expect_no_silent_loss("without the note alone"));
  fresh();
  fs::remove(copy_ / kLogNoteFile);
  std::vector<fs::path> logs;
  for (const auto& log : database_files(copy_, ".log"))
    if (fs::file_size(log) > 0) logs.push_back(log);
  ASSERT_GE(logs.size(), 2U);
  fs::resize_file(logs.front(), fs::file_size(logs.front()) / 2);
  const std::optional<Error> refused = expect_no_silent_loss("an older log cut in half");
  ASSERT_TRUE(refused);
  EXPECT_THAT(refused->message(), HasSubstr("hole"));
}

TEST_F(Damage, of_any_byte_of_any_file_is_found_or_harmless) {
  for (const fs::path& file : files()) {
    const std::string whole = test::file_content(temp_ / "whole" / file);
    for (std::size_t at = 0; at < whole.size(); at += step_in(file)) {
      fresh();
      std::string damaged = whole;
      damaged[at] = static_cast<char>(damaged[at] ^ (1 << (at % 8)));
      test::write_content(copy_ / file, damaged);
      expect_no_silent_loss(file.string() + ", byte " + std::to_string(at));
    }
  }
}

TEST_F(Damage, of_a_file_that_is_cut_to_any_length_is_found_or_harmless) {
  for (const fs::path& file : files()) {
    for (std::uintmax_t length = 0; length < fs::file_size(temp_ / "whole" / file); length += step_in(file)) {
      fresh();
      fs::resize_file(copy_ / file, length);
      expect_no_silent_loss(file.string() + " cut to " + std::to_string(length));
    }
  }
}

TEST_F(Damage, of_a_file_that_is_removed_is_found_or_harmless) {
  for (const fs::path& file : files()) {
    fresh();
    fs::remove(copy_ / file);
    expect_no_silent_loss("without " + file.string());
  }
}

}  // namespace
}  // namespace dolmen::storage
