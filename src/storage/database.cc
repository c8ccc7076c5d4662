#include "storage/database.h"

#include <algorithm>
#include <fmt/core.h>
#include <rocksdb/db.h>
#include <rocksdb/env.h>
#include <rocksdb/listener.h>
#include <utility>

#include "base/check.h"
#include "base/fail.h"
#include "storage/fault_file_system.h"
#include "storage/log_check.h"
#include "storage/quiet_log.h"
#include "storage/rocks_error.h"
#include "storage/rocks_options.h"
#include "storage/unwaiting_files.h"

namespace dolmen::storage {
namespace {

constexpr const char* kPathInMemory = "/dolmen";

std::unique_ptr<rocksdb::Env> make_env(const Options& options) {
  if (options.durability == Durability::kMemory) {
    return std::unique_ptr<rocksdb::Env>(rocksdb::NewMemEnv(rocksdb::Env::Default()));
  }
  return options.faults ? make_fault_env(options.faults) : make_unwaiting_env();
}

// RocksDB has no status for a lock that another program holds, such as its own tools.
bool is_locked(const std::string& message) {
  return message.find("While lock file") != std::string::npos || message.find("lock hold by") != std::string::npos;
}

Error opening_error(const rocksdb::Status& status, const std::string& path) {
  Error error = error_from(status, fmt::format("open the store in {}", path));
  if (is_locked(error.message())) return {Code::kDirectoryInUse, error.message()};
  return error;
}

/// Renews the seal when the list of files has grown. A failed renewal is ignored: the old seal only covers less, and a
/// disk that refuses it will refuse the next commit too.
class SealKeeper final : public rocksdb::EventListener {
 public:
  explicit SealKeeper(std::shared_ptr<ManifestSeal> seal) : seal_(std::move(seal)) {}

  void OnFlushCompleted(rocksdb::DB*, const rocksdb::FlushJobInfo&) override { static_cast<void>(seal_->renew()); }
  void OnCompactionCompleted(rocksdb::DB*, const rocksdb::CompactionJobInfo&) override {
    static_cast<void>(seal_->renew());
  }

 private:
  std::shared_ptr<ManifestSeal> seal_;
};

/// Notes failures that only opening the store again can mend, and keeps RocksDB from resuming by itself: CommitQueue
/// decides when.
class FailureKeeper final : public rocksdb::EventListener {
 public:
  explicit FailureKeeper(std::shared_ptr<std::atomic<bool>> must_reopen) : must_reopen_(std::move(must_reopen)) {}

  void OnBackgroundError(rocksdb::BackgroundErrorReason, rocksdb::Status* error) override {
    if (error->severity() >= rocksdb::Status::Severity::kFatalError) *must_reopen_ = true;
  }
  void OnErrorRecoveryBegin(rocksdb::BackgroundErrorReason, rocksdb::Status, bool* auto_recovery) override {
    *auto_recovery = false;
  }

 private:
  std::shared_ptr<std::atomic<bool>> must_reopen_;
};

Result<std::vector<std::string>> list_families(const std::string& path, const rocksdb::Options& rocks) {
  std::vector<std::string> names;
  const rocksdb::Status status = rocksdb::DB::ListColumnFamilies(rocks, path, &names);
  if (!status.ok()) return std::unexpected(damage_error(status, path));
  return names;
}

}  // namespace

Database::Database() = default;

Result<std::unique_ptr<Database>> Database::open(const Options& options) {
  std::unique_ptr<Database> database(new Database);
  if (options.durability == Durability::kMemory) {
    database->env_ = make_env(options);
    DOLMEN_TRY_VOID(database->open_in(kPathInMemory, options, true));
    return database;
  }
  DOLMEN_TRY(database->directory_, Directory::open(options.directory, options.files));
  Directory& directory = *database->directory_;
  const bool create = directory.is_new();
  if (options.inspect_directory) DOLMEN_TRY_VOID(options.inspect_directory(directory.path()));
  if (!options.faults)
    database->seal_ = std::make_shared<ManifestSeal>(directory.database(), directory.path() / "SEAL", options.files);
  database->base_env_ = make_env(options);
  database->keeper_ = std::make_unique<LogKeeper>(directory.path(), options.files);
  database->env_ = database->keeper_->watch(*database->base_env_);
  if (create) DOLMEN_TRY_VOID(directory.begin_creation());
  if (!create && database->seal_) DOLMEN_TRY_VOID(database->seal_->check());
  if (!create) {
    DOLMEN_TRY(database->recovery_, database->keeper_->check());
  }
  DOLMEN_TRY_VOID(database->open_in(directory.database(), options, create));
  if (database->seal_) DOLMEN_TRY_VOID(database->seal_->renew());
  if (create) DOLMEN_TRY_VOID(directory.finish_creation());
  return database;
}

Result<std::unique_ptr<Database>> Database::open_for_reading(const Options& options) {
  std::unique_ptr<Database> database(new Database);
  rocksdb::Options rocks = rocks_options(options, rocksdb::Env::Default());
  rocks.info_log = std::make_shared<QuietLog>();
  DOLMEN_TRY_VOID(database->open_read_only(Directory::database_in(options.directory), options, rocks));
  return database;
}

Result<std::unique_ptr<Database>> Database::open_unchanged(const Options& options) {
  std::unique_ptr<Database> database(new Database);
  DOLMEN_TRY(database->directory_, Directory::open_for_copy(options.directory));
  const Directory& directory = *database->directory_;
  if (options.inspect_directory) DOLMEN_TRY_VOID(options.inspect_directory(directory.path()));
  DOLMEN_TRY_VOID(ManifestSeal(directory.database(), directory.path() / "SEAL").check());
  database->keeper_ = std::make_unique<LogKeeper>(directory.path());
  database->env_ = database->keeper_->watch(*rocksdb::Env::Default());
  DOLMEN_TRY(database->recovery_, database->keeper_->check());
  rocksdb::Options rocks = rocks_options(options, database->env_.get());
  rocks.info_log = std::make_shared<QuietLog>();
  const std::string path = directory.database();
  DOLMEN_TRY(const std::vector<std::string> names, list_families(path, rocks));
  DOLMEN_TRY(database->recovery_.log_records, check_log(path, rocks, names, options));
  DOLMEN_TRY_VOID(database->open_read_only(path, options, rocks));
  return database;
}

Result<void> Database::open_read_only(const std::string& path, const Options& options, const rocksdb::Options& rocks) {
  DOLMEN_TRY(const std::vector<std::string> names, list_families(path, rocks));
  std::vector<rocksdb::ColumnFamilyDescriptor> descriptors;
  for (const std::string& name : names) descriptors.emplace_back(name, rocks);
  std::vector<rocksdb::ColumnFamilyHandle*> families;
  rocksdb::DB* db = nullptr;
  const rocksdb::Status status = rocksdb::DB::OpenForReadOnly(rocks, path, descriptors, &families, &db);
  if (!status.ok()) return std::unexpected(opening_error(status, path));
  db_.reset(db);
  keep_families(options, std::move(families));
  return {};
}

Result<void> Database::open_in(const std::string& path, const Options& options, bool create) {
  rocksdb::Options rocks = rocks_options(options, env_ ? env_.get() : rocksdb::Env::Default());
  rocks.create_if_missing = create;
  if (seal_) rocks.listeners.push_back(std::make_shared<SealKeeper>(seal_));
  rocks.listeners.push_back(std::make_shared<FailureKeeper>(must_reopen_));
  std::vector<std::string> names{rocksdb::kDefaultColumnFamilyName};
  if (!create) {
    DOLMEN_TRY(names, list_families(path, rocks));
    DOLMEN_TRY(recovery_.log_records, check_log(path, rocks, names, options));
  }
  if (keeper_) DOLMEN_TRY_VOID(keeper_->begin(*base_env_));
  std::vector<rocksdb::ColumnFamilyDescriptor> descriptors;
  for (const std::string& name : names) descriptors.emplace_back(name, rocks);

  std::vector<rocksdb::ColumnFamilyHandle*> families;
  rocksdb::DB* db = nullptr;
  const rocksdb::Status status = rocksdb::DB::Open(rocks, path, descriptors, &families, &db);
  if (!status.ok()) return std::unexpected(opening_error(status, path));
  db_.reset(db);
  // All at once, because RocksDB writes and syncs its options for each that it creates while it opens.
  std::vector<std::string> missing;
  for (const std::string& name : options.keyspaces)
    if (std::ranges::find(names, name) == names.end()) missing.push_back(name);
  std::vector<rocksdb::ColumnFamilyHandle*> created;
  const rocksdb::Status made =
      missing.empty() ? rocksdb::Status::OK() : db_->CreateColumnFamilies(rocks, missing, &created);
  families.insert(families.end(), created.begin(), created.end());
  keep_families(options, std::move(families));
  if (!made.ok()) return std::unexpected(opening_error(made, path));
  return {};
}

void Database::keep_families(const Options& options, std::vector<rocksdb::ColumnFamilyHandle*> families) {
  const auto find = [&](const std::string& name) {
    return std::ranges::find(families, name, [](const auto* family) { return family->GetName(); });
  };
  for (const std::string& name : options.keyspaces) {
    const auto found = find(name);
    // Only a copy that is read can lack a keyspace. The default family is always empty.
    families_.push_back(*(found == families.end() ? find(rocksdb::kDefaultColumnFamilyName) : found));
  }
  all_families_ = std::move(families);
}

Database::~Database() {
  if (!db_) return;
  for (auto* family : all_families_) db_->DestroyColumnFamilyHandle(family);
  db_->Close().PermitUncheckedError();
}

rocksdb::ColumnFamilyHandle* Database::family(Keyspace keyspace) const {
  DOLMEN_CHECK(keyspace.index < families_.size(), "no such keyspace");
  return families_[keyspace.index];
}

Result<void> Database::flush() {
  if (!directory_) return {};
  const rocksdb::Status status = db_->Flush(rocksdb::FlushOptions(), families_);
  if (!status.ok()) return std::unexpected(error_from(status, "flush the store to disk"));
  return {};
}

std::optional<Error> Database::log_failure() const { return keeper_ ? keeper_->needs_new_log() : std::nullopt; }

void Database::doubt_log(const Error& reason) {
  if (keeper_) keeper_->doubt_newest_log(reason);
}

bool Database::may_resume() const { return keeper_ && !*must_reopen_; }

Result<bool> Database::resume() {
  const rocksdb::Status resumed = db_->Resume();
  if (!may_resume()) return std::unexpected(error_from(resumed, "resume writing"));
  if (!resumed.ok()) return false;
  if (log_failure() && !renew_log()) return false;
  return !log_failure();
}

// RocksDB begins a new log when it writes memory to a file, and only then. When there is nothing in memory, a removal
// of what is not there gives it something; the removal itself needs no log.
Result<void> Database::renew_log() {
  DOLMEN_TRY_VOID(flush());
  if (!log_failure()) return {};
  rocksdb::WriteOptions unlogged;
  unlogged.disableWAL = true;
  rocksdb::ColumnFamilyHandle* family = db_->DefaultColumnFamily();
  rocksdb::Status status = db_->Delete(unlogged, family, "nothing");
  if (status.ok()) status = db_->Flush(rocksdb::FlushOptions(), family);
  if (!status.ok()) return std::unexpected(error_from(status, "begin a new log"));
  return {};
}

}  // namespace dolmen::storage
