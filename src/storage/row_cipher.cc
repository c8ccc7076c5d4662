#include "storage/row_cipher.h"

#include <algorithm>
#include <memory>
#include <openssl/crypto.h>
#include <openssl/evp.h>

#include "base/check.h"

namespace dolmen::storage {
namespace {

constexpr std::size_t kSaltBytes = 12;

struct FreeContext {
  void operator()(EVP_CIPHER_CTX* context) const { EVP_CIPHER_CTX_free(context); }
};

/// Fetched once: OpenSSL would look for the cipher again at every use.
const EVP_CIPHER* cipher_named(const char* name) {
  const EVP_CIPHER* cipher = EVP_CIPHER_fetch(nullptr, name, nullptr);
  DOLMEN_CHECK(cipher != nullptr, "OpenSSL has AES-256");
  return cipher;
}

const EVP_CIPHER* block_cipher() {
  static const EVP_CIPHER* const cipher = cipher_named("AES-256-ECB");
  return cipher;
}

const EVP_CIPHER* message_cipher() {
  static const EVP_CIPHER* const cipher = cipher_named("AES-256-GCM");
  return cipher;
}

using Context = std::unique_ptr<EVP_CIPHER_CTX, FreeContext>;

Context new_context() {
  Context context(EVP_CIPHER_CTX_new());
  DOLMEN_CHECK(context != nullptr, "OpenSSL has memory for a cipher");
  return context;
}

// Contexts of this thread, one for each cipher: making one, or giving it another cipher, takes longer than encrypting a
// small row.
EVP_CIPHER_CTX* block_context() {
  thread_local const Context context = new_context();
  return context.get();
}

EVP_CIPHER_CTX* message_context() {
  thread_local const Context context = new_context();
  return context.get();
}

const std::uint8_t* bytes_of(std::string_view text) { return reinterpret_cast<const std::uint8_t*>(text.data()); }
std::uint8_t* bytes_of(std::string& text) { return reinterpret_cast<std::uint8_t*>(text.data()); }

/// Encrypts whole blocks, each by itself.
void encrypt_blocks(const RowCipher::Key& key, std::span<const std::uint8_t> in, std::uint8_t* out) {
  EVP_CIPHER_CTX* const context = block_context();
  int length = 0;
  const bool done = EVP_EncryptInit_ex2(context, block_cipher(), key.data(), nullptr, nullptr) == 1 &&
                    EVP_CIPHER_CTX_set_padding(context, 0) == 1 &&
                    EVP_EncryptUpdate(context, out, &length, in.data(), static_cast<int>(in.size())) == 1;
  DOLMEN_CHECK(done, "OpenSSL encrypts blocks");
}

}  // namespace

RowCipher::RowCipher(const Key& key) : key_(key) {
  const std::array<std::uint8_t, 16> zeros{};
  encrypt_blocks(key_, zeros, mask_.data());
  // Doubled in GF(2^128), as CMAC does it.
  const bool carry = (mask_.front() & 0x80U) != 0;
  for (std::size_t i = 0; i < mask_.size(); ++i) {
    const unsigned next = i + 1 < mask_.size() ? mask_[i + 1] >> 7U : 0U;
    mask_[i] = static_cast<std::uint8_t>((mask_[i] << 1U) | next);
  }
  if (carry) mask_.back() ^= 0x87U;
}

RowCipher::~RowCipher() {
  wipe(key_);
  OPENSSL_cleanse(mask_.data(), mask_.size());
}

RowCipher::Key RowCipher::derived(std::span<const std::uint8_t, 12> salt) const {
  std::array<std::uint8_t, 32> blocks{0, 1, 'X', 0};
  blocks[17] = 2;
  blocks[18] = 'X';
  for (std::size_t i = 0; i < salt.size(); ++i) blocks[4 + i] = blocks[20 + i] = salt[i];
  for (std::size_t i = 0; i < blocks.size(); ++i) blocks[i] ^= mask_[i % mask_.size()];
  Key key{};
  encrypt_blocks(key_, blocks, key.data());
  return key;
}

void RowCipher::seal(std::string_view context, std::string_view plain, std::string& out, Random& random) const {
  Nonce nonce{};
  random.fill(std::as_writable_bytes(std::span(nonce)));
  Key key = derived(std::span(nonce).first<kSaltBytes>());
  const std::size_t start = out.size();
  out.resize(start + plain.size() + kOverheadBytes);
  std::uint8_t* const to = bytes_of(out) + start;
  std::ranges::copy(nonce, to);
  EVP_CIPHER_CTX* const cipher = message_context();
  int length = 0;
  const bool done =
      EVP_EncryptInit_ex2(cipher, message_cipher(), key.data(), nonce.data() + kSaltBytes, nullptr) == 1 &&
      EVP_EncryptUpdate(cipher, nullptr, &length, bytes_of(context), static_cast<int>(context.size())) == 1 &&
      EVP_EncryptUpdate(cipher, to + kNonceBytes, &length, bytes_of(plain), static_cast<int>(plain.size())) == 1 &&
      EVP_EncryptFinal_ex(cipher, to + kNonceBytes + plain.size(), &length) == 1 &&
      EVP_CIPHER_CTX_ctrl(cipher, EVP_CTRL_AEAD_GET_TAG, kTagBytes, to + kNonceBytes + plain.size()) == 1;
  wipe(key);
  DOLMEN_CHECK(done, "OpenSSL encrypts a row");
}

bool RowCipher::open(std::string_view context, std::string_view sealed, std::string& plain) const {
  plain.clear();
  if (sealed.size() < kOverheadBytes) return false;
  const std::span<const std::uint8_t> in(bytes_of(sealed), sealed.size());
  Key key = derived(in.first<kSaltBytes>());
  const std::size_t size = sealed.size() - kOverheadBytes;
  plain.resize(size);
  std::array<std::uint8_t, kTagBytes> tag{};
  std::ranges::copy(in.last(kTagBytes), tag.begin());
  EVP_CIPHER_CTX* const cipher = message_context();
  int length = 0;
  const bool done =
      EVP_DecryptInit_ex2(cipher, message_cipher(), key.data(), in.data() + kSaltBytes, nullptr) == 1 &&
      EVP_DecryptUpdate(cipher, nullptr, &length, bytes_of(context), static_cast<int>(context.size())) == 1 &&
      EVP_DecryptUpdate(cipher, bytes_of(plain), &length, in.data() + kNonceBytes, static_cast<int>(size)) == 1 &&
      EVP_CIPHER_CTX_ctrl(cipher, EVP_CTRL_AEAD_SET_TAG, kTagBytes, tag.data()) == 1 &&
      EVP_DecryptFinal_ex(cipher, bytes_of(plain) + size, &length) == 1;
  wipe(key);
  if (!done) plain.clear();
  return done;
}

RowCipher::Key random_key(Random& random) {
  RowCipher::Key key{};
  random.fill(std::as_writable_bytes(std::span(key)));
  return key;
}

void wipe(RowCipher::Key& key) { OPENSSL_cleanse(key.data(), key.size()); }

}  // namespace dolmen::storage
