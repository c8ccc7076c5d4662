#include "base/base64.h"

#include <gtest/gtest.h>

#include "base/test_result.h"
#include "base/test_seed.h"

namespace dolmen {
namespace {

TEST(Base64, writes_the_vectors_of_rfc_4648) {
  const std::pair<const char*, const char*> vectors[] = {{"", ""},
                                                         {"f", "Zg=="},
                                                         {"fo", "Zm8="},
                                                         {"foo", "Zm9v"},
                                                         {"foob", "Zm9vYg=="},
                                                         {"fooba", "Zm9vYmE="},
                                                         {"foobar", "Zm9vYmFy"}};
  for (const auto& [bytes, text] : vectors) {
    EXPECT_EQ(encode_base64(bytes), text);
    EXPECT_EQ(decode_base64(text).value(), bytes);
  }
}

TEST(Base64, has_two_alphabets) {
  EXPECT_EQ(encode_base64("\xFB\xFF"), "+/8=");
  EXPECT_EQ(encode_base64("\xFB\xFF", Base64::kUrl), "-_8=");
  EXPECT_EQ(decode_base64("-_8=", Base64::kUrl).value(), "\xFB\xFF");
  EXPECT_FALSE(decode_base64("-_8=").has_value());
  EXPECT_FALSE(decode_base64("+/8=", Base64::kUrl).has_value());
}

TEST(Base64, refuses_a_length_that_is_not_a_multiple_of_four) {
  const auto decoded = decode_base64("Zg=");
  ASSERT_FALSE(decoded.has_value());
  EXPECT_THAT(decoded, fails_with(Code::kSerialization));
  EXPECT_EQ(decoded.error().message(), "Base64 encoded length is expected a multiple of 4 bytes but found: 3");
}

TEST(Base64, refuses_everything_but_the_one_canonical_text) {
  for (const char* text : {"Zh==", "Zm9=", "Z===", "====", "=+/=", "Zg==Zg==", "Z g=", "Zm9\n", "!!!!"}) {
    const auto decoded = decode_base64(text);
    ASSERT_FALSE(decoded.has_value()) << text;
    EXPECT_EQ(decoded.error().message(), "Invalid last non-pad Base64 character dectected") << text;
  }
}

TEST(Base64, reads_back_any_bytes_and_accepts_no_other_text_for_them) {
  std::mt19937_64 random(test_seed("base64"));
  for (int i = 0; i < 20'000; ++i) {
    std::string bytes(random() % 40, '\0');
    for (char& byte : bytes) byte = static_cast<char>(random());
    std::string text = encode_base64(bytes);
    ASSERT_EQ(decode_base64(text).value(), bytes);
    if (text.empty()) continue;
    text[random() % text.size()] = static_cast<char>(random());
    if (const auto other = decode_base64(text)) {
      ASSERT_EQ(encode_base64(*other), text);
    }
  }
}

}  // namespace
}  // namespace dolmen
