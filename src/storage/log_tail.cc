#include "storage/log_tail.h"

#include <algorithm>
#include <optional>
#include <string>

#include "base/file_writer.h"
#include "storage/crc32c.h"

namespace dolmen::storage {
namespace {

constexpr std::size_t kBlockBytes = 32 * 1024;
constexpr std::size_t kHeaderBytes = 7;  // A checksum of 4 bytes, a length of 2 and a type of 1.
constexpr std::size_t kLogBytesMax = std::size_t{4} << 30;

enum FragmentType : unsigned char { kReserved = 0, kFull = 1, kFirst = 2, kMiddle = 3, kLast = 4 };

struct Fragment {
  FragmentType type = kReserved;
  std::size_t end = 0;
};

/// RocksDB stores checksums in this form, so that a checksum of bytes that hold checksums is no weaker.
std::uint32_t masked(std::uint32_t crc) { return ((crc >> 15) | (crc << 17)) + 0xa282ead8U; }

/// The whole fragment that begins at `at`, where a block has room for a header.
std::optional<Fragment> fragment_at(std::string_view log, std::size_t at) {
  if (at + kHeaderBytes > log.size()) return std::nullopt;
  const auto byte = [&](std::size_t i) -> std::uint32_t { return static_cast<unsigned char>(log[at + i]); };
  const std::size_t length = byte(4) + std::size_t{256} * byte(5);
  const std::uint32_t type = byte(6);
  const std::size_t end = at + kHeaderBytes + length;
  if (type < kFull || type > kLast || end > log.size()) return std::nullopt;
  if (at % kBlockBytes + kHeaderBytes + length > kBlockBytes) return std::nullopt;
  const std::uint32_t stored = byte(0) | byte(1) << 8 | byte(2) << 16 | byte(3) << 24;
  if (stored != masked(crc32c(log.substr(at + kHeaderBytes - 1, length + 1)))) return std::nullopt;
  return Fragment{.type = static_cast<FragmentType>(type), .end = end};
}

bool begins_record(const Fragment& fragment) { return fragment.type == kFull || fragment.type == kFirst; }

/// True when a record begins somewhere in `log` from `at` on. Later fragments of a torn record do not count: the disk
/// may have taken its pages in any order.
bool has_record_after(std::string_view log, std::size_t at) {
  for (; at + kHeaderBytes <= log.size(); ++at) {
    // No header begins with nothing but zeros. Reserved space can be large.
    if (log[at] == '\0' && log.substr(at, kHeaderBytes).find_first_not_of('\0') == std::string_view::npos) {
      const std::size_t next = log.find_first_not_of('\0', at);
      if (next == std::string_view::npos) return false;
      at = next - kHeaderBytes;
      continue;
    }
    if (kBlockBytes - at % kBlockBytes < kHeaderBytes) continue;
    if (const std::optional<Fragment> found = fragment_at(log, at); found && begins_record(*found)) return true;
  }
  return false;
}

}  // namespace

LogExtent measure_log(std::string_view log) {
  LogExtent extent;
  std::size_t at = 0;
  bool inside = false;  // of a record of several fragments
  for (;;) {
    const std::size_t left = kBlockBytes - at % kBlockBytes;
    if (left < kHeaderBytes) {
      at += left;
      continue;
    }
    const std::optional<Fragment> fragment = fragment_at(log, at);
    if (!fragment || begins_record(*fragment) == inside) {
      extent.has_hole = at < log.size() && has_record_after(log, at);
      break;
    }
    at = fragment->end;
    inside = fragment->type == kFirst || fragment->type == kMiddle;
    if (!inside) extent.whole_bytes = at;
  }
  const std::string_view rest = log.substr(extent.whole_bytes);
  const std::size_t last = rest.find_last_not_of('\0');
  extent.torn_bytes = last == std::string_view::npos ? 0 : last + 1;
  return extent;
}

Result<LogExtent> measure_log_file(const std::filesystem::path& path) {
  DOLMEN_TRY(const std::string log, FileWriter::read_start(path, kLogBytesMax));
  return measure_log(log);
}

}  // namespace dolmen::storage
