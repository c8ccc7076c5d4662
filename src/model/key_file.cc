#include <array>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <sys/stat.h>
#include <unistd.h>
#include <vector>

#include "base/fail.h"
#include "base/file_writer.h"
#include "base/random.h"
#include "dolmen/model/encryption.h"
#include "model/envelope.h"
#include "model/key_file.h"

namespace dolmen {

namespace {

constexpr std::size_t kKeyIdBytes = 64;
constexpr std::size_t kKeyFileBytes = 64 * 1024;
constexpr std::size_t kWrappedBytes = SecretKey::kBytes + 8;

using KeyBytes = std::array<std::uint8_t, SecretKey::kBytes>;

bool is_key_id(std::string_view id) {
  const auto allowed = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_' ||
           c == '.';
  };
  if (id.empty() || id.size() > kKeyIdBytes) return false;
  for (const char c : id)
    if (!allowed(c)) return false;
  return true;
}

std::optional<SecretKey> key_of_hex(std::string_view hex) {
  if (hex.size() != 2 * SecretKey::kBytes) return std::nullopt;
  KeyBytes bytes{};
  bool good = true;
  for (std::size_t i = 0; i < hex.size(); ++i) {
    const char c = hex[i];
    const bool letter = (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
    good = good && (letter || (c >= '0' && c <= '9'));
    const int digit = letter ? (c | 0x20) - 'a' + 10 : c - '0';
    bytes[i / 2] = static_cast<std::uint8_t>(bytes[i / 2] * 16 + digit);
  }
  std::optional<SecretKey> key;
  if (good) key.emplace(bytes);
  OPENSSL_cleanse(bytes.data(), bytes.size());
  return key;
}

struct FreeContext {
  void operator()(EVP_CIPHER_CTX* context) const { EVP_CIPHER_CTX_free(context); }
};
using Context = std::unique_ptr<EVP_CIPHER_CTX, FreeContext>;

/// RFC 3394 with AES-256. `out` has eight bytes more than `in` when wrapping, eight less when unwrapping.
bool wrap_or_unwrap(const SecretKey& key, bool wrap, std::span<const std::uint8_t> in, std::span<std::uint8_t> out) {
  const Context context(EVP_CIPHER_CTX_new());
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
  struct Key {
    std::string id;
    SecretKey key;
  };
  explicit KeyFile(std::vector<Key> keys) : keys_(std::move(keys)) {}

  Result<DataKey> generate(const KeyPurpose& /*purpose*/) override {
    KeyBytes bytes{};
    system_random().fill(std::as_writable_bytes(std::span(bytes)));
    SecretKey fresh(bytes);
    OPENSSL_cleanse(bytes.data(), bytes.size());

    const Key& master = keys_.front();
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
    for (const Key& key : keys_)
      if (key.id == id) return unwrap(key, stored.substr(1 + id_bytes), purpose);
    return fail(Code::kInvalidEncryptedEnvelope, "attribute \"{}\" cannot be decrypted: the key file lacks its key{}",
                purpose.attribute, is_key_id(id) ? fmt::format(" {}", id) : "");
  }

 private:
  static Result<SecretKey> unwrap(const Key& key, std::string_view wrapped, const KeyPurpose& purpose) {
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

  std::vector<Key> keys_;
};

Result<std::string> read_key_file(const std::filesystem::path& path) {
  const FileDescriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file.is_open())
    return fail(Code::kEncryptionNotConfigured, "cannot read the key file {}: {}", path.string(), std::strerror(errno));
  struct stat status{};
  if (::fstat(file.get(), &status) != 0 || !S_ISREG(status.st_mode))
    return fail(Code::kEncryptionNotConfigured, "the key file {} is not a plain file", path.string());
  if (status.st_uid != ::geteuid())
    return fail(Code::kEncryptionNotConfigured, "the key file {} belongs to another user", path.string());
  if ((status.st_mode & 0077) != 0)
    return fail(Code::kEncryptionNotConfigured, "the key file {0} is open to others; run: chmod 600 {0}",
                path.string());
  std::string text(kKeyFileBytes + 1, '\0');
  std::size_t size = 0;
  while (size < text.size()) {
    const ssize_t count = ::read(file.get(), text.data() + size, text.size() - size);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) break;
    size += static_cast<std::size_t>(count);
  }
  if (size > kKeyFileBytes) {
    wipe(text);
    return fail(Code::kEncryptionNotConfigured, "the key file {} is larger than {} bytes", path.string(),
                kKeyFileBytes);
  }
  text.resize(size);
  return text;
}

Result<std::vector<KeyFile::Key>> parse_keys(std::string_view text, const std::string& name) {
  std::vector<KeyFile::Key> keys;
  for (int line = 1; !text.empty(); ++line) {
    const std::string_view content = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(content.size() + 1, text.size()));
    if (content.empty() || content.starts_with('#')) continue;
    const std::size_t space = content.find(' ');
    const std::string_view id = content.substr(0, space);
    std::optional<SecretKey> key;
    if (space != std::string_view::npos) key = key_of_hex(content.substr(space + 1));
    if (!is_key_id(id) || !key)
      return fail(Code::kEncryptionNotConfigured, "{}:{}: expected a key id, a space and 64 hexadecimal digits", name,
                  line);
    for (const KeyFile::Key& other : keys)
      if (other.id == id)
        return fail(Code::kEncryptionNotConfigured, "{}:{}: the key id {} occurs twice; rename one", name, line, id);
    keys.push_back({.id = std::string(id), .key = std::move(*key)});
  }
  if (keys.empty())
    return fail(Code::kEncryptionNotConfigured, "the key file {} has no key; add a line with a key id and a key", name);
  return keys;
}

}  // namespace

Result<std::unique_ptr<KeyProvider>> open_key_file(const std::filesystem::path& file) {
  DOLMEN_TRY(std::string text, read_key_file(file));
  Result<std::vector<KeyFile::Key>> keys = parse_keys(text, file.string());
  wipe(text);
  if (!keys) return std::unexpected(std::move(keys).error());
  return std::make_unique<KeyFile>(std::move(*keys));
}

Result<void> create_key_file(const std::filesystem::path& file, std::string_view key_id, const FileWriter& files) {
  if (!is_key_id(key_id))
    return fail(Code::kInvalidArgument, "a key id is 1 to {} letters, digits, '-', '_' or '.'", kKeyIdBytes);
  KeyBytes bytes{};
  system_random().fill(std::as_writable_bytes(std::span(bytes)));
  std::string line = fmt::format("{} ", key_id);
  for (const std::uint8_t byte : bytes) line += fmt::format("{:02x}", byte);
  line.push_back('\n');
  OPENSSL_cleanse(bytes.data(), bytes.size());
  const Result<bool> created = files.create(file, line, FileWriter::Readers::kOwnerAlone);
  wipe(line);
  if (!created) return fail(Code::kIo, "{}", created.error().message());
  if (!*created) return fail(Code::kIo, "cannot create {}: it exists, and its keys may be in use", file.string());
  return {};
}

Result<void> create_key_file(const std::filesystem::path& file, std::string_view key_id) {
  return create_key_file(file, key_id, FileWriter());
}

}  // namespace dolmen
