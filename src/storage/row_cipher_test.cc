#include "storage/row_cipher.h"

#include <functional>
#include <gtest/gtest.h>

namespace dolmen::storage {
namespace {

RowCipher::Key key_of(std::uint8_t byte) {
  RowCipher::Key key{};
  key.fill(byte);
  return key;
}

/// Gives the bytes of a text.
class GivenBytes final : public Random {
 public:
  explicit GivenBytes(std::string bytes) : bytes_(std::move(bytes)) {}
  void fill(std::span<std::byte> out) override {
    for (std::size_t i = 0; i < out.size(); ++i) out[i] = static_cast<std::byte>(bytes_[i % bytes_.size()]);
  }

 private:
  std::string bytes_;
};

std::string hex(std::string_view bytes) {
  std::string text;
  for (const char byte : bytes) {
    constexpr std::string_view kDigits = "0123456789abcdef";
    text.push_back(kDigits[static_cast<unsigned char>(byte) >> 4U]);
    text.push_back(kDigits[static_cast<unsigned char>(byte) & 15U]);
  }
  return text;
}

std::string sealed(const RowCipher& cipher, std::string_view context, std::string_view plain) {
  std::string out;
  cipher.seal(context, plain, out);
  return out;
}

TEST(RowCipher, gives_the_vectors_of_its_specification) {
  constexpr std::string_view kNonce = "ABCDEFGHIJKLMNOPQRSTUVWX";
  GivenBytes nonce{std::string(kNonce)};
  std::string out;
  RowCipher(key_of(1)).seal("", "XAES-256-GCM", out, nonce);
  EXPECT_EQ(out.substr(0, kNonce.size()), kNonce);
  EXPECT_EQ(hex(out.substr(kNonce.size())), "ce546ef63c9cc60765923609b33a9a1974e96e52daf2fcf7075e2271");
  out.clear();
  // The first block of this key has its top bit set, so that the doubling of CMAC is seen to carry.
  RowCipher(key_of(3)).seal("c2sp.org/XAES-256-GCM", "XAES-256-GCM", out, nonce);
  EXPECT_EQ(hex(out.substr(kNonce.size())), "986ec1832593df5443a179437fd083bf3fdb41abd740a21f71eb769d");
}

TEST(RowCipher, opens_what_it_sealed) {
  const RowCipher cipher(key_of(7));
  for (const std::string& plain : {std::string(), std::string("x"), std::string(100'000, 'y')}) {
    std::string opened = "left over";
    ASSERT_TRUE(cipher.open("row", sealed(cipher, "row", plain), opened));
    EXPECT_EQ(opened, plain);
  }
}

TEST(RowCipher, never_seals_the_same_text_alike) {
  const RowCipher cipher(key_of(7));
  EXPECT_NE(sealed(cipher, "row", "text"), sealed(cipher, "row", "text"));
}

TEST(RowCipher, refuses_another_key_and_another_context) {
  const std::string bytes = sealed(RowCipher(key_of(7)), "row", "text");
  std::string opened;
  EXPECT_FALSE(RowCipher(key_of(8)).open("row", bytes, opened));
  EXPECT_FALSE(RowCipher(key_of(7)).open("another", bytes, opened));
  EXPECT_EQ(opened, "");
}

TEST(RowCipher, refuses_what_was_changed_or_cut) {
  const RowCipher cipher(key_of(7));
  const std::string bytes = sealed(cipher, "row", "text");
  std::string opened;
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    std::string changed = bytes;
    changed[i] = static_cast<char>(changed[i] ^ 1);
    EXPECT_FALSE(cipher.open("row", changed, opened)) << "byte " << i;
    EXPECT_FALSE(cipher.open("row", bytes.substr(0, i), opened)) << "cut to " << i;
  }
}

}  // namespace
}  // namespace dolmen::storage
