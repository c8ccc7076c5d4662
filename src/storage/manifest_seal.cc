#include "storage/manifest_seal.h"

#include <charconv>
#include <fmt/core.h>
#include <string_view>
#include <system_error>
#include <utility>

#include "base/fail.h"
#include "base/hash.h"
#include "storage/log_files.h"

namespace dolmen::storage {
namespace {

constexpr std::size_t kManifestBytesMax = std::size_t{1} << 30;
constexpr std::size_t kSealBytesMax = 256;

std::string hash_text(std::string_view bytes) { return fmt::format("{:016x}", hash64(bytes)); }

}  // namespace

ManifestSeal::ManifestSeal(std::filesystem::path database, std::filesystem::path seal, FileWriter files)
    : database_(std::move(database)), seal_(std::move(seal)), files_(std::move(files)) {}

Result<ManifestSeal::Sealed> ManifestSeal::present(std::optional<std::size_t> length) const {
  DOLMEN_TRY(std::string name, FileWriter::read_start(database_ / "CURRENT", kSealBytesMax));
  if (name.ends_with('\n')) name.pop_back();
  DOLMEN_TRY(const std::string list, FileWriter::read_start(database_ / name, length.value_or(kManifestBytesMax)));
  return Sealed{.name = std::move(name), .length = list.size(), .hash = hash_text(list)};
}

/// The file holds "name length hash".
Result<std::optional<ManifestSeal::Sealed>> ManifestSeal::read() const {
  std::error_code error;
  const bool exists = std::filesystem::exists(seal_, error);
  if (error) return std::unexpected(file_error(error.value(), "look for", seal_));
  if (!exists) return std::nullopt;
  DOLMEN_TRY(const std::string text, FileWriter::read_start(seal_, kSealBytesMax));
  const std::size_t first = text.find(' ');
  const std::size_t second = text.find(' ', first + 1);
  Sealed sealed;
  if (first != std::string::npos && second != std::string::npos && text.ends_with('\n')) {
    sealed.name = text.substr(0, first);
    sealed.hash = text.substr(second + 1, text.size() - second - 2);
    const char* end = text.data() + second;
    const auto [stopped, wrong] = std::from_chars(text.data() + first + 1, end, sealed.length);
    if (wrong == std::errc() && stopped == end && manifest_number(sealed.name)) return sealed;
  }
  return fail(Code::kCorruption,
              "the seal {} is damaged; restore the store from a backup, or delete that file to open it unchecked",
              seal_.string());
}

Result<void> ManifestSeal::check() const {
  DOLMEN_TRY(const std::optional<Sealed> sealed, read());
  if (!sealed) return {};
  const Result<Sealed> now = present(sealed->length);
  // RocksDB reports a missing list in more detail.
  if (!now || *now == *sealed) return {};
  // RocksDB begins a new list, with a higher number, each time it opens. A crash can happen before that is sealed.
  // A name that is not that of a list has no number, which compares as less than every number.
  if (manifest_number(now->name) > manifest_number(sealed->name)) return {};
  return fail(
      Code::kCorruption,
      "the store's list of files, {} in {}, is damaged: it does not hold the {} bytes that were written to it. Nothing "
      "has been changed; restore the store from a backup",
      sealed->name, database_.string(), sealed->length);
}

Result<void> ManifestSeal::renew() {
  const std::scoped_lock lock(renew_mutex_);
  DOLMEN_TRY(const Sealed now, present(std::nullopt));
  // The bytes read from the list may not have reached the disk yet.
  DOLMEN_TRY_VOID(files_.sync(database_ / now.name));
  return files_.replace(seal_, fmt::format("{} {} {}\n", now.name, now.length, now.hash));
}

}  // namespace dolmen::storage
