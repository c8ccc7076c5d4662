#include "engine/kinesis_forwarder.h"

#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>
#include <utility>

#include "base/arn.h"
#include "base/endian.h"
#include "base/file_writer.h"
#include "base/hash.h"
#include "engine/keyspaces.h"
#include "service/table_rules.h"
#include "value/json.h"

namespace dolmen::engine {
namespace {

/// All records of a destination are in one shard, in the order in which they became visible.
constexpr std::uint8_t kOnlyShard = 0;
/// Forwarded at a time.
constexpr std::size_t kLinesMax = 1000;
constexpr std::size_t kBytesMax = std::size_t{4} << 20;
constexpr std::size_t kStreamNameMax = 128;
constexpr std::string_view kStreamPart = "stream/";

std::string_view name_of_stream(std::string_view arn) {
  const std::string_view resource = split_arn(arn).resource();
  return resource.starts_with(kStreamPart) ? resource.substr(kStreamPart.size()) : std::string_view();
}

/// A UUID, the same whenever the record is forwarded.
std::string id_of_event(const Table& table, const KinesisTarget& target, std::uint64_t number) {
  const std::string name = fmt::format("{}/{}/{}", table.uuid, target.records, number);
  const std::uint64_t high = hash64("k" + name);
  const std::uint64_t low = hash64("l" + name);
  return fmt::format("{:08x}-{:04x}-4{:03x}-8{:03x}-{:012x}", high >> 32, (high >> 16) & 0xffff, high & 0xfff,
                     low >> 52, low & 0xffff'ffff'ffff);
}

void append_text_member(std::string& out, std::string_view name, std::string_view text) {
  out.append(fmt::format("\"{}\":", name));
  json::append_string(out, text);
}

Result<void> append_image(std::string& out, std::string_view name, const std::optional<std::string_view>& image,
                          std::size_t& bytes) {
  if (!image) return {};
  bytes += item_size(*image);
  out.append(fmt::format(",\"{}\":", name));
  return json::append_item(out, *image);
}

std::string_view name_of_event(StreamEvent event) {
  return event == StreamEvent::kInsert ? "INSERT" : event == StreamEvent::kModify ? "MODIFY" : "REMOVE";
}

/// Where a record belongs to.
struct Origin {
  const Table& table;
  const KinesisTarget& target;
  std::string_view region;
  std::uint64_t number = 0;
};

Result<void> append_line(std::string& out, const Origin& origin, std::string_view bytes) {
  DOLMEN_TRY(const streams::RecordView record, streams::decode_record(bytes));
  const std::string_view image = record.new_image ? *record.new_image : *record.old_image;
  const EncodedItem key = select_attributes(image, streams::key_names(origin.table.keys));
  out.push_back('{');
  append_text_member(out, "awsRegion", origin.region);
  out.push_back(',');
  append_text_member(out, "eventID", id_of_event(origin.table, origin.target, origin.number));
  out.push_back(',');
  append_text_member(out, "eventName", name_of_event(record.event));
  out.append(record.expired ? R"(,"userIdentity":{"principalId":"dynamodb.amazonaws.com","type":"Service"})"
                            : R"(,"userIdentity":null)");
  out.append(R"(,"recordFormat":"application/json",)");
  append_text_member(out, "tableName", origin.table.definition.name);
  const bool micro = origin.target.precision == KinesisPrecision::kMicrosecond;
  const std::int64_t created = record.created.time_since_epoch().count() * (micro ? 1000 : 1);
  out.append(fmt::format(R"(,"dynamodb":{{"ApproximateCreationDateTime":{},"Keys":)", created));
  std::size_t size = item_size(key.bytes);
  DOLMEN_TRY_VOID(json::append_item(out, key.bytes));
  DOLMEN_TRY_VOID(append_image(out, "NewImage", record.new_image, size));
  DOLMEN_TRY_VOID(append_image(out, "OldImage", record.old_image, size));
  out.append(fmt::format(R"(,"SizeBytes":{})", size));
  if (micro) out.append(R"(,"ApproximateCreationDateTimePrecision":"MICROSECOND")");
  out.append("},\"eventSource\":\"aws:dynamodb\"}\n");
  return {};
}

/// Appends to a file, which may be new, and makes it durable. What a failed write left is cut off again.
Result<void> append_durably(const std::filesystem::path& file, std::string_view bytes) {
  const FileDescriptor opened(::open(file.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600));
  if (!opened.is_open()) return std::unexpected(file_error(errno, "open", file));
  const off_t before = ::lseek(opened.get(), 0, SEEK_END);
  const auto failed = [&](std::string_view doing) -> std::unexpected<Error> {
    Error error = file_error(errno, doing, file);
    if (before >= 0) static_cast<void>(::ftruncate(opened.get(), before));
    return std::unexpected(std::move(error));
  };
  while (!bytes.empty()) {
    const ssize_t written = ::write(opened.get(), bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return failed("write to");
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  if (::fsync(opened.get()) != 0) return failed("sync");
  return before == 0 ? FileWriter().sync_folder(file.parent_path()) : Result<void>();
}

}  // namespace

std::string KinesisForwarder::problem_with(std::string_view stream_arn) const {
  const Arn arn = split_arn(stream_arn);
  const std::string_view name = name_of_stream(stream_arn);
  const bool named = arn.is_whole() && arn.service() == "kinesis" && !name.empty() && name.size() <= kStreamNameMax &&
                     std::ranges::all_of(name, is_name_character);
  if (!named || arn.account() != parts_.account) return "User does not have a permission to use kinesis stream";
  if (arn.region() != parts_.region) return "Kinesis stream is not in the current region";
  if (parts_.directory.empty()) return "This store has no directory for the records of Kinesis streams";
  return "";
}

bool KinesisForwarder::has_destinations() const {
  return std::ranges::any_of(parts_.catalogue.all(), [](const auto& table) { return !table->kinesis.empty(); });
}

Result<bool> KinesisForwarder::forward(const std::stop_token& stop) {
  bool more = false;
  for (const std::shared_ptr<const Table>& table : parts_.catalogue.all())
    for (const KinesisTarget& target : table->kinesis) {
      if (stop.stop_requested()) return false;
      if (target.records == 0 || parts_.catalogue.lacks_key(*table)) continue;
      DOLMEN_TRY(const bool rest, forward(*table, target));
      more = more || rest;
    }
  return more;
}

Result<bool> KinesisForwarder::forward(const Table& table, const KinesisTarget& target) {
  const std::string first = streams::record_key(target.records, kOnlyShard, 0);
  const std::string end = streams::shard_key(target.records, kOnlyShard + 1);
  std::string lines;
  std::uint64_t last = 0;
  bool more = false;
  {
    auto rows = parts_.storage.iterate(keyspaces::kStreams, {.lower = first, .upper = end});
    std::size_t count = 0;
    for (rows.seek_first(); rows.valid(); rows.next(), ++count) {
      more = count == kLinesMax || lines.size() >= kBytesMax;
      if (more) break;
      last = read_big_endian<std::uint64_t>(rows.key().substr(rows.key().size() - sizeof(std::uint64_t)));
      DOLMEN_TRY_VOID(append_line(lines, {.table = table, .target = target, .region = parts_.region, .number = last},
                                  rows.value()));
    }
    DOLMEN_TRY_VOID(rows.status());
  }
  if (last == 0) return false;
  DOLMEN_TRY_VOID(append(target.stream_arn, lines));
  const std::string after = streams::record_key(target.records, kOnlyShard, last + 1);
  storage::Batch batch;
  batch.remove_range(keyspaces::kStreams, {.lower = first, .upper = after});
  DOLMEN_TRY_VOID(parts_.storage.commit(std::move(batch)));
  return more;
}

Result<void> KinesisForwarder::append(std::string_view stream_arn, std::string_view lines) {
  DOLMEN_TRY_VOID(FileWriter().make_folders(parts_.directory));
  const std::string prefix = fmt::format("{}-", name_of_stream(stream_arn));
  DOLMEN_TRY(const std::vector<std::string> names, FileWriter::list(parts_.directory));
  constexpr std::size_t kDigits = 8;
  constexpr std::string_view kSuffix = ".jsonl";
  std::uint64_t number = 1;
  for (const std::string& name : names) {
    const std::string_view digits = std::string_view(name).substr(std::min(prefix.size(), name.size()));
    if (!name.starts_with(prefix) || digits.size() != kDigits + kSuffix.size() || !digits.ends_with(kSuffix)) continue;
    const std::string_view numeral = digits.substr(0, kDigits);
    if (!std::ranges::all_of(numeral, [](char c) { return c >= '0' && c <= '9'; })) continue;
    std::uint64_t found = 0;
    for (const char digit : numeral) found = 10 * found + static_cast<std::uint64_t>(digit - '0');
    number = std::max(number, found);
  }
  const auto file = [&] { return parts_.directory / fmt::format("{}{:08}{}", prefix, number, kSuffix); };
  std::error_code unknown;
  const std::uintmax_t size = std::filesystem::file_size(file(), unknown);
  if (!unknown && size >= kFileBytes) ++number;
  return append_durably(file(), lines);
}

void stage_for_kinesis(storage::Batch& batch, const Table& table, const streams::Change& change) {
  const auto target = std::ranges::find(table.kinesis, KinesisStatus::kActive, &KinesisTarget::status);
  if (target == table.kinesis.end()) return;
  const EncodedItem* const before = change.old_item;
  const EncodedItem* const after = change.new_item;
  if (before == nullptr && after == nullptr) return;
  if (before != nullptr && after != nullptr && *before == *after) return;
  streams::RecordView record{.event = before == nullptr  ? StreamEvent::kInsert
                                      : after == nullptr ? StreamEvent::kRemove
                                                         : StreamEvent::kModify,
                             .expired = change.expired,
                             .created = change.now};
  if (before != nullptr) record.old_image = before->bytes;
  if (after != nullptr) record.new_image = after->bytes;
  batch.append(keyspaces::kStreams, keyspaces::kCounters, streams::shard_key(target->records, kOnlyShard),
               streams::encode_record(record));
}

void forget_kinesis_records(storage::Batch& batch, const KinesisTarget& target) {
  if (target.records == 0) return;
  const std::string first = streams::shard_key(target.records, kOnlyShard);
  const std::string end = streams::shard_key(target.records, kOnlyShard + 1);
  batch.remove_range(keyspaces::kStreams, {.lower = first, .upper = end});
  batch.remove_counters(keyspaces::kCounters, first);
}

}  // namespace dolmen::engine
