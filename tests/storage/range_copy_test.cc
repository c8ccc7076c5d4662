// Copies of some rows of a store.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/test_result.h"
#include "test_support.h"

namespace dolmen::storage {
namespace {

using test::kNotes;
using test::kRows;

TEST(RangeCopy, has_the_rows_that_are_kept_and_not_the_files_of_others) {
  const TemporaryDirectory temp;
  Options options = test::options_for(temp / "data");
  options.write_buffer_bytes = std::size_t{64} << 10;
  const auto storage = test::open_store(options);
  for (int i = 0; i < 4000; ++i) {
    Batch batch;
    batch.put(kRows, (i % 2 == 0 ? "a" : "b") + std::to_string(i), std::string(300, 'v'));
    batch.put(kNotes, std::to_string(i), std::string(100, 'n'));
    test::must(storage->commit(std::move(batch)));
  }
  // In files of lower levels, of which whole ones can be left out.
  EXPECT_EQ(test::must(storage->reclaim(kRows, {.lower = "c", .upper = "d"})), true);
  EXPECT_EQ(test::must(storage->reclaim(kNotes, {.lower = "c", .upper = "d"})), true);
  const KeptRange kept[] = {{.keyspace = kRows, .lower = "b", .upper = "c"}, {.keyspace = kNotes}};
  ASSERT_THAT(storage->copy_ranges(temp / "copy", kept), succeeds());
  test::must(storage->commit(test::batch_of(kRows, "b1", "later")));
  const auto copy = test::must(Storage::open_copy(temp / "copy", options.keyspaces));
  const auto count = [&](Keyspace keyspace, KeyRangeView range) {
    std::size_t found = 0;
    auto rows = copy->iterate(keyspace, range);
    for (rows.seek_first(); rows.valid(); rows.next()) ++found;
    EXPECT_THAT(rows.status(), succeeds());
    return found;
  };
  EXPECT_EQ(count(kRows, {.lower = "b", .upper = "c"}), 2000U);
  EXPECT_EQ(count(kNotes, {}), 4000U);
  EXPECT_EQ(test::read(*copy, kRows, "b1"), std::string(300, 'v'));
  EXPECT_FALSE(copy->commit(test::batch_of(kRows, "key", "value")));
}

TEST(RangeCopy, is_refused_without_its_list) {
  const TemporaryDirectory temp;
  const auto storage = test::open_store(test::options_for(temp / "data"));
  const KeptRange kept[] = {{.keyspace = kRows}};
  ASSERT_THAT(storage->copy_ranges(temp / "copy", kept), succeeds());
  std::filesystem::remove(temp / "copy" / "FILES");
  EXPECT_THAT(Storage::open_copy(temp / "copy", {"rows", "notes"}), fails_with(Code::kCorruption));
}

}  // namespace
}  // namespace dolmen::storage
