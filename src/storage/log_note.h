#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "dolmen/error.h"

namespace dolmen::storage {

/// What is known to be in the logs of a database, so that a log that was deleted, emptied, zeroed or cut is told from
/// one whose end a power cut has taken. RocksDB opens without a word in both cases.
///
/// It stands in the file LOGS beside the database, in two places that take turns, each with a number and a checksum. So
/// there is always one that is whole, whatever a power cut does. It is written after every sync of a log and not synced
/// itself: what it says is true even when it is old. It is synced before a log is deleted.
struct LogNote {
  /// Grows with every note.
  std::uint64_t generation = 0;
  /// The number of the newest list of files (MANIFEST) that the writer of the note has made. A database with a newer
  /// one was opened by a program that does not write notes, and the note says nothing about it.
  std::uint64_t manifest = 0;
  /// For each log, by its number, how many of its bytes were synced.
  std::map<std::uint64_t, std::uint64_t> synced_bytes = {};

  friend bool operator==(const LogNote&, const LogNote&) = default;
};

inline constexpr std::string_view kLogNoteFile = "LOGS";
/// The distance of the two places in the file.
inline constexpr std::size_t kLogNotePlaceBytes = 4096;

/// A note in its place: at most kLogNotePlaceBytes. Logs that do not fit are left out, which claims less.
std::string encode_log_note(const LogNote& note);
/// Nothing when the place does not hold a note.
std::optional<LogNote> decode_log_note(std::string_view place);

/// The whole content of a file with this note in both places.
std::string log_note_file(const LogNote& note);

struct FoundLogNote {
  LogNote note;
  /// The place in which it stands: 0 or 1.
  std::size_t place = 0;
};

/// The newer note of the file in `path`; nothing when there is no file. Fails with kCorruption when both are damaged.
Result<std::optional<FoundLogNote>> read_log_note(const std::filesystem::path& path);

}  // namespace dolmen::storage
