#include "protocol/compression.h"

#include <gtest/gtest.h>
#include <string>

#include "base/test_result.h"

namespace dolmen {
namespace {

constexpr std::size_t kBytesMax = std::size_t{1} << 20;

TEST(Compression, gives_back_what_it_was_given) {
  for (const std::size_t size : {std::size_t{0}, std::size_t{1}, std::size_t{4096}, kBytesMax}) {
    const std::string body(size, 'x');
    EXPECT_EQ(decompress_gzip(compress(Encoding::kGzip, body), kBytesMax), body) << size;
  }
}

TEST(Compression, puts_many_tiny_members_together_in_linear_time) {
  constexpr std::size_t kMembers = 200'000;
  const std::string member = compress(Encoding::kGzip, "x");
  std::string all;
  for (std::size_t i = 0; i < kMembers; ++i) all += member;
  EXPECT_EQ(decompress_gzip(all, kBytesMax), std::string(kMembers, 'x'));
}

TEST(Compression, stops_at_the_limit) {
  const std::string longest = compress(Encoding::kGzip, std::string(kBytesMax, 'x'));
  EXPECT_THAT(decompress_gzip(longest, kBytesMax), succeeds());
  EXPECT_THAT(decompress_gzip(longest + compress(Encoding::kGzip, "x"), kBytesMax), fails_with(Code::kRequestTooLarge));
  EXPECT_THAT(decompress_gzip(longest, kBytesMax - 1), fails_with(Code::kRequestTooLarge));
}

TEST(Compression, refuses_what_is_cut_or_damaged_anywhere) {
  const std::string whole = compress(Encoding::kGzip, "a body that is long enough to be worth it, worth it, worth it");
  for (std::size_t length = 0; length < whole.size(); ++length) {
    const auto cut = decompress_gzip(whole.substr(0, length), kBytesMax);
    ASSERT_FALSE(cut) << length;
    EXPECT_THAT(cut, fails_with(Code::kMalformedEncoding)) << length;
  }
  EXPECT_THAT(decompress_gzip(whole + "junk", kBytesMax), fails_with(Code::kMalformedEncoding));
}

TEST(AcceptEncoding, chooses_the_highest_quality_then_the_first_then_the_star) {
  EXPECT_EQ(accepted_encoding(""), Encoding::kNone);
  EXPECT_EQ(accepted_encoding("identity, br"), Encoding::kNone);
  EXPECT_EQ(accepted_encoding("deflate, gzip"), Encoding::kDeflate);
  EXPECT_EQ(accepted_encoding("deflate;q=0.5, GZIP"), Encoding::kGzip);
  EXPECT_EQ(accepted_encoding("*, deflate"), Encoding::kDeflate);
  EXPECT_EQ(accepted_encoding("*, deflate;q=0.5"), Encoding::kGzip);
  EXPECT_EQ(accepted_encoding("gzip;q=0, *;q=0"), Encoding::kNone);
}

}  // namespace
}  // namespace dolmen
