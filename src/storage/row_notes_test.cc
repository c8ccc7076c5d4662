#include "storage/row_notes.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <thread>
#include <vector>

namespace dolmen::storage {
namespace {

TEST(RowNotes, knows_what_was_kept_last_until_it_is_forgotten) {
  RowNotes notes;
  EXPECT_EQ(notes.find(notes.row("row")), std::nullopt);
  notes.keep(notes.row("row"), 7);
  notes.keep(notes.row("other row"), 8);
  EXPECT_EQ(notes.find(notes.row("row")), 7);
  notes.keep(notes.row("row"), 0);
  EXPECT_EQ(notes.find(notes.row("row")), 0);
  EXPECT_EQ(notes.find(notes.row("ro")), std::nullopt);
  notes.forget(notes.row("row"));
  EXPECT_EQ(notes.find(notes.row("row")), std::nullopt);
  EXPECT_EQ(notes.find(notes.row("other row")), 8);
}

TEST(RowNotes, remembers_nothing_of_long_keys) {
  RowNotes notes;
  const auto knows = [&](std::size_t bytes) {
    const RowNotes::Row row = notes.row(std::string(bytes, 'k'));
    notes.keep(row, 1);
    return notes.find(row).has_value();
  };
  EXPECT_TRUE(knows(RowNotes::kKeyBytesMax));
  EXPECT_FALSE(knows(RowNotes::kKeyBytesMax + 1));
}

TEST(RowNotes, forgets_rows_rather_than_grow_and_never_gives_the_note_of_another) {
  RowNotes notes;
  const auto key = [](std::uint32_t number) { return fmt::format("row {}", number); };
  constexpr std::uint32_t kCount = 4 * RowNotes::kRows;
  for (std::uint32_t i = 0; i < kCount; ++i) notes.keep(notes.row(key(i)), i);
  std::size_t known = 0;
  for (std::uint32_t i = 0; i < kCount; ++i)
    if (const auto note = notes.find(notes.row(key(i)))) {
      ASSERT_EQ(*note, i);
      ++known;
    }
  EXPECT_GT(known, RowNotes::kRows * 9 / 10);
  EXPECT_LE(known, RowNotes::kRows);
}

TEST(RowNotes, knows_nearly_all_of_a_quarter_as_many_rows_as_it_may) {
  RowNotes notes;
  constexpr std::uint32_t kCount = RowNotes::kRows / 4;
  for (std::uint32_t i = 0; i < kCount; ++i) notes.keep(notes.row(fmt::format("row {}", i)), i);
  std::size_t known = 0;
  for (std::uint32_t i = 0; i < kCount; ++i) known += notes.find(notes.row(fmt::format("row {}", i))) == i ? 1 : 0;
  EXPECT_GT(known, kCount * 98 / 100);
}

TEST(RowNotes, can_be_used_by_many_threads_whose_rows_share_places) {
  RowNotes notes;
  const auto use = [&notes](std::uint32_t thread) {
    for (std::uint32_t i = 0; i < 50'000; ++i) {
      const std::string key = fmt::format("{} {}", thread, i % 20'000);
      notes.keep(notes.row(key), thread);
      ASSERT_EQ(notes.find(notes.row(key)).value_or(thread), thread);
      if (i % 3 == 0) {
        notes.forget(notes.row(key));
        ASSERT_EQ(notes.find(notes.row(key)), std::nullopt);
      }
    }
  };
  std::vector<std::thread> threads;
  for (std::uint32_t i = 0; i < 4; ++i) threads.emplace_back(use, i);
  for (std::thread& thread : threads) thread.join();
}

}  // namespace
}  // namespace dolmen::storage
