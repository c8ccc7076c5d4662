#include "protocol/compression.h"

#include <gtest/gtest.h>
#include <string>

#include "base/test_result.h"

namespace dolmen {
namespace {

constexpr std::size_t kBytesMax = std::size_t{1} << 20;

constexpr Encoding kEncodings[] = {Encoding::kGzip, Encoding::kDeflate};

TEST(Compression, gives_back_what_it_was_given) {
  for (const Encoding encoding : kEncodings)
    for (const std::size_t size : {std::size_t{0}, std::size_t{1}, std::size_t{4096}, kBytesMax}) {
      const std::string body(size, 'x');
      EXPECT_EQ(decompress(encoding, compress(encoding, body), kBytesMax), body) << size;
    }
}

TEST(Compression, puts_many_tiny_members_together_in_linear_time) {
  constexpr std::size_t kMembers = 200'000;
  const std::string member = compress(Encoding::kGzip, "x");
  std::string all;
  for (std::size_t i = 0; i < kMembers; ++i) all += member;
  EXPECT_EQ(decompress(Encoding::kGzip, all, kBytesMax), std::string(kMembers, 'x'));
}

TEST(Compression, stops_at_the_limit) {
  for (const Encoding encoding : kEncodings) {
    const std::string longest = compress(encoding, std::string(kBytesMax, 'x'));
    EXPECT_THAT(decompress(encoding, longest, kBytesMax), succeeds());
    EXPECT_THAT(decompress(encoding, longest, kBytesMax - 1), fails_with(Code::kRequestTooLarge));
  }
  const std::string members = compress(Encoding::kGzip, std::string(kBytesMax, 'x')) + compress(Encoding::kGzip, "x");
  EXPECT_THAT(decompress(Encoding::kGzip, members, kBytesMax), fails_with(Code::kRequestTooLarge));
}

TEST(Compression, refuses_what_is_cut_or_damaged_anywhere) {
  for (const Encoding encoding : kEncodings) {
    const std::string whole = compress(encoding, "a body that is long enough to be worth it, worth it, worth it");
    for (std::size_t length = 0; length < whole.size(); ++length)
      EXPECT_THAT(decompress(encoding, whole.substr(0, length), kBytesMax), fails_with(Code::kMalformedEncoding))
          << length;
    EXPECT_THAT(decompress(encoding, whole + "junk", kBytesMax), fails_with(Code::kMalformedEncoding));
  }
}

TEST(ContentEncoding, is_gzip_deflate_or_none_in_any_case) {
  EXPECT_EQ(encoding_of(""), Encoding::kNone);
  EXPECT_EQ(encoding_of("identity"), Encoding::kNone);
  EXPECT_EQ(encoding_of("GZip"), Encoding::kGzip);
  EXPECT_EQ(encoding_of("deflate"), Encoding::kDeflate);
  EXPECT_EQ(encoding_of("br"), std::nullopt);
  EXPECT_EQ(encoding_of("gzip, deflate"), std::nullopt);
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
