#include "engine/transfer_rows.h"

#include <fmt/format.h>
#include <map>

#include "base/fail.h"
#include "engine/keyspaces.h"
#include "engine/record_reader.h"
#include "engine/table_record.h"
#include "value/encoded_item.h"

namespace dolmen::engine::transfers {
namespace {

template <class Job>
constexpr std::string_view kPrefix;
template <>
constexpr std::string_view kPrefix<ExportJob> = "export/";
template <>
constexpr std::string_view kPrefix<ImportJob> = "import/";
template <>
constexpr std::string_view kPrefix<BulkJob> = "bulk/";
constexpr std::string_view kFilePrefix = "export-file/";

/// What comes after all keys that begin with a prefix, which ends with a slash.
std::string end_of(std::string_view prefix) { return std::string(prefix.substr(0, prefix.size() - 1)).append("0"); }

std::string files_prefix(std::string_view id) { return fmt::format("{}{}/", kFilePrefix, id); }

std::int64_t millis_of(TableTime time) { return time.time_since_epoch().count(); }

void set_text(Item& record, const char* name, const std::optional<std::string>& text) {
  if (text) record.set(name, *text);
}

void set_moment(Item& record, const char* name, const std::optional<TableTime>& time) {
  if (time) record.set(name, millis_of(*time));
}

void set_count(Item& record, const char* name, const std::optional<std::uint64_t>& count) {
  if (count) record.set(name, *count);
}

std::optional<std::string> text_if_there(RecordReader& reader, std::string_view name) {
  return reader.has(name) ? std::optional(reader.text(name)) : std::nullopt;
}

std::uint64_t count_of(RecordReader& reader, std::string_view name) {
  return static_cast<std::uint64_t>(reader.integer(name));
}

TableTime moment_of(RecordReader& reader, std::string_view name) {
  return TableTime(std::chrono::milliseconds(reader.integer(name)));
}

// ---- Parts of requests ----

Item record_of(const BucketPlace& place) {
  Item record{{"bucket", place.bucket}};
  set_text(record, "owner", place.owner);
  set_text(record, "prefix", place.prefix);
  return record;
}

BucketPlace read_place(RecordReader& reader) {
  return {.bucket = reader.text("bucket"),
          .owner = text_if_there(reader, "owner"),
          .prefix = text_if_there(reader, "prefix")};
}

Item record_of(const BucketEncryption& encryption) {
  Item record;
  set_text(record, "algorithm", encryption.algorithm);
  set_text(record, "kms_key", encryption.kms_key);
  return record;
}

BucketEncryption read_encryption(RecordReader& reader) {
  return {.algorithm = text_if_there(reader, "algorithm"), .kms_key = text_if_there(reader, "kms_key")};
}

Item record_of(const JobFailure& failure) { return {{"code", failure.code}, {"message", failure.message}}; }

JobFailure read_failure(RecordReader& reader) {
  return {.code = reader.text("code"), .message = reader.text("message")};
}

Item record_of(const IncrementalExport& window) {
  Item record{{"old_images", window.old_images}};
  set_moment(record, "from_ms", window.from);
  set_moment(record, "to_ms", window.to);
  return record;
}

IncrementalExport read_window(RecordReader& reader) {
  return {.from = reader.time("from_ms"), .to = reader.time("to_ms"), .old_images = reader.get<bool>("old_images")};
}

Item record_of(const ExportFilter& filter) {
  Item record;
  set_text(record, "key_condition", filter.key_condition);
  set_text(record, "filter", filter.filter);
  set_text(record, "projection", filter.projection);
  Item names;
  for (const auto& [placeholder, name] : filter.placeholders.names) names.set(placeholder, name);
  record.set("names", std::move(names));
  record.set("values", filter.placeholders.values);
  return record;
}

ExportFilter read_filter(RecordReader& reader) {
  ExportFilter filter{.key_condition = text_if_there(reader, "key_condition"),
                      .filter = text_if_there(reader, "filter"),
                      .projection = text_if_there(reader, "projection")};
  for (const auto& [placeholder, name] : reader.get<Item>("names"))
    if (const std::string* text = name.get_if<std::string>()) filter.placeholders.names.emplace(placeholder, *text);
  filter.placeholders.values = reader.get<Item>("values");
  return filter;
}

Item record_of(const ExportTableRequest& asked) {
  Item record{{"table_arn", asked.table_arn},
              {"to", record_of(asked.to)},
              {"encryption", record_of(asked.encryption)},
              {"format", item_format_name(asked.format)}};
  set_moment(record, "time_ms", asked.time);
  set_text(record, "token", asked.client_token);
  if (asked.incremental) record.set("incremental", *asked.incremental);
  if (asked.window) record.set("window", record_of(*asked.window));
  if (asked.filter) record.set("filter", record_of(*asked.filter));
  return record;
}

ExportTableRequest read_export_request(RecordReader& reader) {
  ExportTableRequest asked{.table_arn = reader.text("table_arn"),
                           .time = reader.time("time_ms"),
                           .client_token = text_if_there(reader, "token"),
                           .to = reader.inner("to", read_place),
                           .encryption = reader.inner("encryption", read_encryption),
                           .format = reader.named("format", item_format_of)};
  if (reader.has("incremental")) asked.incremental = reader.get<bool>("incremental");
  asked.window = reader.inner_if_there("window", read_window);
  asked.filter = reader.inner_if_there("filter", read_filter);
  return asked;
}

Item record_of(const RecordPosition& position) {
  return {{"object", position.object},
          {"records", position.records},
          {"bytes_before", position.bytes_before},
          {"done", position.done}};
}

RecordPosition read_position(RecordReader& reader) {
  return {.object = reader.text("object"),
          .records = count_of(reader, "records"),
          .bytes_before = count_of(reader, "bytes_before"),
          .done = reader.get<bool>("done")};
}

Item record_of(const CsvInput& csv) {
  AttributeValue::List header;
  for (const std::string& name : csv.header) header.emplace_back(name);
  Item record{{"header", std::move(header)}};
  set_text(record, "delimiter", csv.delimiter);
  return record;
}

CsvInput read_csv_input(RecordReader& reader) {
  CsvInput csv{.delimiter = text_if_there(reader, "delimiter")};
  for (const AttributeValue& name : reader.get<List>("header"))
    if (const std::string* text = name.get_if<std::string>()) csv.header.push_back(*text);
  return csv;
}

Item record_of(const ImportTableRequest& asked) {
  Item record{{"from", record_of(asked.from)},
              {"format", item_format_name(asked.format)},
              {"compression", object_compression_name(asked.compression)}};
  set_text(record, "token", asked.client_token);
  if (asked.csv) record.set("csv", record_of(*asked.csv));
  // The engine made these bytes just now.
  record.set("table", decode_item(encode_table(make_table(asked.table, 1))).value());
  return record;
}

ImportTableRequest read_import_request(RecordReader& reader) {
  ImportTableRequest asked{.client_token = text_if_there(reader, "token"),
                           .from = reader.inner("from", read_place),
                           .format = reader.named("format", item_format_of),
                           .csv = reader.inner_if_there("csv", read_csv_input),
                           .compression = reader.named("compression", object_compression_of),
                           .table = {}};
  if (const Result<Table> table = decode_table("import", encode_item(reader.get<Item>("table")).bytes))
    asked.table = table->definition;
  return asked;
}

Item record_of(const BulkPutRequest& asked) {
  Item record{{"table", asked.table},
              {"from", record_of(asked.from)},
              {"format", item_format_name(asked.format)},
              {"compression", object_compression_name(asked.compression)},
              {"reports", record_of(asked.reports)},
              {"encryption", record_of(asked.encryption)},
              {"report_errors", asked.report_errors},
              {"report_failed_conditions", asked.report_failed_conditions}};
  set_text(record, "token", asked.client_token);
  set_text(record, "tier", asked.tier);
  if (asked.max_write_units) record.set("max_write_units", *asked.max_write_units);
  return record;
}

BulkPutRequest read_bulk_request(RecordReader& reader) {
  return {.table = reader.text("table"),
          .client_token = text_if_there(reader, "token"),
          .from = reader.inner("from", read_place),
          .format = reader.named("format", item_format_of),
          .compression = reader.named("compression", object_compression_of),
          .reports = reader.inner("reports", read_place),
          .encryption = reader.inner("encryption", read_encryption),
          .report_errors = reader.get<bool>("report_errors"),
          .report_failed_conditions = reader.get<bool>("report_failed_conditions"),
          .max_write_units = reader.number("max_write_units"),
          .tier = text_if_there(reader, "tier")};
}

// ---- What all jobs have ----

template <class Description>
void set_common(Item& record, const Description& described) {
  record.set("arn", described.arn);
  record.set("status", job_status_name(described.status));
  record.set("asked", record_of(described.asked));
  record.set("table_id", described.table_id);
  record.set("started_ms", millis_of(described.started));
  set_moment(record, "ended_ms", described.ended);
  if (described.failure) record.set("failure", record_of(*described.failure));
}

template <class Description>
void read_common(RecordReader& reader, Description& described) {
  described.arn = reader.text("arn");
  described.status = reader.named("status", job_status_of);
  described.table_id = reader.text("table_id");
  described.started = moment_of(reader, "started_ms");
  described.ended = reader.time("ended_ms");
  described.failure = reader.inner_if_there("failure", read_failure);
}

void read_job(RecordReader& reader, ExportJob& job) {
  read_common(reader, job.described);
  job.described.asked = reader.inner("asked", read_export_request);
  job.described.manifest = text_if_there(reader, "manifest");
  if (const auto items = reader.number("exported_items")) job.described.items = static_cast<std::uint64_t>(*items);
  if (const auto bytes = reader.number("billed_bytes")) job.described.billed_bytes = static_cast<std::uint64_t>(*bytes);
  job.table = reader.text("table");
  job.copy = reader.text("copy");
  job.source_id = static_cast<TableId>(reader.integer("source_id"));
  job.history_id = static_cast<TableId>(reader.integer("history_id"));
  job.begun = reader.get<bool>("begun");
  job.position = reader.get<Bytes>("position").view();
  job.written = reader.get<bool>("written");
  job.files = count_of(reader, "files");
  job.items = count_of(reader, "items");
  job.bytes = count_of(reader, "bytes");
}

void read_job(RecordReader& reader, ImportJob& job) {
  read_common(reader, job.described);
  job.described.asked = reader.inner("asked", read_import_request);
  job.described.table_arn = reader.text("table_arn");
  job.described.log_group_arn = reader.text("log_group_arn");
  job.described.processed_bytes = count_of(reader, "processed_bytes");
  job.described.processed_items = count_of(reader, "processed_items");
  job.described.imported_items = count_of(reader, "imported_items");
  job.described.errors = count_of(reader, "errors");
  // Before it was written down, only a table that had been made had an id.
  job.has_table = reader.get_or<bool>("has_table", !job.described.table_id.empty());
  job.position = reader.inner("position", read_position);
  job.log_bytes = count_of(reader, "log_bytes");
}

void read_job(RecordReader& reader, BulkJob& job) {
  read_common(reader, job.described);
  job.described.asked = reader.inner("asked", read_bulk_request);
  job.described.processed_bytes = count_of(reader, "processed_bytes");
  job.described.processed_items = count_of(reader, "processed_items");
  job.described.failed_items = count_of(reader, "failed_items");
  job.described.failed_conditions = count_of(reader, "failed_conditions");
  job.described.put_bytes = count_of(reader, "put_bytes");
  job.table = reader.text("table");
  job.position = reader.inner("position", read_position);
  job.reports = count_of(reader, "reports");
}

template <class Job>
Result<Job> decode_job(std::string_view key, std::string_view bytes) {
  DOLMEN_TRY(const Item record, decode_item(bytes));
  bool ok = true;
  RecordReader reader(record, ok);
  Job job;
  job.id = key.substr(kPrefix<Job>.size());
  read_job(reader, job);
  if (!ok) return fail(Code::kCorruption, "the catalogue entry \"{}\" is damaged", key);
  return job;
}

template <class Job>
void put_record(storage::Batch& batch, const Job& job, const Item& record) {
  batch.put(keyspaces::kCatalogue, std::string(kPrefix<Job>).append(job.id), encode_item(record).bytes);
}

}  // namespace

void put(storage::Batch& batch, const ExportJob& job) {
  Item record{{"table", job.table},         {"copy", job.copy},
              {"source_id", job.source_id}, {"history_id", job.history_id},
              {"begun", job.begun},         {"position", Bytes(job.position)},
              {"written", job.written},     {"files", job.files},
              {"items", job.items},         {"bytes", job.bytes}};
  set_common(record, job.described);
  set_text(record, "manifest", job.described.manifest);
  set_count(record, "exported_items", job.described.items);
  set_count(record, "billed_bytes", job.described.billed_bytes);
  put_record(batch, job, record);
}

void put(storage::Batch& batch, const ImportJob& job) {
  Item record{{"table_arn", job.described.table_arn},
              {"log_group_arn", job.described.log_group_arn},
              {"processed_bytes", job.described.processed_bytes},
              {"processed_items", job.described.processed_items},
              {"imported_items", job.described.imported_items},
              {"errors", job.described.errors},
              {"has_table", job.has_table},
              {"position", record_of(job.position)},
              {"log_bytes", job.log_bytes}};
  set_common(record, job.described);
  put_record(batch, job, record);
}

void put(storage::Batch& batch, const BulkJob& job) {
  Item record{{"table", job.table},
              {"processed_bytes", job.described.processed_bytes},
              {"processed_items", job.described.processed_items},
              {"failed_items", job.described.failed_items},
              {"failed_conditions", job.described.failed_conditions},
              {"put_bytes", job.described.put_bytes},
              {"position", record_of(job.position)},
              {"reports", job.reports}};
  set_common(record, job.described);
  put_record(batch, job, record);
}

void put_file(storage::Batch& batch, const std::string& id, std::uint64_t number, const ExportFile& file) {
  const Item record{{"key", file.key}, {"items", file.items}, {"md5", file.md5_base64}, {"etag", file.etag}};
  batch.put(keyspaces::kCatalogue, fmt::format("{}{:010}", files_prefix(id), number), encode_item(record).bytes);
}

void forget_files(storage::Batch& batch, const std::string& id) {
  const std::string lower = files_prefix(id);
  batch.remove_range(keyspaces::kCatalogue, {.lower = lower, .upper = end_of(lower)});
}

Result<std::vector<ExportFile>> files_of(const storage::Storage& storage, const std::string& id) {
  const std::string lower = files_prefix(id);
  const std::string upper = end_of(lower);
  std::vector<ExportFile> files;
  auto rows = storage.iterate(keyspaces::kCatalogue, {.lower = lower, .upper = upper});
  for (rows.seek_first(); rows.valid(); rows.next()) {
    DOLMEN_TRY(const Item record, decode_item(rows.value()));
    bool ok = true;
    RecordReader reader(record, ok);
    files.push_back({.key = reader.text("key"),
                     .items = count_of(reader, "items"),
                     .md5_base64 = reader.text("md5"),
                     .etag = reader.text("etag")});
    if (!ok) return fail(Code::kCorruption, "the catalogue entry \"{}\" is damaged", rows.key());
  }
  DOLMEN_TRY_VOID(rows.status());
  return files;
}

template <class Job>
Result<std::optional<Job>> find(const storage::Storage& storage, std::string_view id) {
  const std::string key = std::string(kPrefix<Job>).append(id);
  std::string bytes;
  DOLMEN_TRY(const bool exists, storage.get(keyspaces::kCatalogue, key, bytes));
  if (!exists) return std::nullopt;
  DOLMEN_TRY(Job job, decode_job<Job>(key, bytes));
  return job;
}

template <class Job>
Result<std::vector<Job>> list(const storage::Storage& storage) {
  const std::string upper = end_of(kPrefix<Job>);
  std::vector<Job> found;
  auto rows = storage.iterate(keyspaces::kCatalogue, {.lower = kPrefix<Job>, .upper = upper});
  for (rows.seek_first(); rows.valid(); rows.next()) {
    DOLMEN_TRY(Job job, decode_job<Job>(rows.key(), rows.value()));
    found.push_back(std::move(job));
  }
  DOLMEN_TRY_VOID(rows.status());
  return found;
}

template <class Job>
void forget(storage::Batch& batch, const std::string& id) {
  batch.remove(keyspaces::kCatalogue, std::string(kPrefix<Job>).append(id));
}

template Result<std::optional<ExportJob>> find(const storage::Storage&, std::string_view);
template Result<std::optional<ImportJob>> find(const storage::Storage&, std::string_view);
template Result<std::optional<BulkJob>> find(const storage::Storage&, std::string_view);
template Result<std::vector<ExportJob>> list(const storage::Storage&);
template Result<std::vector<ImportJob>> list(const storage::Storage&);
template Result<std::vector<BulkJob>> list(const storage::Storage&);
template void forget<ExportJob>(storage::Batch&, const std::string&);
template void forget<ImportJob>(storage::Batch&, const std::string&);
template void forget<BulkJob>(storage::Batch&, const std::string&);

bool same_request(const ExportTableRequest& one, const ExportTableRequest& other) {
  return record_of(one) == record_of(other);
}

bool same_request(const BulkPutRequest& one, const BulkPutRequest& other) { return record_of(one) == record_of(other); }

}  // namespace dolmen::engine::transfers
