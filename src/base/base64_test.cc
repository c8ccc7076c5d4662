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
    std::string bytes(random() % 200, '\0');
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

TEST(Base64, finds_a_foreign_character_at_every_place_of_long_texts) {
  const std::string_view alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  for (std::size_t i = 0; i < 160; ++i) text.push_back(alphabet[i * 7 % alphabet.size()]);
  ASSERT_TRUE(check_base64(text).has_value());
  for (std::size_t at = 0; at < text.size(); ++at)
    for (int byte = 0; byte < 256; ++byte) {
      const char letter = static_cast<char>(byte);
      std::string changed = text;
      changed[at] = letter;
      const bool padding = letter == '=' && at + 1 == text.size() && alphabet.find(text[at - 1]) % 4 == 0;
      ASSERT_EQ(check_base64(changed).has_value(), padding || alphabet.find(letter) != std::string_view::npos)
          << "byte " << byte << " at " << at;
    }
}

TEST(Base64, writes_every_byte_at_every_place_of_a_long_text_as_a_short_one) {
  for (std::size_t at = 0; at < 96; ++at)
    for (int byte = 0; byte < 256; ++byte) {
      std::string bytes(96, 'x');
      bytes[at] = static_cast<char>(byte);
      const std::string text = encode_base64(bytes);
      std::string in_threes;
      for (std::size_t i = 0; i < bytes.size(); i += 3) in_threes += encode_base64(bytes.substr(i, 3));
      ASSERT_EQ(text, in_threes);
      ASSERT_EQ(decode_base64(text).value(), bytes);
    }
}

TEST(Base64, writes_nothing_behind_its_result) {
  for (std::size_t size = 0; size < 200; ++size) {
    const std::string bytes(size, 'q');
    std::string text(base64_size(size) + 40, '~');
    write_base64(text.data(), bytes);
    ASSERT_EQ(text.substr(base64_size(size)), std::string(40, '~'));
    text.resize(base64_size(size));
    std::string decoded(size + 40, '~');
    write_decoded_base64(decoded.data(), text);
    ASSERT_EQ(decoded, bytes + std::string(40, '~'));
  }
}

}  // namespace
}  // namespace dolmen
