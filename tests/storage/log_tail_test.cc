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
  auto random = test::seeded_random();
  for (int i = 0; i < commits; ++i)
    test::must(storage->commit(test::batch_of(test::kRows, std::to_string(i), test::random_bytes(random, bytes))));
  return test::file_content(test::database_files(temp / "data", ".log").back());
}

TEST(LogTail, is_whole_when_every_record_is) {
  EXPECT_EQ(torn_bytes(""), 0U);
  EXPECT_EQ(torn_bytes(log_of(5, 100)), 0U);
  EXPECT_EQ(torn_bytes(log_of(3, 100'000)), 0U) << "records over several blocks";
  EXPECT_EQ(torn_bytes(log_of(5, 100) + std::string(5000, '\0')), 0U) << "space that was reserved";
}

TEST(LogTail, is_what_a_cut_record_has_left_wherever_it_is_cut) {
  const std::string shorter = log_of(4, 50'000);
  const std::string log = log_of(5, 50'000);
  for (std::size_t cut = 1; cut < log.size() - shorter.size(); cut += 997) {
    const std::uint64_t torn = torn_bytes(log.substr(0, log.size() - cut));
    EXPECT_GT(torn, 0U) << cut;
    EXPECT_LE(torn, log.size() - shorter.size()) << cut;
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
