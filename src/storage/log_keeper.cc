#include "storage/log_keeper.h"

#include <fmt/core.h>
#include <rocksdb/env.h>
#include <rocksdb/file_system.h>
#include <string_view>
#include <utility>
#include <vector>

#include "base/fail.h"
#include "storage/directory.h"
#include "storage/log_files.h"

namespace dolmen::storage {
namespace {

constexpr std::string_view kWhatToDo =
    "Nothing has been changed; restore the store from a backup, or save what is left of it with \"dolmen repair\"";

Error missing_log(const std::filesystem::path& log, std::uint64_t synced) {
  return {Code::kCorruption, fmt::format("the log {} is missing, and it held {} bytes of acknowledged writes. {}",
                                         log.string(), synced, kWhatToDo)};
}

Error short_log(const std::filesystem::path& log, std::uint64_t whole, std::uint64_t synced) {
  return {Code::kCorruption, fmt::format("the log {} is damaged: its records are whole up to byte {}, and {} bytes of "
                                         "acknowledged writes were synced to it. {}",
                                         log.string(), whole, synced, kWhatToDo)};
}

Error log_with_hole(const std::filesystem::path& log, std::uint64_t whole) {
  return {Code::kCorruption, fmt::format("the log {} is damaged: the record at byte {} is not whole (its checksum is "
                                         "wrong, or it is missing), and others follow it. {}",
                                         log.string(), whole, kWhatToDo)};
}

}  // namespace

struct LogKeeper::NoteFile {
  std::unique_ptr<rocksdb::FSRandomRWFile> file;
};

LogKeeper::LogKeeper(const std::filesystem::path& data, FileWriter files)
    : database_(Directory::database_in(data)), note_path_(data / kLogNoteFile), files_(std::move(files)) {}

LogKeeper::~LogKeeper() = default;

std::optional<std::uint64_t> LogKeeper::current_manifest() const {
  constexpr std::size_t kNameBytesMax = 64;
  const Result<std::string> name = FileWriter::read_start(database_ / "CURRENT", kNameBytesMax);
  if (!name || !name->ends_with('\n')) return std::nullopt;
  return manifest_number(std::string_view(*name).substr(0, name->size() - 1));
}

Result<LogKeeper::Extents> LogKeeper::measure_logs() const {
  Extents logs;
  DOLMEN_TRY(const std::vector<std::string> names, FileWriter::list(database_));
  for (const std::string& name : names) {
    const std::optional<std::uint64_t> number = log_number(name);
    if (!number) continue;
    DOLMEN_TRY(const LogExtent extent, measure_log_file(database_ / name));
    logs.emplace(*number, extent);
  }
  return logs;
}

Result<void> LogKeeper::check_noted(const LogNote& note, const Extents& logs) const {
  for (const auto& [number, synced] : note.synced_bytes) {
    const auto log = logs.find(number);
    if (log == logs.end()) return std::unexpected(missing_log(database_ / log_name(number), synced));
    if (log->second.whole_bytes < synced)
      return std::unexpected(short_log(database_ / log_name(number), log->second.whole_bytes, synced));
  }
  return {};
}

Result<Recovery> LogKeeper::check() {
  const std::scoped_lock lock(note_mutex_);
  DOLMEN_TRY(const Extents logs, measure_logs());
  DOLMEN_TRY(const std::optional<FoundLogNote> found, read_log_note(note_path_));
  const std::optional<std::uint64_t> manifest = current_manifest();
  // About a list of files that is missing, RocksDB says more.
  if (found && manifest && *manifest <= found->note.manifest) {
    note_ = found->note;
    next_place_ = 1 - found->place;
    has_note_ = true;
    DOLMEN_TRY_VOID(check_noted(note_, logs));
  }
  Recovery recovery;
  for (const auto& [number, extent] : logs) {
    if (extent.has_hole) return std::unexpected(log_with_hole(database_ / log_name(number), extent.whole_bytes));
    if (extent.torn_bytes > 0) limits_[number] = extent.whole_bytes;
    recovery.torn_bytes += extent.torn_bytes;
  }
  return recovery;
}

Result<void> LogKeeper::begin(rocksdb::Env& base) {
  const std::scoped_lock lock(note_mutex_);
  if (!has_note_) {
    note_ = {.generation = 1, .manifest = current_manifest().value_or(0)};
    DOLMEN_TRY_VOID(files_.replace(note_path_, log_note_file(note_)));
    has_note_ = true;
  }
  note_file_ = std::make_unique<NoteFile>();
  const rocksdb::IOStatus opened =
      base.GetFileSystem()->NewRandomRWFile(note_path_, rocksdb::FileOptions(), &note_file_->file, nullptr);
  if (!opened.ok()) return fail(Code::kIo, "cannot open {}: {}", note_path_.string(), opened.ToString());
  return {};
}

// Needs the lock. A note that cannot be written is not missed: the one before it claims less, and is true.
bool LogKeeper::publish() {
  if (!note_file_ || !note_file_->file) return false;
  LogNote next = note_;
  ++next.generation;
  const std::string place = encode_log_note(next);
  const rocksdb::IOStatus written =
      note_file_->file->Write(next_place_ * kLogNotePlaceBytes, place, rocksdb::IOOptions(), nullptr);
  if (!written.ok()) return false;
  note_.generation = next.generation;
  next_place_ = 1 - next_place_;
  return true;
}

void LogKeeper::log_created(std::uint64_t number) {
  const std::scoped_lock lock(note_mutex_);
  newest_log_ = number;
  newest_is_empty_ = true;
  hidden_[number] = 0;
  failure_.reset();
}

void LogKeeper::log_begun(std::uint64_t number) {
  const std::scoped_lock lock(note_mutex_);
  if (number == newest_log_) newest_is_empty_ = false;
}

void LogKeeper::log_failed(std::uint64_t number, Error reason) {
  const std::scoped_lock lock(note_mutex_);
  if (number == newest_log_) failure_ = std::move(reason);
}

void LogKeeper::doubt_newest_log(const Error& reason) {
  const std::scoped_lock lock(note_mutex_);
  if (!failure_ && !newest_is_empty_) failure_ = reason;
}

void LogKeeper::log_synced(std::uint64_t number, std::uint64_t bytes) {
  const std::scoped_lock lock(note_mutex_);
  if (const auto hidden = hidden_.find(number); hidden != hidden_.end()) {
    hidden->second = bytes;
    return;
  }
  std::uint64_t& noted = note_.synced_bytes[number];
  if (noted >= bytes) return;
  noted = bytes;
  publish();
}

std::vector<std::uint64_t> LogKeeper::hidden_logs() const {
  const std::scoped_lock lock(note_mutex_);
  std::vector<std::uint64_t> numbers;
  for (const auto& [number, bytes] : hidden_) numbers.push_back(number);
  return numbers;
}

void LogKeeper::folder_synced(const std::vector<std::uint64_t>& logs) {
  const std::scoped_lock lock(note_mutex_);
  bool changed = false;
  for (const std::uint64_t number : logs) {
    const auto hidden = hidden_.extract(number);
    if (!hidden || hidden.mapped() == 0) continue;
    note_.synced_bytes[number] = hidden.mapped();
    changed = true;
  }
  if (changed) publish();
}

Result<void> LogKeeper::log_leaves(std::uint64_t number) {
  std::uint64_t noted = 0;
  const auto stays = [&](std::string why) -> Result<void> {
    const std::scoped_lock lock(note_mutex_);
    note_.synced_bytes[number] = noted;
    return fail(Code::kIo, "cannot note in {} that a log goes: {}", note_path_.string(), why);
  };
  {
    const std::scoped_lock lock(note_mutex_);
    hidden_.erase(number);
    const auto found = note_.synced_bytes.find(number);
    if (found == note_.synced_bytes.end()) return {};
    noted = found->second;
    note_.synced_bytes.erase(found);
  }
  // Both places, so that no older note speaks of the log once it is gone.
  for (int place = 0; place < 2; ++place) {
    const auto published = [&] {
      const std::scoped_lock lock(note_mutex_);
      return publish();
    }();
    if (!published) return stays("it cannot be written");
  }
  const rocksdb::IOStatus synced = note_file_->file->Sync(rocksdb::IOOptions(), nullptr);
  return synced.ok() ? Result<void>() : stays(synced.ToString());
}

void LogKeeper::manifest_created(std::uint64_t number) {
  const std::scoped_lock lock(note_mutex_);
  if (number <= note_.manifest) return;
  note_.manifest = number;
  // A note that a power cut takes back to before this is one of another program, and is not heard.
  if (publish()) note_file_->file->Sync(rocksdb::IOOptions(), nullptr).PermitUncheckedError();
}

std::optional<std::uint64_t> LogKeeper::limit_of(std::uint64_t number) const {
  const std::scoped_lock lock(note_mutex_);
  const auto found = limits_.find(number);
  if (found == limits_.end()) return std::nullopt;
  return found->second;
}

std::optional<Error> LogKeeper::needs_new_log() const {
  const std::scoped_lock lock(note_mutex_);
  return failure_;
}

}  // namespace dolmen::storage
