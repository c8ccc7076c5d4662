#include "storage/file_list.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <fmt/format.h>
#include <fstream>
#include <optional>
#include <system_error>

#include "base/endian.h"
#include "base/fail.h"
#include "base/hash.h"

namespace dolmen::storage {
namespace {

constexpr std::size_t kHashedBytes = std::size_t{1} << 20;
constexpr std::size_t kListBytesMax = std::size_t{64} << 20;
constexpr std::size_t kHashDigits = 16;
constexpr std::string_view kListEnd = "end ";

bool is_listed(std::string_view name) {
  const std::string_view file = name.substr(name.rfind('/') + 1);
  return file != kFileList && file != "LOCK" && !file.starts_with("LOG");
}

std::optional<std::uint64_t> take_integer(std::string_view& line, int base) {
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(line.data(), line.data() + line.size(), number, base);
  if (error != std::errc{} || end == line.data() + line.size() || *end != ' ') return std::nullopt;
  line.remove_prefix(static_cast<std::size_t>(end - line.data()) + 1);
  return number;
}

}  // namespace

std::optional<ListedFile> list_file(const std::filesystem::path& folder, const std::string& name) {
  std::ifstream in(folder / name, std::ios::binary);
  if (!in) return std::nullopt;
  ListedFile file{.name = name};
  std::string block(kHashedBytes, '\0');
  std::string hashes;
  while (in) {
    in.read(block.data(), static_cast<std::streamsize>(block.size()));
    const auto count = static_cast<std::size_t>(in.gcount());
    if (count == 0) break;
    file.bytes += count;
    append_big_endian(hashes, hash64(std::string_view(block).substr(0, count)));
  }
  if (in.bad()) return std::nullopt;
  file.hash = hash64(hashes);
  return file;
}

Result<std::vector<std::string>> names_below(const std::filesystem::path& folder) {
  std::vector<std::string> names;
  std::error_code error;
  for (std::filesystem::recursive_directory_iterator entry(folder, error), end; !error && entry != end;
       entry.increment(error)) {
    std::string name = entry->path().lexically_relative(folder).generic_string();
    if (entry->is_regular_file(error) && is_listed(name)) names.push_back(std::move(name));
  }
  if (error) return std::unexpected(file_error(error.value(), "list the folder", folder));
  std::ranges::sort(names);
  return names;
}

std::optional<std::vector<ListedFile>> read_file_list(std::string_view text) {
  const std::size_t end = text.rfind(kListEnd);
  if (end == std::string_view::npos) return std::nullopt;
  const std::string_view body = text.substr(0, end);
  if (text.substr(end) != fmt::format("{}{:016x}\n", kListEnd, hash64(body))) return std::nullopt;
  std::vector<ListedFile> files;
  for (std::string_view rest = body; !rest.empty();) {
    std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(line.size() + 1, rest.size()));
    const auto hash = take_integer(line, 16);
    const auto bytes = take_integer(line, 10);
    if (!hash || !bytes || line.empty()) return std::nullopt;
    files.push_back({.name = std::string(line), .bytes = *bytes, .hash = *hash});
  }
  return files;
}

std::string file_list_text(const std::vector<ListedFile>& files) {
  std::string text;
  for (const ListedFile& file : files)
    text.append(fmt::format("{:0{}x} {} {}\n", file.hash, kHashDigits, file.bytes, file.name));
  return text.append(fmt::format("{}{:016x}\n", kListEnd, hash64(text)));
}

std::vector<std::string> damaged_files(const std::filesystem::path& folder, const std::vector<ListedFile>& files) {
  std::vector<std::string> damaged;
  for (const ListedFile& file : files) {
    const std::optional<ListedFile> found = list_file(folder, file.name);
    if (!found) {
      damaged.push_back(fmt::format("{} is missing", file.name));
    } else if (found->bytes != file.bytes) {
      damaged.push_back(fmt::format("{} has {} bytes instead of {}", file.name, found->bytes, file.bytes));
    } else if (found->hash != file.hash) {
      damaged.push_back(fmt::format("{} has other bytes than it had", file.name));
    }
  }
  return damaged;
}

Result<void> write_file_list(const std::filesystem::path& folder, const FileWriter& files) {
  DOLMEN_TRY(const std::vector<std::string> names, names_below(folder));
  std::vector<ListedFile> listed;
  for (const std::string& name : names) {
    std::optional<ListedFile> file = list_file(folder, name);
    if (!file) return fail(Code::kIo, "cannot read {}", (folder / name).native());
    listed.push_back(*std::move(file));
  }
  return files.replace(folder / kFileList, file_list_text(listed));
}

Result<std::vector<std::string>> damaged_files(const std::filesystem::path& folder) {
  std::error_code error;
  if (!std::filesystem::exists(folder / kFileList, error)) return std::vector{fmt::format("{} is missing", kFileList)};
  DOLMEN_TRY(const std::string text, FileWriter::read(folder / kFileList, kListBytesMax));
  const std::optional<std::vector<ListedFile>> listed = read_file_list(text);
  if (!listed) return std::vector{fmt::format("{} is damaged", kFileList)};
  return damaged_files(folder, *listed);
}

}  // namespace dolmen::storage
