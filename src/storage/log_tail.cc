#include "storage/log_tail.h"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <string>
#include <system_error>

namespace dolmen::storage {
namespace {

constexpr std::size_t kBlockBytes = 32 * 1024;
constexpr std::size_t kHeaderBytes = 7;  // A checksum of 4 bytes, a length of 2 and a type of 1.

enum FragmentType : unsigned char { kReserved = 0, kFull = 1, kFirst = 2, kMiddle = 3, kLast = 4 };

/// The end of the last complete record.
std::size_t end_of_records(std::string_view log) {
  std::size_t whole = 0;
  std::size_t at = 0;
  for (;;) {
    const std::size_t left = kBlockBytes - at % kBlockBytes;
    if (left < kHeaderBytes) {
      at += left;
      continue;
    }
    if (at + kHeaderBytes > log.size()) return whole;
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(log[at + i]); };
    const std::size_t length = byte(4) + std::size_t{256} * byte(5);
    const unsigned char type = byte(6);
    if (type == kReserved || at + kHeaderBytes + length > log.size()) return whole;
    at += kHeaderBytes + length;
    if (type != kFirst && type != kMiddle) whole = at;
  }
}

}  // namespace

std::uint64_t torn_bytes(std::string_view log) {
  const std::string_view rest = log.substr(end_of_records(log));
  const std::size_t last = rest.find_last_not_of('\0');
  return last == std::string_view::npos ? 0 : last + 1;
}

std::uint64_t torn_bytes_of_last_log(const std::filesystem::path& database) {
  std::filesystem::path newest;
  std::error_code error;
  for (std::filesystem::directory_iterator entry(database, error), end; !error && entry != end; entry.increment(error))
    if (entry->path().extension() == ".log") newest = std::max(newest, entry->path());
  if (newest.empty()) return 0;
  std::ifstream file(newest, std::ios::binary);
  const std::string log{std::istreambuf_iterator<char>(file), {}};
  return torn_bytes(log);
}

}  // namespace dolmen::storage
