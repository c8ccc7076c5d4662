#include "model/key_file_text.h"

#include <array>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <openssl/crypto.h>
#include <optional>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fail.h"
#include "base/file_writer.h"
#include "base/random.h"
#include "model/envelope.h"

namespace dolmen {
namespace {

using FileKeyBytes = std::array<std::uint8_t, SecretKey::kBytes>;

std::optional<SecretKey> key_of_hex(std::string_view hex) {
  if (hex.size() != 2 * SecretKey::kBytes) return std::nullopt;
  FileKeyBytes bytes{};
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

}  // namespace

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

Result<void> check_key_id(std::string_view id) {
  if (is_key_id(id)) return {};
  return fail(Code::kInvalidArgument, "a key id is 1 to {} letters, digits, '-', '_' or '.'", kKeyIdBytes);
}

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

Result<std::vector<FileKey>> parse_key_file(std::string_view text, const std::string& name) {
  std::vector<FileKey> keys;
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
    for (const FileKey& other : keys)
      if (other.id == id)
        return fail(Code::kEncryptionNotConfigured, "{}:{}: the key id {} occurs twice; rename one", name, line, id);
    keys.push_back({.id = std::string(id), .key = std::move(*key)});
  }
  if (keys.empty())
    return fail(Code::kEncryptionNotConfigured, "the key file {} has no key; add a line with a key id and a key", name);
  return keys;
}

std::string new_key_line(std::string_view key_id) {
  FileKeyBytes bytes{};
  system_random().fill(std::as_writable_bytes(std::span(bytes)));
  std::string line = fmt::format("{} ", key_id);
  line.reserve(line.size() + 2 * bytes.size() + 1);
  for (const std::uint8_t byte : bytes) fmt::format_to(std::back_inserter(line), "{:02x}", byte);
  line.push_back('\n');
  OPENSSL_cleanse(bytes.data(), bytes.size());
  return line;
}

}  // namespace dolmen
