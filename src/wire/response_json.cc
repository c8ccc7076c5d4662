#include "wire/response_json.h"

#include <fmt/format.h>

#include "value/json.h"

namespace dolmen::wire {
namespace {

void append_number(std::string& out, double number) { fmt::format_to(std::back_inserter(out), "{:.1f}", number); }

/// The units of a table or an index. In a transaction they are of the same kind as the whole.
void append_part(std::string& out, double units, const ConsumedCapacity& whole) {
  ObjectWriter object(out);
  append_number(object.member("CapacityUnits"), units);
  if (whole.read) append_number(object.member("ReadCapacityUnits"), units);
  if (whole.write) append_number(object.member("WriteCapacityUnits"), units);
  object.end();
}

void append_indexes(ObjectWriter& object, std::string_view name, const std::map<std::string, double>& indexes,
                    const ConsumedCapacity& whole) {
  if (indexes.empty()) return;
  ObjectWriter parts(object.member(name));
  for (const auto& [index, units] : indexes) append_part(parts.member(index), units, whole);
  parts.end();
}

void append_vector_bytes(ObjectWriter& object, const std::map<std::string, double>& indexes) {
  if (indexes.empty()) return;
  ObjectWriter parts(object.member("VectorIndexes"));
  for (const auto& [index, bytes] : indexes) {
    ObjectWriter one(parts.member(index));
    append_number(one.member("VectorWriteRequestBytes"), bytes);
    one.end();
  }
  parts.end();
}

}  // namespace

Result<void> append_item_member(ObjectWriter& object, std::string_view name, const std::optional<EncodedItem>& item) {
  if (!item) return {};
  return json::append_item(object.member(name), item->bytes);
}

std::size_t json_size_estimate(const std::vector<EncodedItem>& items) {
  constexpr std::size_t kAround = 128;
  std::size_t bytes = kAround;
  for (const EncodedItem& item : items) bytes += item.bytes.size() * 3 / 2 + kAround;
  return bytes;
}

Result<void> append_items_member(ObjectWriter& object, std::string_view name, const std::vector<EncodedItem>& items) {
  std::string& out = object.member(name);
  // What most items need, so that a page is not copied while it grows.
  std::size_t bytes = 0;
  for (const EncodedItem& item : items) bytes += item.bytes.size() * 2;
  out.reserve(out.size() + bytes);
  Result<void> written;
  append_array(out, items, [&](const EncodedItem& item) {
    if (written) written = json::append_item(out, item.bytes);
  });
  return written;
}

void append_capacity(std::string& out, const ConsumedCapacity& capacity, ReturnCapacity wanted) {
  ObjectWriter object(out);
  json::append_string(object.member("TableName"), capacity.table);
  append_number(object.member("CapacityUnits"), capacity.total);
  if (capacity.read) append_number(object.member("ReadCapacityUnits"), *capacity.read);
  if (capacity.write) append_number(object.member("WriteCapacityUnits"), *capacity.write);
  if (wanted == ReturnCapacity::kIndexes) {
    append_part(object.member("Table"), capacity.of_table, capacity);
    append_indexes(object, "LocalSecondaryIndexes", capacity.of_local_indexes, capacity);
    append_indexes(object, "GlobalSecondaryIndexes", capacity.of_global_indexes, capacity);
    append_vector_bytes(object, capacity.of_vector_indexes);
  }
  object.end();
}

void append_capacity_member(ObjectWriter& object, const std::optional<ConsumedCapacity>& capacity,
                            ReturnCapacity wanted) {
  if (capacity) append_capacity(object.member("ConsumedCapacity"), *capacity, wanted);
}

void append_capacities_member(ObjectWriter& object, const std::vector<ConsumedCapacity>& capacities,
                              ReturnCapacity wanted) {
  if (wanted == ReturnCapacity::kNone) return;
  std::string& out = object.member("ConsumedCapacity");
  append_array(out, capacities, [&](const ConsumedCapacity& capacity) { append_capacity(out, capacity, wanted); });
}

Result<void> append_collection_metrics(std::string& out, const ItemCollectionMetrics& metrics) {
  ObjectWriter object(out);
  DOLMEN_TRY_VOID(json::append_item(object.member("ItemCollectionKey"), metrics.key.bytes));
  fmt::format_to(std::back_inserter(object.member("SizeEstimateRangeGB")), "[{:.1f},{:.1f}]", metrics.lower_gb,
                 metrics.upper_gb);
  object.end();
  return {};
}

}  // namespace dolmen::wire
