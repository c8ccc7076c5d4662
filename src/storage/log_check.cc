#include "storage/log_check.h"

#include <algorithm>
#include <cstdarg>
#include <cstdio>
#include <fmt/core.h>
#include <memory>
#include <mutex>
#include <optional>
#include <rocksdb/db.h>
#include <rocksdb/wal_filter.h>
#include <rocksdb/write_batch.h>
#include <string>

#include "storage/rocks_error.h"

namespace dolmen::storage {
namespace {

/// Prevents RocksDB from writing an information log, and keeps the last warning, which names the damaged file when the
/// status does not.
class WarningKeeper final : public rocksdb::Logger {
 public:
  WarningKeeper() : Logger(rocksdb::InfoLogLevel::WARN_LEVEL) {}

  using Logger::Logv;
  void Logv(const char* format, va_list arguments) override {
    char line[512];
    std::vsnprintf(line, sizeof line, format, arguments);
    const std::scoped_lock lock(warning_mutex_);
    warning_ = line;
  }

  std::string warning() const {
    const std::scoped_lock lock(warning_mutex_);
    return warning_;
  }

 private:
  mutable std::mutex warning_mutex_;
  std::string warning_;
};

/// The sequence number of a batch and how many it uses, from its head: 8 and 4 bytes, the lowest first.
struct Sequence {
  std::uint64_t first = 0;
  std::uint64_t count = 0;

  explicit Sequence(const std::string& batch) {
    for (int i = 7; i >= 0; --i) first = first << 8 | static_cast<unsigned char>(batch.at(i));
    for (int i = 11; i >= 8; --i) count = count << 8 | static_cast<unsigned char>(batch.at(i));
  }
};

/// Shows every log record to the inspector and then drops it: this pass needs the checksums, not the data. Refuses logs
/// between whose records others are missing.
class LogInspection final : public rocksdb::WalFilter {
 public:
  explicit LogInspection(const Options& options) : options_(options) {}

  const char* Name() const override { return "dolmen.LogInspection"; }

  WalProcessingOption LogRecordFound(unsigned long long /*log_number*/, const std::string& log_file_name,
                                     const rocksdb::WriteBatch& batch, rocksdb::WriteBatch* /*new_batch*/,
                                     bool* /*batch_changed*/) override {
    ++records_;
    const Sequence sequence(batch.Data());
    if (records_ > 1 && sequence.first != next_) refuse_gap(log_file_name, sequence.first);
    next_ = sequence.first + sequence.count;
    if (refusal_) return WalProcessingOption::kCorruptedRecord;
    if (!options_.inspect_log) return WalProcessingOption::kIgnoreCurrentRecord;
    Records records(*this);
    const rocksdb::Status read = batch.Iterate(&records);
    return read.ok() && !refusal_ ? WalProcessingOption::kIgnoreCurrentRecord : WalProcessingOption::kCorruptedRecord;
  }

  const std::optional<Error>& refusal() const { return refusal_; }
  std::uint64_t records() const { return records_; }

 private:
  struct Records final : rocksdb::WriteBatch::Handler {
    explicit Records(LogInspection& owner) : owner_(owner) {}
    rocksdb::Status PutCF(uint32_t, const rocksdb::Slice&, const rocksdb::Slice&) override { return {}; }
    rocksdb::Status DeleteCF(uint32_t, const rocksdb::Slice&) override { return {}; }
    rocksdb::Status DeleteRangeCF(uint32_t, const rocksdb::Slice&, const rocksdb::Slice&) override { return {}; }
    void LogData(const rocksdb::Slice& bytes) override {
      if (owner_.refusal_) return;
      if (auto seen = owner_.options_.inspect_log(bytes.ToStringView()); !seen) owner_.refusal_ = seen.error();
    }
    LogInspection& owner_;
  };

  void refuse_gap(const std::string& file, std::uint64_t found) {
    if (refusal_) return;
    refusal_ = Error(Code::kCorruption,
                     fmt::format("the logs of the store have a hole before {}: the changes {} to {} are missing, and "
                                 "later ones are there. Nothing has been changed; restore the store from a backup, or "
                                 "save what is left of it with \"dolmen repair\"",
                                 file, next_, found - 1));
  }

  const Options& options_;
  std::optional<Error> refusal_;
  std::uint64_t records_ = 0;
  std::uint64_t next_ = 0;  ///< The sequence number that the next record must have.
};

/// Reads a whole column family, which checks the checksum of every block.
rocksdb::Status read_through(rocksdb::DB& db, rocksdb::ColumnFamilyHandle* family) {
  rocksdb::ReadOptions options;
  options.total_order_seek = true;
  const std::unique_ptr<rocksdb::Iterator> rows(db.NewIterator(options, family));
  for (rows->SeekToFirst(); rows->Valid(); rows->Next()) {}
  return rows->status();
}

}  // namespace

Result<std::uint64_t> check_log(const std::string& path, const rocksdb::Options& rocks,
                                const std::vector<std::string>& families, const Options& options) {
  LogInspection inspection(options);
  const auto warnings = std::make_shared<WarningKeeper>();
  rocksdb::Options reading = rocks;
  reading.info_log = warnings;
  reading.wal_filter = &inspection;
  const std::vector<rocksdb::ColumnFamilyDescriptor> descriptors = [&] {
    std::vector<rocksdb::ColumnFamilyDescriptor> all;
    for (const std::string& name : families) all.emplace_back(name, reading);
    return all;
  }();

  std::vector<rocksdb::ColumnFamilyHandle*> handles;
  rocksdb::DB* opened = nullptr;
  const rocksdb::Status status = rocksdb::DB::OpenForReadOnly(reading, path, descriptors, &handles, &opened);
  const std::unique_ptr<rocksdb::DB> db(opened);
  rocksdb::Status read = status;
  for (auto* handle : handles) {
    const bool verified =
        std::ranges::find(options.verified_keyspaces, handle->GetName()) != options.verified_keyspaces.end();
    if (read.ok() && verified) read = read_through(*db, handle);
    db->DestroyColumnFamilyHandle(handle);
  }
  if (inspection.refusal()) return std::unexpected(*inspection.refusal());
  if (read.ok()) return inspection.records();
  return std::unexpected(damage_error(read, path, warnings->warning()));
}

}  // namespace dolmen::storage
