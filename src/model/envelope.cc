#include "model/envelope.h"

#include <limits>
#include <openssl/crypto.h>
#include <openssl/evp.h>

#include "base/fail.h"
#include "base/random.h"

namespace dolmen {

namespace {

constexpr std::size_t kTagBytes = 16;
constexpr std::string_view kVersion = "v";
constexpr std::string_view kEncryptedKey = "edk";
constexpr std::string_view kNonce = "nonce";
constexpr std::string_view kCiphertext = "ct";

struct FreeContext {
  void operator()(EVP_CIPHER_CTX* context) const { EVP_CIPHER_CTX_free(context); }
};
using Context = std::unique_ptr<EVP_CIPHER_CTX, FreeContext>;

const unsigned char* bytes_of(std::string_view text) { return reinterpret_cast<const unsigned char*>(text.data()); }
unsigned char* bytes_of(std::string& text) { return reinterpret_cast<unsigned char*>(text.data()); }

std::string associated_data(std::string_view attribute) {
  return "theorydb:encrypted:v1|attr=" + std::string(attribute);
}

bool fits(std::string_view text) { return text.size() < static_cast<std::size_t>(std::numeric_limits<int>::max()); }

std::unexpected<Error> broken(std::string_view attribute, std::string_view why) {
  return fail(Code::kInvalidEncryptedEnvelope, "attribute \"{}\" cannot be decrypted: {}", attribute, why);
}

/// The ciphertext and, after it, the tag.
Result<std::string> encrypt(std::string_view plaintext, const std::string& aad, const SecretKey& key,
                            const Nonce& nonce) {
  const Context context(EVP_CIPHER_CTX_new());
  std::string out(plaintext.size() + kTagBytes, '\0');
  int length = 0;
  int rest = 0;
  const bool done =
      context != nullptr && fits(plaintext) && fits(aad) &&
      EVP_EncryptInit_ex(context.get(), EVP_aes_256_gcm(), nullptr, key.bytes().data(), nonce.data()) == 1 &&
      EVP_EncryptUpdate(context.get(), nullptr, &length, bytes_of(aad), static_cast<int>(aad.size())) == 1 &&
      EVP_EncryptUpdate(context.get(), bytes_of(out), &length, bytes_of(plaintext),
                        static_cast<int>(plaintext.size())) == 1 &&
      EVP_EncryptFinal_ex(context.get(), bytes_of(out) + length, &rest) == 1 &&
      EVP_CIPHER_CTX_ctrl(context.get(), EVP_CTRL_GCM_GET_TAG, static_cast<int>(kTagBytes),
                          bytes_of(out) + plaintext.size()) == 1;
  if (!done) return fail(Code::kIo, "OpenSSL could not encrypt");
  return out;
}

/// Nothing when the tag does not fit; what was decrypted by then has been wiped.
std::optional<std::string> decrypt(std::string_view sealed, const std::string& aad, const SecretKey& key,
                                   std::string_view nonce) {
  const Context context(EVP_CIPHER_CTX_new());
  const std::string_view ciphertext = sealed.substr(0, sealed.size() - kTagBytes);
  std::string tag(sealed.substr(ciphertext.size()));
  // One byte more than needed, so that there is a buffer even for the empty text.
  std::string out(ciphertext.size() + 1, '\0');
  int length = 0;
  int rest = 0;
  const bool done =
      context != nullptr && fits(sealed) && fits(aad) &&
      EVP_DecryptInit_ex(context.get(), EVP_aes_256_gcm(), nullptr, key.bytes().data(), bytes_of(nonce)) == 1 &&
      EVP_DecryptUpdate(context.get(), nullptr, &length, bytes_of(aad), static_cast<int>(aad.size())) == 1 &&
      EVP_DecryptUpdate(context.get(), bytes_of(out), &length, bytes_of(ciphertext),
                        static_cast<int>(ciphertext.size())) == 1 &&
      EVP_CIPHER_CTX_ctrl(context.get(), EVP_CTRL_GCM_SET_TAG, static_cast<int>(kTagBytes), tag.data()) == 1 &&
      EVP_DecryptFinal_ex(context.get(), bytes_of(out) + length, &rest) == 1;
  if (!done) {
    wipe(out);
    return std::nullopt;
  }
  out.resize(ciphertext.size());
  return out;
}

/// A member of the envelope that must be binary and not empty.
Result<const Bytes*> binary_member(const Item& envelope, std::string_view name, std::string_view attribute) {
  const AttributeValue* value = envelope.find(name);
  const Bytes* bytes = value == nullptr ? nullptr : value->get_if<Bytes>();
  if (bytes == nullptr || bytes->empty())
    return broken(attribute, fmt::format("its envelope has no binary member {}", name));
  return bytes;
}

}  // namespace

void wipe(std::string& bytes) { OPENSSL_cleanse(bytes.data(), bytes.size()); }

SecretKey::SecretKey(std::span<const std::uint8_t, kBytes> bytes) : bytes_{} {
  std::copy(bytes.begin(), bytes.end(), bytes_.begin());
}

SecretKey::~SecretKey() { OPENSSL_cleanse(bytes_.data(), bytes_.size()); }

SecretKey::SecretKey(SecretKey&& other) noexcept : bytes_(other.bytes_) {
  OPENSSL_cleanse(other.bytes_.data(), other.bytes_.size());
}

SecretKey& SecretKey::operator=(SecretKey&& other) noexcept {
  if (this != &other) {
    bytes_ = other.bytes_;
    OPENSSL_cleanse(other.bytes_.data(), other.bytes_.size());
  }
  return *this;
}

Result<Nonce> KeyProvider::nonce(const KeyPurpose& /*purpose*/) {
  Nonce nonce{};
  system_random().fill(std::as_writable_bytes(std::span(nonce)));
  return nonce;
}

bool KeyProvider::is_current(const Bytes& /*encrypted*/) const { return false; }

Result<AttributeValue> make_envelope(std::string_view plaintext, std::string_view attribute, const DataKey& key,
                                     const Nonce& nonce) {
  DOLMEN_TRY(std::string sealed, encrypt(plaintext, associated_data(attribute), key.key, nonce));
  Item envelope;
  envelope.set(std::string(kVersion), 1);
  envelope.set(std::string(kEncryptedKey), key.encrypted);
  envelope.set(std::string(kNonce), Bytes(std::string(nonce.begin(), nonce.end())));
  envelope.set(std::string(kCiphertext), Bytes(std::move(sealed)));
  return AttributeValue(std::move(envelope));
}

Result<AttributeValue> seal(const AttributeValue& value, const KeyPurpose& purpose, KeyProvider& keys) {
  DOLMEN_TRY(const DataKey key, keys.generate(purpose));
  DOLMEN_TRY(const Nonce nonce, keys.nonce(purpose));
  Result<std::string> plaintext = secret_plaintext(typed_value(value));
  if (!plaintext)
    return fail(plaintext.error().code(), "attribute \"{}\": {}", purpose.attribute, plaintext.error().message());
  Result<AttributeValue> envelope = make_envelope(*plaintext, purpose.attribute, key, nonce);
  wipe(*plaintext);
  return envelope;
}

Result<AttributeValue> unseal(const AttributeValue& envelope, const KeyPurpose& purpose, KeyProvider& keys) {
  const Item* map = envelope.get_if<Item>();
  if (map == nullptr) return broken(purpose.attribute, "it is not stored as an envelope");
  const AttributeValue* version = map->find(kVersion);
  if (version == nullptr || *version != AttributeValue(1))
    return broken(purpose.attribute, "its envelope is not of version 1");
  DOLMEN_TRY(const Bytes* encrypted_key, binary_member(*map, kEncryptedKey, purpose.attribute));
  DOLMEN_TRY(const Bytes* nonce, binary_member(*map, kNonce, purpose.attribute));
  DOLMEN_TRY(const Bytes* sealed, binary_member(*map, kCiphertext, purpose.attribute));
  if (nonce->size() != std::tuple_size_v<Nonce>) return broken(purpose.attribute, "its nonce is not 12 bytes long");
  if (sealed->size() < kTagBytes) return broken(purpose.attribute, "its ciphertext is too short");

  DOLMEN_TRY(const SecretKey key, keys.decrypt(*encrypted_key, purpose));
  std::optional<std::string> plaintext =
      decrypt(sealed->view(), associated_data(purpose.attribute), key, nonce->view());
  if (!plaintext) return broken(purpose.attribute, "it is damaged, or belongs to another attribute");
  const Result<TypedValue> typed = parse_secret_plaintext(*plaintext);
  wipe(*plaintext);
  if (!typed) return broken(purpose.attribute, "its text is not an attribute value");
  Result<AttributeValue> value = attribute_value(*typed);
  if (!value) return broken(purpose.attribute, "its text is not an attribute value");
  return value;
}

}  // namespace dolmen
