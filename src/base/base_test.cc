#include <chrono>
#include <csignal>
#include <gtest/gtest.h>
#include <set>
#include <stop_token>

#include "base/check.h"
#include "base/clock.h"
#include "base/endian.h"
#include "base/fail.h"
#include "base/hash.h"
#include "base/percent_encoding.h"
#include "base/random.h"
#include "base/sleep.h"
#include "base/test_result.h"
#include "base/varint.h"
#include "base/wildcard.h"
#include "dolmen/bytes.h"
#include "dolmen/version.h"

namespace dolmen {
namespace {

TEST(Error, has_a_stable_name_for_every_code) {
  std::set<std::string_view> names;
  for (int code = 0; code <= static_cast<int>(Code::kAddressInUse); ++code)
    names.insert(code_name(static_cast<Code>(code)));
  EXPECT_EQ(names.size(), static_cast<std::size_t>(Code::kAddressInUse) + 1);
  EXPECT_EQ(code_name(Code::kTableNotFound), "TableNotFound");
}

TEST(Error, has_the_portable_names_of_dms) {
  const std::pair<Code, std::string_view> names[] = {
      {Code::kInvalidModel, "ErrInvalidModel"},
      {Code::kMissingPrimaryKey, "ErrMissingPrimaryKey"},
      {Code::kItemNotFound, "ErrItemNotFound"},
      {Code::kConditionFailed, "ErrConditionFailed"},
      {Code::kInvalidOperator, "ErrInvalidOperator"},
      {Code::kEncryptedFieldNotQueryable, "ErrEncryptedFieldNotQueryable"},
      {Code::kEncryptionNotConfigured, "ErrEncryptionNotConfigured"},
      {Code::kInvalidEncryptedEnvelope, "ErrInvalidEncryptedEnvelope"},
      {Code::kImmutableModelMutation, "ErrImmutableModelMutation"},
      {Code::kProtectedFieldMutation, "ErrProtectedFieldMutation"},
      {Code::kTableNotFound, "ErrTableNotFound"},
      {Code::kLeaseHeld, "ErrLeaseHeld"},
      {Code::kLeaseNotOwned, "ErrLeaseNotOwned"},
      {Code::kTransactionCanceled, "ErrTransactionFailed"}};
  for (const auto& [code, name] : names) EXPECT_EQ(portable_error_name(code), name);
  EXPECT_EQ(portable_error_name(Code::kValidation), "");
}

Result<int> half(int n) {
  if (n % 2 != 0) return fail(Code::kInvalidArgument, "{} is odd", n);
  return n / 2;
}

Result<int> quarter(int n) {
  DOLMEN_TRY(const int once, half(n));
  DOLMEN_TRY(const int twice, half(once));
  return twice;
}

Result<void> check_even(int n) {
  DOLMEN_TRY_VOID(half(n));
  return {};
}

TEST(Result, passes_values_on_and_errors_up) {
  EXPECT_EQ(quarter(8).value(), 2);
  EXPECT_THAT(quarter(6), fails_with(Code::kInvalidArgument, "3 is odd"));
  EXPECT_THAT(check_even(2), succeeds());
  EXPECT_EQ(check_even(1).error().message(), "1 is odd");
}

TEST(CheckDeathTest, stops_the_process_and_says_where) {
  EXPECT_EXIT(DOLMEN_CHECK(1 + 1 == 3, "arithmetic"), testing::KilledBySignal(SIGABRT),
              "base_test.cc:.*invariant broken: 1 \\+ 1 == 3 \\(arithmetic\\)");
}

TEST(PercentEncoding, is_read_back) {
  const std::string text("a b%/\0\xff#~", 9);
  EXPECT_EQ(percent_encoded(text), "a%20b%25%2F%00%FF%23~");
  EXPECT_EQ(percent_decoded(percent_encoded(text)), text);
  EXPECT_EQ(percent_decoded("%2f%2F"), "//");
  for (const char* wrong : {"%", "%2", "a%zz", "%-1", "% 1"}) EXPECT_EQ(percent_decoded(wrong), std::nullopt) << wrong;
}

TEST(Varint, reads_back_what_it_writes_and_leaves_the_rest) {
  for (const std::uint64_t value : {0ULL, 1ULL, 127ULL, 128ULL, 16383ULL, 16384ULL, 0xFFFFFFFFULL, ~0ULL}) {
    std::string bytes;
    append_varint(bytes, value);
    bytes += "rest";
    std::string_view view = bytes;
    EXPECT_EQ(take_varint(view), value);
    EXPECT_EQ(view, "rest");
  }
}

TEST(Varint, refuses_what_is_cut_short_too_long_or_padded) {
  using namespace std::string_view_literals;
  for (std::string_view bytes :
       {""sv, "\x80"sv, "\x80\x00"sv, "\xFF\x80\x00"sv, "\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\x02"sv,
        "\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\x01"sv})
    EXPECT_EQ(take_varint(bytes), std::nullopt);
}

TEST(BigEndian, sorts_as_the_numbers_do) {
  const auto encoded = [](std::uint32_t n) {
    std::string bytes;
    append_big_endian(bytes, n);
    return bytes;
  };
  EXPECT_LT(encoded(255), encoded(256));
  EXPECT_EQ(encoded(0x01020304), "\x01\x02\x03\x04");
  EXPECT_EQ(read_big_endian<std::uint32_t>("\x01\x02\x03\x04"), 0x01020304U);
}

TEST(Hash, never_changes) {
  EXPECT_EQ(hash64(""), 0x2D06800538D394C2ULL);
  EXPECT_EQ(hash64("dolmen"), hash64(std::string("dolmen")));
  EXPECT_NE(hash64("dolmen"), hash64("dolmeN"));
}

TEST(Bytes, are_ordered_unsigned) { EXPECT_LT(Bytes("\x7F"), Bytes("\x80")); }

class CountingRandom final : public Random {
 public:
  void fill(std::span<std::byte> out) override {
    for (std::byte& byte : out) byte = static_cast<std::byte>(next_++);
  }

 private:
  unsigned next_ = 0;
};

TEST(Random, makes_uuids_of_version_4_from_the_bytes_it_is_given) {
  CountingRandom random;
  EXPECT_EQ(random_uuid(random), "07060504-0302-4100-8f0e-0d0c0b0a0908");
  EXPECT_NE(random_uuid(system_random()), random_uuid(system_random()));
}

TEST(Clock, of_the_system_moves) { EXPECT_GT(system_clock().now().time_since_epoch().count(), 0); }

TEST(Sleep, lasts_as_long_as_asked_or_until_a_stop) {
  using Clock = std::chrono::steady_clock;
  std::stop_source source;
  const Clock::time_point begin = Clock::now();
  sleep_unless_stopped(std::chrono::milliseconds(5), source.get_token());
  EXPECT_GE(Clock::now() - begin, std::chrono::milliseconds(5));
  source.request_stop();
  sleep_unless_stopped(std::chrono::hours(1), source.get_token());
  EXPECT_LT(Clock::now() - begin, std::chrono::hours(1));
}

TEST(Wildcard, stands_for_any_characters) {
  for (const auto& [pattern, name] : {std::pair("", ""),
                                      {"a", "a"},
                                      {"*", ""},
                                      {"*", "a"},
                                      {"a*", "a"},
                                      {"a*", "abc"},
                                      {"*c", "abc"},
                                      {"a*c", "abcbc"},
                                      {"a**", "a"}})
    EXPECT_TRUE(matches_wildcard(pattern, name)) << pattern << " and " << name;
  for (const auto& [pattern, name] :
       {std::pair("", "a"), {"a", ""}, {"a", "ab"}, {"ab", "a"}, {"a*c", "ab"}, {"*b", "abc"}, {"a*b*", "a"}})
    EXPECT_FALSE(matches_wildcard(pattern, name)) << pattern << " and " << name;
}

TEST(Version, has_three_parts) { EXPECT_EQ(std::count(version().begin(), version().end(), '.'), 2); }

}  // namespace
}  // namespace dolmen
