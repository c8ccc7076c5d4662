#pragma once

#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "dolmen/detail/mapped_range.h"
#include "dolmen/error.h"
#include "dolmen/found.h"
#include "dolmen/nearest.h"
#include "dolmen/operations.h"
#include "dolmen/record.h"
#include "dolmen/store.h"
#include "dolmen/value.h"
#include "dolmen/vectors.h"

/// A store's items as structs that DOLMEN_RECORD describes. Each of these also fails as `to_item` or `from_item` does.
///
///     put(*store, "notes", Note{.topic = "dolmen", .written = 1}).value();
///     std::optional<Note> note = get<Note>(*store, "notes", {{"topic", "dolmen"}, {"written", 1}}).value();
///     for (const Result<Note>& note : query<Note>(*store, "notes", {.key = key("topic") == "dolmen"}))
namespace dolmen {

/// Adds the record, or replaces the item with the same key. Fails with kConditionFailed.
template <Record T>
Result<WriteResult> put(Store& store, const std::string& table, const T& record, const PutOptions& options = {}) {
  DOLMEN_TRY(const Item item, to_item(record));
  return store.put_item(table, item, options);
}

/// Finds nothing when there is no item with that key.
template <Record T>
Found<T> get(Store& store, const std::string& table, const Item& key, const GetOptions& options = {}) {
  DOLMEN_TRY(const GetResult found, store.get_item(table, key, options));
  if (!found.item) return Result<std::optional<T>>();
  DOLMEN_TRY(T record, from_item<T>(*found.item));
  return Result<std::optional<T>>(std::move(record));
}

/// The records of a query or scan.
template <Record T>
using RecordRange = detail::MappedRange<T>;

template <Record T>
RecordRange<T> query(Store& store, const std::string& table, QueryOptions options) {
  return RecordRange<T>(store.query(table, std::move(options)), from_item<T>);
}

template <Record T>
RecordRange<T> scan(Store& store, const std::string& table, ScanOptions options = {}) {
  return RecordRange<T>(store.scan(table, std::move(options)), from_item<T>);
}

/// A record that a search has found, and how near it is (VectorHit).
template <Record T>
struct Nearest {
  T record;
  double score = 0;
};

/// The records whose vectors are nearest, best first. Asks for the members of the record, the vector among them, unless
/// the options name others; the index must have them.
///
///     for (const auto& [note, score] : nearest<Note>(*store, "notes", "by_meaning", vector, {.top_k = 3}).value())
template <Record T>
NearestHits<Nearest<T>> nearest(Store& store, const std::string& table, const std::string& index,
                                std::span<const float> vector, VectorSearchOptions options = {}) {
  if (options.projection.empty()) {
    std::vector<Path> paths;
    for (const mapping::Member& member : mapping::kMembers<T>) paths.push_back(attr(std::string(member.attribute)));
    options.projection = paths;
  }
  DOLMEN_TRY(const VectorHits found, store.search_vectors(table, index, vector, options));
  std::vector<Nearest<T>> records;
  for (const auto& [item, score] : found) {
    DOLMEN_TRY(T record, from_item<T>(item));
    records.push_back({.record = std::move(record), .score = score});
  }
  return records;
}

}  // namespace dolmen
