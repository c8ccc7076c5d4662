#include "model/key_file.h"

#include <array>
#include <fmt/format.h>
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <vector>

#include "base/fail.h"
#include "base/file_writer.h"
#include "base/random.h"
#include "dolmen/model/encryption.h"
#include "model/envelope.h"
#include "model/key_file_text.h"

namespace dolmen {

namespace {

constexpr std::size_t kWrappedBytes = SecretKey::kBytes + 8;

using KeyBytes = std::array<std::uint8_t, SecretKey::kBytes>;

struct FreeWrapContext {
  void operator()(EVP_CIPHER_CTX* context) const { EVP_CIPHER_CTX_free(context); }
};
using WrapContext = std::unique_ptr<EVP_CIPHER_CTX, FreeWrapContext>;

/// RFC 3394 with AES-256. `out` has eight bytes more than `in` when wrapping, eight less when unwrapping.
bool wrap_or_unwrap(const SecretKey& key, bool wrap, std::span<const std::uint8_t> in, std::span<std::uint8_t> out) {
  const WrapContext context(EVP_CIPHER_CTX_new());
  if (context == nullptr) return false;
  EVP_CIPHER_CTX_set_flags(context.get(), EVP_CIPHER_CTX_FLAG_WRAP_ALLOW);
  int length = 0;
  return EVP_CipherInit_ex(context.get(), EVP_aes_256_wrap(), nullptr, key.bytes().data(), nullptr, wrap ? 1 : 0) ==
             1 &&
         EVP_CipherUpdate(context.get(), out.data(), &length, in.data(), static_cast<int>(in.size())) == 1 &&
         static_cast<std::size_t>(length) == out.size();
}

/// What is stored of a data key: the length of the key id, the key id, and the wrapped key.
class KeyFile final : public KeyProvider {
 public:
  explicit KeyFile(std::vector<FileKey> keys) : keys_(std::move(keys)) {}

  Result<DataKey> generate(const KeyPurpose& /*purpose*/) override {
    KeyBytes bytes{};
    system_random().fill(std::as_writable_bytes(std::span(bytes)));
    SecretKey fresh(bytes);
    OPENSSL_cleanse(bytes.data(), bytes.size());

    const FileKey& master = keys_.front();
    std::array<std::uint8_t, kWrappedBytes> wrapped{};
    if (!wrap_or_unwrap(master.key, true, fresh.bytes(), wrapped))
      return fail(Code::kIo, "OpenSSL could not wrap a key");
    std::string stored(1, static_cast<char>(master.id.size()));
    stored.append(master.id).append(wrapped.begin(), wrapped.end());
    return DataKey{.key = std::move(fresh), .encrypted = Bytes(std::move(stored))};
  }

  Result<SecretKey> decrypt(const Bytes& encrypted, const KeyPurpose& purpose) override {
    const std::string_view stored = encrypted.view();
    const std::size_t id_bytes = stored.empty() ? 0 : static_cast<unsigned char>(stored[0]);
    if (stored.size() != 1 + id_bytes + kWrappedBytes)
      return fail(Code::kInvalidEncryptedEnvelope,
                  "attribute \"{}\" cannot be decrypted: its key is not from a key file", purpose.attribute);
    const std::string_view id = stored.substr(1, id_bytes);
    for (const FileKey& key : keys_)
      if (key.id == id) return unwrap(key, stored.substr(1 + id_bytes), purpose);
    return fail(Code::kInvalidEncryptedEnvelope, "attribute \"{}\" cannot be decrypted: the key file lacks its key{}",
                purpose.attribute, is_key_id(id) ? fmt::format(" {}", id) : "");
  }

  [[nodiscard]] bool is_current(const Bytes& encrypted) const override {
    const std::string& active = keys_.front().id;
    const std::string_view stored = encrypted.view();
    return stored.size() == 1 + active.size() + kWrappedBytes &&
           static_cast<unsigned char>(stored[0]) == active.size() && stored.substr(1, active.size()) == active;
  }

 private:
  static Result<SecretKey> unwrap(const FileKey& key, std::string_view wrapped, const KeyPurpose& purpose) {
    KeyBytes bytes{};
    const std::span in(reinterpret_cast<const std::uint8_t*>(wrapped.data()), wrapped.size());
    const bool done = wrap_or_unwrap(key.key, false, in, bytes);
    SecretKey data_key(bytes);
    OPENSSL_cleanse(bytes.data(), bytes.size());
    if (!done)
      return fail(Code::kInvalidEncryptedEnvelope,
                  "attribute \"{}\" cannot be decrypted: its key does not open with {}", purpose.attribute, key.id);
    return data_key;
  }

  std::vector<FileKey> keys_;
};

/// The keys of a file.
Result<std::vector<FileKey>> keys_in(const std::filesystem::path& file) {
  DOLMEN_TRY(std::string text, read_key_file(file));
  Result<std::vector<FileKey>> keys = parse_key_file(text, file.string());
  wipe(text);
  return keys;
}

}  // namespace

Result<std::unique_ptr<KeyProvider>> open_key_file(const std::filesystem::path& file) {
  DOLMEN_TRY(std::vector<FileKey> keys, keys_in(file));
  return std::make_unique<KeyFile>(std::move(keys));
}

Result<std::vector<std::string>> key_ids_in(const std::filesystem::path& file) {
  DOLMEN_TRY(const std::vector<FileKey> keys, keys_in(file));
  std::vector<std::string> ids;
  for (const FileKey& key : keys) ids.push_back(key.id);
  return ids;
}

Result<void> create_key_file(const std::filesystem::path& file, std::string_view key_id, const FileWriter& files) {
  DOLMEN_TRY_VOID(check_key_id(key_id));
  std::string line = new_key_line(key_id);
  const Result<bool> created = files.create(file, line, FileWriter::Readers::kOwnerAlone);
  wipe(line);
  if (!created) return fail(Code::kIo, "{}", created.error().message());
  if (!*created) return fail(Code::kIo, "cannot create {}: it exists, and its keys may be in use", file.string());
  return {};
}

Result<void> create_key_file(const std::filesystem::path& file, std::string_view key_id) {
  return create_key_file(file, key_id, FileWriter());
}

Result<void> rotate_key_file(const std::filesystem::path& file, std::string_view key_id, const FileWriter& files) {
  DOLMEN_TRY_VOID(check_key_id(key_id));
  DOLMEN_TRY(std::string text, read_key_file(file));
  const Result<std::vector<FileKey>> keys = parse_key_file(text, file.string());
  std::string line = new_key_line(key_id);
  std::string rotated;
  rotated.reserve(line.size() + text.size());
  rotated.append(line).append(text);
  wipe(line);
  wipe(text);
  const auto replaced = [&]() -> Result<void> {
    if (!keys) return std::unexpected(keys.error());
    for (const FileKey& key : *keys)
      if (key.id == key_id)
        return fail(Code::kInvalidArgument, "{} has a key {} already; give the new one another id", file.string(),
                    key_id);
    if (rotated.size() > kKeyFileBytes)
      return fail(Code::kInvalidArgument,
                  "{} would be larger than {} bytes; remove the lines of keys that no item needs", file.string(),
                  kKeyFileBytes);
    const Result<void> done = files.replace(file, rotated, FileWriter::Readers::kOwnerAlone);
    return done ? Result<void>() : fail(Code::kIo, "{}", done.error().message());
  }();
  wipe(rotated);
  return replaced;
}

Result<void> rotate_key_file(const std::filesystem::path& file, std::string_view key_id) {
  return rotate_key_file(file, key_id, FileWriter());
}

}  // namespace dolmen
