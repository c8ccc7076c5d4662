#include "transfer/copy.h"

#include <algorithm>
#include <map>
#include <mutex>
#include <optional>
#include <thread>
#include <unordered_map>
#include <vector>

#include "base/fail.h"
#include "base/limits.h"
#include "dolmen/batch.h"
#include "dolmen/tables.h"
#include "transfer/item_check.h"
#include "transfer/parallel_writer.h"

namespace dolmen::transfer {
namespace {

/// How long one look for changes takes when there are none.
constexpr std::chrono::milliseconds kLook{500};

Result<void> check_same_keys(const TableDefinition& one, const TableDefinition& other) {
  if (one.partition_key == other.partition_key && one.sort_key == other.sort_key) return {};
  return fail(Code::kInvalidArgument, "the tables \"{}\" and \"{}\" have different keys", one.name, other.name);
}

/// Reads the segments of a table at the same time into a writer.
class Copying {
 public:
  Copying(const Place& from, const Place& to, const TableDescription& table, const CopyOptions& options)
      : from_(from),
        options_(options),
        whole_(table.extent.item_count),
        writer_(to.store, renamed(table.definition, to.table), {.lanes = options.connections}) {}

  Result<std::uint64_t> run() {
    {
      std::vector<std::jthread> threads;
      for (unsigned i = 0; i < std::max(1U, options_.segments); ++i) threads.emplace_back([this, i] { read(i); });
    }
    if (error_) return std::unexpected(*error_);
    DOLMEN_TRY_VOID(writer_.drain());
    return writer_.written();
  }

 private:
  static TableDefinition renamed(TableDefinition table, std::string name) {
    table.name = std::move(name);
    return table;
  }

  void read(unsigned segment) {
    ScanOptions scan{.segment = ScanSegment{.segment = segment, .total = std::max(1U, options_.segments)},
                     .consistent_read = true};
    do {
      Result<Page> page = from_.store.scan_page(from_.table, scan);
      Result<void> done = page ? Result<void>() : std::unexpected(page.error());
      if (page)
        for (Item& item : page->items)
          if (done) done = writer_.put(std::move(item));
      const std::scoped_lock lock(outcome_mutex_);
      if (!done && !error_) error_ = done.error();
      if (error_) return;
      if (options_.progress)
        options_.progress({.items = writer_.written(), .done = writer_.written(), .whole = whole_});
      scan.start_after = page->last_key;
    } while (scan.start_after);
  }

  const Place& from_;
  const CopyOptions& options_;
  const std::uint64_t whole_;
  std::mutex outcome_mutex_;  ///< Guards the error.
  std::optional<Error> error_;
  ParallelWriter writer_;
};

/// The items of a table that have the keys of these, by key.
Result<std::unordered_map<std::string, Item>> counterparts(const Place& place, const std::vector<Item>& items,
                                                           const TableDefinition& table, bool keys_only) {
  std::unordered_map<std::string, Item> found;
  if (items.empty()) return found;
  KeysOfTable wanted{.table = place.table, .keys = {}};
  for (const Item& item : items) wanted.keys.push_back(key_item(item, table));
  if (keys_only) {
    std::vector<Path> paths{Path(table.partition_key.name)};
    if (table.sort_key) paths.emplace_back(table.sort_key->name);
    wanted.projection = Projection(paths);
  }
  GetAllResult got = get_all(place.store, {std::move(wanted)});
  if (!got.complete())
    return std::unexpected(got.error.value_or(Error(Code::kThrottled, "the store left keys unprocessed too often")));
  for (Item& item : got.items[place.table]) {
    std::string key = key_bytes(item, table);
    found.emplace(std::move(key), std::move(item));
  }
  return found;
}

class Comparing {
 public:
  Comparing(const Place& one, const Place& other, const DiffOptions& options)
      : one_(one), other_(other), options_(options) {}

  Result<DiffResult> run() {
    DOLMEN_TRY(const TableDescription first, one_.store.describe_table(one_.table));
    DOLMEN_TRY(const TableDescription second, other_.store.describe_table(other_.table));
    DOLMEN_TRY_VOID(check_same_keys(first.definition, second.definition));
    table_ = first.definition;
    whole_ = first.extent.item_count + second.extent.item_count;
    DOLMEN_TRY_VOID(pass(one_, other_, true));
    DOLMEN_TRY_VOID(pass(other_, one_, false));
    return result_;
  }

 private:
  /// Reads `from` and looks for its items in `in`; in the second pass only for their keys.
  Result<void> pass(const Place& from, const Place& in, bool first) {
    ScanOptions scan{.consistent_read = true};
    do {
      DOLMEN_TRY(const Page page, from.store.scan_page(from.table, scan));
      DOLMEN_TRY(const auto found, counterparts(in, page.items, table_, !first));
      for (const Item& item : page.items) judge(item, found, first);
      seen_ += page.items.size();
      if (options_.progress) options_.progress({.items = seen_, .done = seen_, .whole = whole_});
      scan.start_after = page.last_key;
    } while (scan.start_after);
    return {};
  }

  void judge(const Item& item, const std::unordered_map<std::string, Item>& found, bool first) {
    const auto match = found.find(key_bytes(item, table_));
    if (match == found.end()) {
      ++(first ? result_.missing : result_.extra);
      if (options_.found) options_.found(first ? Difference::kMissing : Difference::kExtra, key_item(item, table_));
    } else if (first && match->second == item) {
      ++result_.same;
    } else if (first) {
      ++result_.changed;
      if (options_.found) options_.found(Difference::kChanged, key_item(item, table_));
    }
  }

  const Place& one_;
  const Place& other_;
  const DiffOptions& options_;
  TableDefinition table_;
  DiffResult result_;
  std::uint64_t seen_ = 0;
  std::uint64_t whole_ = 0;
};

Result<void> carry_out(const StreamRecord& record, const Place& to) {
  if (record.event == StreamEvent::kRemove) {
    DOLMEN_TRY_VOID(to.store.delete_item(to.table, record.key));
    return {};
  }
  if (!record.new_item) return fail(Code::kStreamNotFound, "the stream of the table has no new images");
  DOLMEN_TRY_VOID(to.store.put_item(to.table, *record.new_item));
  return {};
}

/// Some endpoints, DynamoDB Local among them, have no tags.
Result<std::map<std::string, std::string>> tags_if_any(const Place& place) {
  DOLMEN_TRY(const TableDescription table, place.store.describe_table(place.table));
  Result<std::map<std::string, std::string>> tags = place.store.tags_of(table.arn);
  if (!tags && tags.error().code() == Code::kUnsupported) return std::map<std::string, std::string>();
  return tags;
}

}  // namespace

Result<void> make_like(const Place& from, const Place& to) {
  DOLMEN_TRY(TableDefinition wanted, described_definition(from.store, from.table));
  const Result<TableDescription> there = to.store.describe_table(to.table);
  if (there) return check_same_keys(wanted, there->definition);
  if (there.error().code() != Code::kTableNotFound) return std::unexpected(there.error());
  DOLMEN_TRY(wanted.tags, tags_if_any(from));
  wanted.name = to.table;
  wanted.deletion_protection = false;
  wanted.warm.reset();
  wanted.kms_key.reset();
  for (IndexDefinition& index : wanted.global_indexes) index.warm.reset();
  DOLMEN_TRY_VOID(to.store.create_table(std::move(wanted)));
  DOLMEN_TRY_VOID(wait_until_active(to.store, to.table));
  return {};
}

Result<std::uint64_t> copy_items(const Place& from, const Place& to, const CopyOptions& options) {
  DOLMEN_TRY(const TableDescription source, from.store.describe_table(from.table));
  DOLMEN_TRY(const TableDescription target, to.store.describe_table(to.table));
  DOLMEN_TRY_VOID(check_same_keys(source.definition, target.definition));
  return Copying(from, to, source, options).run();
}

Result<DiffResult> compare_items(const Place& one, const Place& other, const DiffOptions& options) {
  return Comparing(one, other, options).run();
}

Result<StreamRange> open_changes(const Place& from) {
  DOLMEN_TRY(const TableDescription table, from.store.describe_table(from.table));
  const std::optional<StreamView> view = table.definition.stream;
  if (view != StreamView::kNewImage && view != StreamView::kNewAndOldImages)
    return fail(Code::kStreamNotFound,
                "Table \"{}\" has no stream with new images; start one with \"dolmen table update {} --stream "
                "new-image\"",
                from.table, from.table);
  // A saved position would begin at a second of this machine's clock; the open range begins at the very record.
  StreamRange changes = from.store.stream(from.table, {.start = StreamStart::kNewest, .wait = kLook});
  if (const auto first = changes.begin(); first != changes.end() && !*first) return std::unexpected(first->error());
  return changes;
}

Result<std::uint64_t> follow_changes(StreamRange& changes, const Place& to, const FollowOptions& options) {
  const auto stopped = [&] { return options.stopped && options.stopped(); };
  std::uint64_t count = 0;
  std::chrono::milliseconds quiet{0};
  while (!stopped()) {
    const std::uint64_t before = count;
    for (const Result<StreamRecord>& record : changes) {
      if (!record) return std::unexpected(record.error());
      DOLMEN_TRY_VOID(carry_out(*record, to));
      ++count;
      if (options.changed) options.changed(count);
      if (stopped()) return count;
    }
    quiet = count > before ? std::chrono::milliseconds(0) : quiet + kLook;
    if (options.idle.count() > 0 && quiet >= options.idle) break;
  }
  return count;
}

}  // namespace dolmen::transfer
