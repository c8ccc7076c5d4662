#include "cli/table_exam.h"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>

#include "base/ascii.h"
#include "base/limits.h"
#include "cli/check_files.h"
#include "cli/progress_line.h"
#include "transfer/item_check.h"
#include "transfer/plain_json.h"
#include "value/encoded_item.h"

namespace dolmen::cli {
namespace {

/// Four fifths of what an item may have.
constexpr std::uint64_t kLargeItemBytes = limits::kItemBytes / 5 * 4;
/// An item collection of a table with local indexes may have 10 GB; a single partition serves 3,000 reads a second.
constexpr std::uint64_t kLargePartitionBytes = std::uint64_t{1} << 30;
/// Below so many items nothing is said about how they are spread.
constexpr std::uint64_t kItemsToJudge = 1000;
constexpr std::uint64_t kSharePercentMax = 25;
constexpr std::size_t kShardsMax = 256;
constexpr std::size_t kShardDigitsMax = 4;
constexpr std::uint64_t kItemsPerShardMin = 20;
constexpr std::size_t kShardGroupsMax = 1000;
/// The largest shard may have so many times the average.
constexpr std::uint64_t kSkewMax = 2;
constexpr std::size_t kFewValues = 10;
constexpr std::uint64_t kUsesToJudge = 100;
constexpr std::uint64_t kUsePercentMax = 20;
/// The year 5138 in seconds, 1973 in milliseconds.
constexpr double kMillisecondsFrom = 1e11;
/// DynamoDB removes nothing that expired longer ago.
constexpr std::int64_t kFiveYearsSeconds = std::int64_t{5} * 365 * 86'400;

std::string size_text(std::uint64_t bytes) {
  constexpr double kKilo = 1024;
  const auto size = static_cast<double>(bytes);
  if (size < kKilo * kKilo) return fmt::format("{:.0f} KB", size / kKilo);
  if (size < kKilo * kKilo * kKilo) return fmt::format("{:.1f} MB", size / kKilo / kKilo);
  return fmt::format("{:.1f} GB", size / kKilo / kKilo / kKilo);
}

std::string bytes_of_value(const AttributeValue& value) {
  std::string bytes;
  append_value(bytes, value);
  return bytes;
}

std::string shown_partition(const Item& item, const TableDefinition& table) {
  Item key;
  if (const AttributeValue* value = item.find(table.partition_key.name)) key.set(table.partition_key.name, *value);
  return transfer::plain_text(key);
}

/// "user!3f" is the shard 3f of user!: a few hexadecimal digits behind a mark at the end.
std::optional<std::pair<std::string, std::string>> shard_in(const AttributeValue& key) {
  const auto* text = key.get_if<std::string>();
  if (text == nullptr || text->empty()) return std::nullopt;
  const auto is_hex = [](char c) { return is_digit(c) || (ascii_lower(c) >= 'a' && ascii_lower(c) <= 'f'); };
  std::size_t begin = text->size();
  while (begin > 0 && text->size() - begin < kShardDigitsMax && is_hex((*text)[begin - 1])) --begin;
  if (begin == 0 || begin == text->size() || is_letter_or_digit((*text)[begin - 1])) return std::nullopt;
  return std::pair(text->substr(0, begin), text->substr(begin));
}

std::uint64_t percent_of(std::uint64_t part, std::uint64_t whole) { return whole == 0 ? 0 : part * 100 / whole; }

}  // namespace

TableExam::TableExam(const TableDefinition& table, Options options) : table_(table), options_(std::move(options)) {
  for (const IndexDefinition& index : table.global_indexes)
    if (index.partition_keys.size() == 1)
      index_values_.push_back(
          {.index = index.name, .attribute = index.partition_keys.front().name, .items_by_value = {}});
}

void TableExam::count_example(Count& count, const Item& item) const {
  if (++count.count == 1) count.example = transfer::plain_text(transfer::key_item(item, table_));
}

void TableExam::look_at(const Item& item) {
  ++items_;
  const std::uint64_t bytes = item_size(item);
  look_at_size(item, bytes);
  look_at_ttl(item);
  look_at_partition(item, bytes);
  look_at_indexes(item);
}

void TableExam::look_at_size(const Item& item, std::uint64_t bytes) {
  if (bytes >= kLargeItemBytes) ++large_.count;
  if (bytes < kLargeItemBytes || bytes <= largest_bytes_) return;
  largest_bytes_ = bytes;
  large_.example = transfer::plain_text(transfer::key_item(item, table_));
}

void TableExam::look_at_ttl(const Item& item) {
  if (!options_.ttl) return;
  const AttributeValue* value = item.find(*options_.ttl);
  if (value == nullptr) return;
  if (value->type() != Type::kNumber) return count_example(ttl_type_, item);
  double seconds = 0;
  std::string text;
  transfer::append_plain(text, *value);
  std::from_chars(text.data(), text.data() + text.size(), seconds);
  if (seconds >= kMillisecondsFrom) return count_example(ttl_milliseconds_, item);
  if (seconds < static_cast<double>(options_.now_seconds - kFiveYearsSeconds)) count_example(ttl_past_, item);
}

void TableExam::end_partition() {
  if (current_.items > most_items_.items) most_items_ = current_;
  if (current_.bytes > most_bytes_.bytes) most_bytes_ = current_;
}

void TableExam::look_at_partition(const Item& item, std::uint64_t bytes) {
  const AttributeValue* key = item.find(table_.partition_key.name);
  if (key == nullptr) return;
  if (std::string value = bytes_of_value(*key); value != current_.value || current_.items == 0) {
    end_partition();
    current_ = {.value = std::move(value), .shown = shown_partition(item, table_)};
  }
  ++current_.items;
  current_.bytes += bytes;
  const auto shard = shard_in(*key);
  if (!shard || (shards_.size() >= kShardGroupsMax && !shards_.contains(shard->first))) return;
  ShardGroup& group = shards_[shard->first];
  if (group.is_too_many) return;
  ++group.items_by_shard[shard->second];
  group.is_too_many = group.items_by_shard.size() > kShardsMax;
  if (group.is_too_many) group.items_by_shard.clear();
}

void TableExam::look_at_indexes(const Item& item) {
  for (IndexValues& index : index_values_) {
    const AttributeValue* value = item.find(index.attribute);
    if (value == nullptr) continue;
    ++index.items;
    if (index.is_many) continue;
    ++index.items_by_value[bytes_of_value(*value)];
    index.is_many = index.items_by_value.size() > kFewValues;
    if (index.is_many) index.items_by_value.clear();
  }
}

void TableExam::add_partition_findings(std::vector<Finding>& findings) const {
  if (most_bytes_.bytes >= kLargePartitionBytes)
    findings.push_back(
        {.kind = "large-partition",
         .message = fmt::format("one partition has {}; {}", size_text(most_bytes_.bytes),
                                table_.local_indexes.empty() ? "all of its reads and writes go to the same place"
                                                             : "with local indexes it may have at most 10 GB"),
         .example = most_bytes_.shown});
  // Without a sort key every partition has one item.
  if (items_ >= kItemsToJudge && percent_of(most_items_.items, items_) >= kSharePercentMax)
    findings.push_back({.kind = "one-partition",
                        .message = fmt::format("{} of {} items have the same partition key; spread them over shards",
                                               grouped_digits(most_items_.items), grouped_digits(items_)),
                        .example = most_items_.shown});
}

void TableExam::add_shard_findings(std::vector<Finding>& findings) const {
  for (const auto& [prefix, group] : shards_) {
    std::uint64_t whole = 0;
    std::uint64_t largest = 0;
    std::string name;
    for (const auto& [shard, items] : group.items_by_shard) {
      whole += items;
      if (items <= largest) continue;
      largest = items;
      name = shard;
    }
    const std::size_t shards = group.items_by_shard.size();
    if (shards < 2 || whole / shards < kItemsPerShardMin || largest * shards <= kSkewMax * whole) continue;
    findings.push_back(
        {.kind = "skewed-shards",
         .message = fmt::format("the shards of \"{}\" are uneven: \"{}{}\" has {} items, the {} shards have {} on "
                                "average",
                                prefix, prefix, name, grouped_digits(largest), shards, grouped_digits(whole / shards)),
         .example = prefix + name});
  }
}

void TableExam::add_index_findings(std::vector<Finding>& findings) const {
  for (const IndexValues& index : index_values_)
    if (index.items >= kItemsToJudge && !index.is_many && index.items_by_value.size() > 0)
      findings.push_back(
          {.kind = "few-values",
           .message = fmt::format("index \"{}\" has only {} for {} items: \"{}\" is a poor partition key", index.index,
                                  counted(index.items_by_value.size(), "partition", "partitions"),
                                  grouped_digits(index.items), index.attribute)});
}

std::vector<Finding> TableExam::findings() {
  end_partition();
  std::vector<Finding> findings;
  if (large_.count > 0)
    findings.push_back({.kind = "large-item",
                        .message = fmt::format("{} larger than {}; the limit is 400 KB, and the largest has {}",
                                               counted(large_.count, "item is", "items are"),
                                               size_text(kLargeItemBytes), size_text(largest_bytes_)),
                        .example = large_.example});
  const auto add_ttl = [&](const char* kind, const Count& count, std::string_view what) {
    if (count.count == 0) return;
    findings.push_back({.kind = kind,
                        .message = fmt::format("\"{}\" of {} {}", options_.ttl.value_or(""),
                                               counted(count.count, "item", "items"), what),
                        .example = count.example});
  };
  add_ttl("ttl-milliseconds", ttl_milliseconds_, "looks like milliseconds; the time to live is in seconds");
  add_ttl("ttl-type", ttl_type_, "is not a number, so the time to live never ends");
  add_ttl("ttl-past", ttl_past_, "is more than five years ago; DynamoDB does not remove such items");
  add_partition_findings(findings);
  add_shard_findings(findings);
  add_index_findings(findings);
  return findings;
}

std::vector<Finding> definition_findings(const TableDescription& table) {
  std::vector<Finding> findings;
  const std::vector<IndexDefinition>& indexes = table.definition.global_indexes;
  for (std::size_t i = 0; i < indexes.size(); ++i) {
    const bool is_empty = i < table.global_index_states.size() && table.global_index_states[i].extent.item_count == 0;
    if (is_empty && table.extent.item_count > 0)
      findings.push_back(
          {.kind = "unused-index",
           .message = fmt::format("index \"{}\" has no items; no item has its key attributes", indexes[i].name)});
    for (std::size_t j = 0; j < i; ++j)
      if (indexes[i].partition_keys == indexes[j].partition_keys && indexes[i].sort_keys == indexes[j].sort_keys)
        findings.push_back(
            {.kind = "twin-index",
             .message = fmt::format("indexes \"{}\" and \"{}\" have the same keys; every write pays for both",
                                    indexes[j].name, indexes[i].name)});
  }
  return findings;
}

std::vector<Finding> use_findings(const KeyUse& use, std::string_view what) {
  std::vector<Finding> findings;
  if (use.total < kUsesToJudge) return findings;
  for (const auto& [key, count] : use.count_by_key)
    if (percent_of(count, use.total) >= kUsePercentMax && use.count_by_key.size() > 1)
      findings.push_back({.kind = "hot-key",
                          .message = fmt::format("one partition has {} of the {} {} ({} %)", grouped_digits(count),
                                                 grouped_digits(use.total), what, percent_of(count, use.total)),
                          .example = key});
  return findings;
}

}  // namespace dolmen::cli
