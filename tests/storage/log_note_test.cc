#include <gtest/gtest.h>

#include "base/test_result.h"
#include "storage/log_note.h"
#include "test_support.h"

namespace dolmen::storage {
namespace {

const LogNote kNote{.generation = 7, .manifest = 5, .synced_bytes = {{12, 4000}, {15, 33}}};

TEST(LogNote, is_read_as_it_was_written) {
  EXPECT_EQ(decode_log_note(encode_log_note(kNote)), kNote);
  EXPECT_EQ(decode_log_note(encode_log_note({})), LogNote());
}

TEST(LogNote, is_refused_when_any_byte_of_it_is_changed_or_missing) {
  const std::string place = encode_log_note(kNote);
  for (std::size_t i = 0; i < place.size(); ++i) {
    std::string damaged = place;
    damaged[i] = static_cast<char>(damaged[i] ^ 4);
    EXPECT_FALSE(decode_log_note(damaged)) << i;
    EXPECT_FALSE(decode_log_note(place.substr(0, i))) << i;
  }
}

TEST(LogNote, leaves_out_logs_that_do_not_fit) {
  LogNote many;
  for (std::uint64_t i = 0; i < 1000; ++i) many.synced_bytes[i] = i;
  const std::string place = encode_log_note(many);
  EXPECT_LE(place.size(), kLogNotePlaceBytes);
  const std::optional<LogNote> read = decode_log_note(place);
  ASSERT_TRUE(read);
  EXPECT_GT(read->synced_bytes.size(), 200U);
  EXPECT_LT(read->synced_bytes.size(), 1000U);
}

TEST(LogNote, is_the_newer_one_that_is_whole) {
  const TemporaryDirectory temp;
  LogNote newer = kNote;
  newer.generation = 8;
  newer.synced_bytes[15] = 66;
  std::string older_first = encode_log_note(kNote);
  older_first.resize(kLogNotePlaceBytes);
  older_first += encode_log_note(newer);
  test::write_content(temp / "LOGS", older_first);
  auto found = test::must(read_log_note(temp / "LOGS"));
  ASSERT_TRUE(found);
  EXPECT_EQ(found->note, newer);
  EXPECT_EQ(found->place, 1U);

  std::string torn = older_first;
  torn[kLogNotePlaceBytes + 30] ^= 1;
  test::write_content(temp / "LOGS", torn);
  found = test::must(read_log_note(temp / "LOGS"));
  ASSERT_TRUE(found);
  EXPECT_EQ(found->note, kNote);
  EXPECT_EQ(found->place, 0U);

  torn[30] ^= 1;
  test::write_content(temp / "LOGS", torn);
  EXPECT_THAT(read_log_note(temp / "LOGS"), fails_with(Code::kCorruption));
  EXPECT_FALSE(test::must(read_log_note(temp / "missing")));
}

}  // namespace
}  // namespace dolmen::storage
