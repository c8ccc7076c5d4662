#include "storage/log_note.h"

#include <algorithm>
#include <system_error>

#include "base/endian.h"
#include "base/fail.h"
#include "base/file_writer.h"
#include "base/hash.h"

namespace dolmen::storage {
namespace {

constexpr std::string_view kNoteStart = "dolmen logs 1\n";
constexpr std::size_t kNumberBytes = sizeof(std::uint64_t);
constexpr std::size_t kNoteHeadBytes = kNoteStart.size() + 3 * kNumberBytes;
constexpr std::size_t kNoteEntryBytes = 2 * kNumberBytes;
constexpr std::size_t kNoteEntriesMax = (kLogNotePlaceBytes - kNoteHeadBytes - kNumberBytes) / kNoteEntryBytes;

std::uint64_t number_at(std::string_view bytes, std::size_t at) {
  return read_big_endian<std::uint64_t>(bytes.substr(at, kNumberBytes));
}

}  // namespace

std::string encode_log_note(const LogNote& note) {
  std::string place(kNoteStart);
  append_big_endian(place, note.generation);
  append_big_endian(place, note.manifest);
  const std::size_t count = std::min(note.synced_bytes.size(), kNoteEntriesMax);
  append_big_endian(place, std::uint64_t{count});
  auto entry = note.synced_bytes.begin();
  for (std::size_t i = 0; i < count; ++i, ++entry) {
    append_big_endian(place, entry->first);
    append_big_endian(place, entry->second);
  }
  append_big_endian(place, hash64(place));
  return place;
}

std::optional<LogNote> decode_log_note(std::string_view place) {
  if (place.size() < kNoteHeadBytes + kNumberBytes || !place.starts_with(kNoteStart)) return std::nullopt;
  LogNote note{.generation = number_at(place, kNoteStart.size()),
               .manifest = number_at(place, kNoteStart.size() + kNumberBytes)};
  const std::uint64_t count = number_at(place, kNoteStart.size() + 2 * kNumberBytes);
  if (count > kNoteEntriesMax) return std::nullopt;
  const std::size_t end = kNoteHeadBytes + count * kNoteEntryBytes;
  if (place.size() < end + kNumberBytes || number_at(place, end) != hash64(place.substr(0, end))) return std::nullopt;
  for (std::size_t at = kNoteHeadBytes; at < end; at += kNoteEntryBytes)
    note.synced_bytes[number_at(place, at)] = number_at(place, at + kNumberBytes);
  return note;
}

std::string log_note_file(const LogNote& note) {
  std::string content = encode_log_note(note);
  content.resize(kLogNotePlaceBytes);
  content += encode_log_note(note);
  content.resize(2 * kLogNotePlaceBytes);
  return content;
}

Result<std::optional<FoundLogNote>> read_log_note(const std::filesystem::path& path) {
  std::error_code error;
  const bool exists = std::filesystem::exists(path, error);
  if (error) return std::unexpected(file_error(error.value(), "look for", path));
  if (!exists) return std::optional<FoundLogNote>();
  DOLMEN_TRY(const std::string content, FileWriter::read_start(path, 2 * kLogNotePlaceBytes));
  const std::string_view all = content;
  std::optional<LogNote> first = decode_log_note(all.substr(0, kLogNotePlaceBytes));
  std::optional<LogNote> second = decode_log_note(all.substr(std::min(all.size(), kLogNotePlaceBytes)));
  if (!first && !second)
    return fail(Code::kCorruption,
                "the note of the store's logs, {}, is damaged. Nothing has been changed; restore the store from a "
                "backup, or delete that file to open the store without checking that its logs are complete",
                path.string());
  if (!first || (second && second->generation > first->generation))
    return FoundLogNote{.note = *std::move(second), .place = 1};
  return FoundLogNote{.note = *std::move(first), .place = 0};
}

}  // namespace dolmen::storage
