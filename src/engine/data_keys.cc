#include "engine/data_keys.h"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

#include "base/arn.h"
#include "base/fail.h"
#include "engine/backup_rows.h"
#include "engine/keyspaces.h"
#include "engine/kms_key.h"
#include "engine/record_reader.h"
#include "engine/stream_log.h"
#include "engine/transfer_rows.h"
#include "value/encoded_item.h"

namespace dolmen::engine {
namespace {

constexpr std::string_view kDataKeyPrefix = "data-key/";
constexpr std::string_view kDataKeyPrefixEnd = "data-key0";
constexpr std::string_view kAwsAlias = "alias/aws/";

std::string data_key_key(TableId number) { return fmt::format("{}{:08x}", kDataKeyPrefix, number); }

/// What a wrapped data key is bound to.
std::string wrap_context(TableId number) { return fmt::format("dolmen data key {}", number); }

/// The name of the key in an ARN that this store has made.
std::string_view name_of_key(std::string_view arn) {
  constexpr std::string_view kKey = ":key/";
  const std::size_t at = arn.find(kKey);
  return at == std::string_view::npos ? arn : arn.substr(at + kKey.size());
}

std::string_view without_prefix(std::string_view text, std::string_view prefix) {
  if (text.starts_with(prefix)) text.remove_prefix(prefix.size());
  return text;
}

}  // namespace

void DataKeys::put(storage::Batch& batch, TableId number, const Entry& entry) {
  const Item record{{"kms_key", entry.arn}, {"table_uuid", entry.table_uuid}, {"wrapped", Bytes(entry.wrapped)}};
  batch.put(keyspaces::kCatalogue, data_key_key(number), encode_item(record).bytes);
}

Result<std::map<TableId, DataKeys::Entry>> DataKeys::read(const storage::Storage& storage) {
  std::map<TableId, Entry> entries;
  auto rows = storage.iterate(keyspaces::kCatalogue, {.lower = kDataKeyPrefix, .upper = kDataKeyPrefixEnd});
  for (rows.seek_first(); rows.valid(); rows.next()) {
    DOLMEN_TRY(const Item record, decode_item(rows.value()));
    bool ok = true;
    RecordReader reader(record, ok);
    TableId number = 0;
    for (const char digit : rows.key().substr(kDataKeyPrefix.size()))
      number = number * 16 + static_cast<TableId>(digit >= 'a' ? digit - 'a' + 10 : digit - '0');
    Entry entry{.arn = reader.text("kms_key"),
                .table_uuid = reader.text("table_uuid"),
                .wrapped = std::string(reader.get<Bytes>("wrapped").view())};
    if (!ok) return fail(Code::kCorruption, "the catalogue entry \"{}\" is damaged", rows.key());
    entries.emplace(number, std::move(entry));
  }
  DOLMEN_TRY_VOID(rows.status());
  return entries;
}

Result<void> DataKeys::load(storage::Storage& storage, TableTime now) {
  seals_ = storage.seals();
  DOLMEN_TRY(auto entries, read(storage));
  const std::lock_guard lock(entries_mutex_);
  entries_ = std::move(entries);
  if (entries_.empty()) return {};
  for (const storage::Keyspace keyspace : {keyspaces::kItems, keyspaces::kStreams, keyspaces::kHistory})
    seals_->watch(keyspace);
  for (auto& [number, entry] : entries_) try_entry(number, entry, now);
  return {};
}

std::optional<std::string_view> DataKeys::name_in(std::string_view arn) const {
  const Arn parts = split_arn(arn);
  if (!parts.is_whole() || parts.service() != "kms" || parts.region() != options_.region ||
      parts.account() != options_.account)
    return std::nullopt;
  const std::string_view resource = parts.resource();
  for (const std::string_view kind : {"key/", "alias/"})
    if (resource.starts_with(kind)) return arn.substr(arn.size() - (resource.size() - kind.size()));
  return std::nullopt;
}

Result<DataKeys::Plan> DataKeys::plan(const std::optional<std::string>& name) const {
  if (!name) return Plan{};
  const bool is_arn = name->starts_with("arn:");
  const bool of_aws = name->starts_with(kAwsAlias) || (is_arn && name->contains(":alias/aws/"));
  const std::string account_key =
      kms_key_arn(std::string(kAwsAlias).append("dynamodb"), options_.region, options_.account);
  if (of_aws || *name == account_key || (options_.table_keys == nullptr && empty()))
    return Plan{.arn = kms_key_arn(*name, options_.region, options_.account)};
  const std::optional<std::string_view> key =
      is_arn ? name_in(*name) : std::optional(without_prefix(without_prefix(*name, "key/"), "alias/"));
  const std::string arn =
      fmt::format("arn:aws:kms:{}:{}:key/{}", options_.region, options_.account, key.value_or(std::string_view()));
  std::optional<storage::RowCipher::Key> found;
  if (key && options_.table_keys != nullptr) found = options_.table_keys->find(*key);
  if (found) {
    storage::wipe(*found);
    return Plan{.arn = arn, .encrypts = true};
  }
  const bool is_alias = name->contains("alias/");
  const std::string named = is_arn ? *name
                                   : fmt::format("arn:aws:kms:{}:{}:{}/{}", options_.region, options_.account,
                                                 is_alias ? "alias" : "key", *key);
  return fail(Code::kValidation,
              "KMS validation error: com.amazonaws.services.kms.model.NotFoundException: {} (Service: AWSKMS; Status "
              "Code: 400; Error Code: NotFoundException; Request ID: {}; Proxy: null)",
              is_alias ? fmt::format("Alias {} is not found.", named) : fmt::format("Key '{}' does not exist", named),
              random_uuid(*options_.random));
}

Result<std::string> DataKeys::wrapped_by(const std::string& arn, TableId number,
                                         const storage::RowCipher::Key& key) const {
  std::optional<storage::RowCipher::Key> found;
  if (options_.table_keys != nullptr) found = options_.table_keys->find(name_of_key(arn));
  if (!found) return fail(Code::kValidation, "the key {} is not there any more", arn);
  std::string wrapped;
  storage::RowCipher(*found).seal(wrap_context(number), {reinterpret_cast<const char*>(key.data()), key.size()},
                                  wrapped, *options_.random);
  storage::wipe(*found);
  return wrapped;
}

Result<TableSeal> DataKeys::make(storage::Storage& storage, storage::Batch& batch, TableId number, const Plan& plan,
                                 const std::string& table_uuid) {
  DOLMEN_TRY_VOID(storage.mark_sealed());
  storage::RowCipher::Key key = storage::random_key(*options_.random);
  Result<std::string> wrapped = wrapped_by(*plan.arn, number, key);
  if (wrapped) seals_->set_key(number, std::make_shared<storage::RowCipher>(key));
  storage::wipe(key);
  if (!wrapped) return std::unexpected(std::move(wrapped).error());
  Entry entry{.arn = *plan.arn, .table_uuid = table_uuid, .wrapped = *std::move(wrapped)};
  put(batch, number, entry);
  const std::lock_guard lock(entries_mutex_);
  entries_.insert_or_assign(number, std::move(entry));
  return TableSeal{.key = number};
}

Result<void> DataKeys::rewrap(storage::Batch& batch, const Table& table, const std::string& arn) {
  const TableId number = table.seal->key;
  Entry entry;
  {
    const std::lock_guard lock(entries_mutex_);
    entry = entries_[number];
  }
  std::optional<storage::RowCipher::Key> key = unwrapped(number, entry);
  if (!key) return missing_key();
  Result<std::string> wrapped = wrapped_by(arn, number, *key);
  storage::wipe(*key);
  if (!wrapped) return std::unexpected(std::move(wrapped).error());
  entry.arn = arn;
  entry.wrapped = *std::move(wrapped);
  put(batch, number, entry);
  batch.when_visible([this, number, entry = std::move(entry)] {
    const std::lock_guard lock(entries_mutex_);
    entries_.insert_or_assign(number, entry);
  });
  return {};
}

std::optional<storage::RowCipher::Key> DataKeys::unwrapped(TableId number, const Entry& entry) const {
  std::optional<storage::RowCipher::Key> found;
  if (options_.table_keys != nullptr) found = options_.table_keys->find(name_of_key(entry.arn));
  if (!found) return std::nullopt;
  std::string plain;
  const bool opened = storage::RowCipher(*found).open(wrap_context(number), entry.wrapped, plain);
  storage::wipe(*found);
  if (!opened || plain.size() != storage::RowCipher::kKeyBytes) return std::nullopt;
  storage::RowCipher::Key key{};
  std::ranges::copy(plain, key.begin());
  std::ranges::fill(plain, '\0');
  return key;
}

void DataKeys::try_entry(TableId number, Entry& entry, TableTime now) const {
  if (std::optional<storage::RowCipher::Key> key = unwrapped(number, entry)) {
    entry.missing_since.reset();
    if (!seals_->has_key(number)) seals_->set_key(number, std::make_shared<storage::RowCipher>(*key));
    storage::wipe(*key);
  } else if (!entry.missing_since) {
    entry.missing_since = now;
    seals_->withhold_key(number);
  }
}

bool DataKeys::refresh(TableTime now) {
  bool changed = false;
  const std::lock_guard lock(entries_mutex_);
  for (auto& [number, entry] : entries_) {
    const bool was_missing = entry.missing_since.has_value();
    try_entry(number, entry, now);
    if (entry.missing_since.has_value() == was_missing) continue;
    changed = true;
    if (options_.log)
      options_.log(was_missing ? fmt::format("the key {} is back; tables that it encrypts can be used", entry.arn)
                               : fmt::format("the key {} is missing; tables that it encrypts cannot be used until it "
                                             "is back",
                                             entry.arn));
  }
  return changed;
}

bool DataKeys::empty() const {
  const std::lock_guard lock(entries_mutex_);
  return entries_.empty();
}

std::optional<TableTime> DataKeys::missing_since(const Table& table) const {
  if (!table.seal) return std::nullopt;
  const std::lock_guard lock(entries_mutex_);
  const auto found = entries_.find(table.seal->key);
  return found == entries_.end() ? std::optional(table.created) : found->second.missing_since;
}

std::optional<std::string> DataKeys::arn_of(const Table& table) const {
  if (!table.seal) return std::nullopt;
  const std::lock_guard lock(entries_mutex_);
  const auto found = entries_.find(table.seal->key);
  return found == entries_.end() ? std::nullopt : std::optional(found->second.arn);
}

Result<void> DataKeys::remove_unused(storage::Storage& storage,
                                     const std::vector<std::shared_ptr<const Table>>& tables) {
  DOLMEN_TRY(const auto entries, read(storage));
  if (entries.empty()) return {};
  std::set<TableId> used;
  std::set<std::string> uuids;
  for (const std::shared_ptr<const Table>& table : tables)
    if (table->seal) used.insert(table->seal->key);
  DOLMEN_TRY(const std::vector<backups::Backup> all, backups::list(storage));
  for (const backups::Backup& backup : all)
    if (backup.table.seal) used.insert(backup.table.seal->key);
  // Records of a deleted table can be read for a day.
  DOLMEN_TRY(const std::vector<streams::Stream> streams, streams::list_at(storage, storage.snapshot()));
  for (const streams::Stream& stream : streams) uuids.insert(stream.table_uuid);
  // What a copy of a deleted table is made into may take long.
  DOLMEN_TRY(const std::vector<backups::Restore> restores, backups::list_restores(storage));
  DOLMEN_TRY(const std::vector<transfers::ExportJob> exports, transfers::list<transfers::ExportJob>(storage));
  if (!restores.empty() || std::ranges::any_of(exports, [](const auto& job) { return transfers::is_running(job); }))
    return {};
  storage::Batch batch;
  for (const auto& [number, entry] : entries)
    if (!used.contains(number) && !uuids.contains(entry.table_uuid))
      batch.remove(keyspaces::kCatalogue, data_key_key(number));
  return batch.empty() ? Result<void>() : storage.commit(std::move(batch));
}

std::unexpected<Error> missing_key() {
  return fail(Code::kAccessDenied,
              "KMS key access denied error: com.amazonaws.services.kms.model.AWSKMSException: The ciphertext refers to "
              "a customer master key that does not exist, does not exist in this region, or you are not allowed to "
              "access. (Service: AWSKMS; Status Code: 400; Error Code: AccessDeniedException; Proxy: null)");
}

std::vector<SealedRows> sealed_rows(const Table& table) {
  std::vector<SealedRows> rows{{keyspaces::kItems, table.id}};
  for (const Index& index : table.indexes) rows.push_back({keyspaces::kItems, index.id});
  for (const VectorIndex& index : table.vector_indexes) rows.push_back({keyspaces::kItems, index.id});
  if (table.stream_id != 0) rows.push_back({keyspaces::kStreams, table.stream_id});
  for (const KinesisTarget& target : table.kinesis)
    if (target.records != 0) rows.push_back({keyspaces::kStreams, target.records});
  if (table.history) rows.push_back({keyspaces::kHistory, table.history->id});
  return rows;
}

void apply_seal(storage::RowSeals& seals, const Table& table) {
  for (const SealedRows& rows : sealed_rows(table)) {
    if (table.seal && table.seal->state != SealState::kOpening) {
      seals.seal_rows(rows.keyspace, rows.id, table.seal->key);
    } else {
      seals.leave_rows(rows.keyspace, rows.id);
    }
  }
}

}  // namespace dolmen::engine
