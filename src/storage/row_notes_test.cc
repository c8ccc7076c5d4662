#include "storage/row_notes.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <thread>
#include <vector>

namespace dolmen::storage {
namespace {

TEST(RowNotes, knows_what_was_kept_last_until_it_is_forgotten) {
  RowNotes notes;
  EXPECT_EQ(notes.find("row"), std::nullopt);
  notes.keep("row", 7);
  notes.keep("other row", 8);
  EXPECT_EQ(notes.find("row"), 7);
  notes.keep("row", 0);
  EXPECT_EQ(notes.find("row"), 0);
  EXPECT_EQ(notes.find("ro"), std::nullopt);
  notes.forget("row");
  EXPECT_EQ(notes.find("row"), std::nullopt);
  EXPECT_EQ(notes.find("other row"), 8);
}

TEST(RowNotes, remembers_no_row_with_a_long_key_and_none_without_a_key) {
  RowNotes notes;
  const std::string longest(RowNotes::kKeyBytesMax, 'k');
  notes.keep(longest, 1);
  notes.keep(longest + 'k', 2);
  notes.keep("", 3);
  EXPECT_EQ(notes.find(longest), 1);
  EXPECT_EQ(notes.find(longest + 'k'), std::nullopt);
  EXPECT_EQ(notes.find(""), std::nullopt);
}

TEST(RowNotes, forgets_rows_rather_than_grow_and_never_gives_the_note_of_another) {
  RowNotes notes;
  const auto key = [](std::uint32_t number) { return fmt::format("row {}", number); };
  constexpr std::uint32_t kCount = 4 * RowNotes::kRows;
  for (std::uint32_t i = 0; i < kCount; ++i) notes.keep(key(i), i);
  std::size_t known = 0;
  for (std::uint32_t i = 0; i < kCount; ++i)
    if (const auto note = notes.find(key(i))) {
      ASSERT_EQ(*note, i);
      ++known;
    }
  EXPECT_GT(known, RowNotes::kRows / 2);
  EXPECT_LE(known, RowNotes::kRows);
}

TEST(RowNotes, can_be_used_by_many_threads_whose_rows_share_places) {
  RowNotes notes;
  const auto use = [&notes](std::uint32_t thread) {
    for (std::uint32_t i = 0; i < 50'000; ++i) {
      const std::string key = fmt::format("{} {}", thread, i % 20'000);
      notes.keep(key, thread);
      ASSERT_EQ(notes.find(key).value_or(thread), thread);
      if (i % 3 == 0) {
        notes.forget(key);
        ASSERT_EQ(notes.find(key), std::nullopt);
      }
    }
  };
  std::vector<std::thread> threads;
  for (std::uint32_t i = 0; i < 4; ++i) threads.emplace_back(use, i);
  for (std::thread& thread : threads) thread.join();
}

}  // namespace
}  // namespace dolmen::storage
