#include <gtest/gtest.h>

#include "storage/log_tail.h"
#include "storage/storage.h"
#include "test_support.h"

namespace dolmen::storage {
namespace {

/// The log of a store that was killed after `commits` commits of `bytes` bytes each.
std::string log_of(int commits, std::size_t bytes) {
  const TemporaryDirectory temp;
  const auto storage = test::open_store(test::options_for(temp / "data", Durability::kSync));
  std::mt19937_64 random(1);  // A longer log begins with the shorter one.
  for (int i = 0; i < commits; ++i)
    test::must(storage->commit(test::batch_of(test::kRows, std::to_string(i), test::random_bytes(random, bytes))));
  return test::file_content(test::database_files(temp / "data", ".log").back());
}

TEST(LogTail, is_whole_when_every_record_is) {
  for (const std::string& log : {std::string(), log_of(5, 100), log_of(3, 100'000)}) {
    for (const std::string& reserved : {std::string(), std::string(5000, '\0'), std::string(100'000, '\0')}) {
      const LogExtent extent = measure_log(log + reserved);
      EXPECT_EQ(extent.whole_bytes, log.size());
      EXPECT_EQ(extent.torn_bytes, 0U);
      EXPECT_FALSE(extent.has_hole);
    }
  }
}

TEST(LogTail, is_what_a_cut_record_has_left_wherever_it_is_cut) {
  const std::string shorter = log_of(4, 50'000);
  const std::string log = log_of(5, 50'000);
  for (std::size_t cut = 1; cut < log.size() - shorter.size(); cut += 997) {
    const LogExtent extent = measure_log(log.substr(0, log.size() - cut));
    EXPECT_EQ(extent.whole_bytes, shorter.size()) << cut;
    EXPECT_GT(extent.torn_bytes, 0U) << cut;
    EXPECT_FALSE(extent.has_hole) << cut;
  }
}

TEST(LogTail, is_torn_too_when_the_disk_took_the_pages_of_the_last_record_in_any_order) {
  const std::string shorter = log_of(4, 50'000);
  const std::string log = log_of(5, 50'000);
  for (std::size_t page = shorter.size() / 4096 + 1; (page + 1) * 4096 < log.size(); ++page) {
    std::string torn = log;
    torn.replace(page * 4096, 4096, 4096, '\0');
    const LogExtent extent = measure_log(torn);
    EXPECT_EQ(extent.whole_bytes, shorter.size()) << page;
    EXPECT_FALSE(extent.has_hole) << page;
  }
}

TEST(LogTail, has_a_hole_when_a_record_before_others_is_not_whole) {
  for (const std::size_t bytes : {100, 50'000}) {
    const std::string log = log_of(5, bytes);
    const std::size_t last_record = log_of(4, bytes).size();
    for (std::size_t at = 0; at < last_record; at += 1 + bytes / 50) {
      std::string damaged = log;
      damaged[at] = static_cast<char>(damaged[at] ^ 0x20);
      const LogExtent extent = measure_log(damaged);
      EXPECT_TRUE(extent.has_hole) << at;
      EXPECT_LE(extent.whole_bytes, at);
    }
    EXPECT_TRUE(measure_log(std::string(32 * 1024, '\0') + log).has_hole) << "a block of zeros before all others";
  }
}

TEST(Recovery, counts_the_records_of_the_log_and_shows_the_directory_before_anything_is_changed) {
  const TemporaryDirectory temp;
  Options options = test::options_for(temp / "data", Durability::kSync);
  {
    const auto storage = test::open_store(options);
    EXPECT_EQ(storage->recovery().log_records, 0U);
    for (int i = 0; i < 3; ++i) test::must(storage->commit(test::batch_of(test::kRows, std::to_string(i), "v")));
    std::filesystem::copy(temp / "data", temp / "killed", std::filesystem::copy_options::recursive);
  }
  options.directory = temp / "killed";
  const auto before = test::picture_of(temp / "killed");
  options.inspect_directory = [&](const std::filesystem::path& directory) -> Result<void> {
    EXPECT_EQ(directory, temp / "killed");
    return std::unexpected(Error(Code::kCorruption, "refused"));
  };
  EXPECT_EQ(Storage::open(options).error().message(), "refused");
  EXPECT_EQ(test::picture_of(temp / "killed"), before);
  options.inspect_directory = {};
  EXPECT_EQ(test::open_store(options)->recovery().log_records, 3U);
}

}  // namespace
}  // namespace dolmen::storage
