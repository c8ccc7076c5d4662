#include "dolmen/tables.h"

#include <algorithm>
#include <fmt/format.h>

#include "base/fail.h"
#include "base/sleep.h"

namespace dolmen {
namespace {

/// Pauses for one interval; false when the time is used up.
class Waiting {
 public:
  explicit Waiting(const WaitOptions& options) : options_(options), sleep_(or_real_sleep(options.sleep)) {}

  bool pause() {
    if (waited_ >= options_.timeout) return false;
    sleep_(options_.interval);
    waited_ += options_.interval;
    return true;
  }

 private:
  const WaitOptions& options_;
  const Sleep sleep_;
  std::chrono::milliseconds waited_{0};
};

/// An index that is being built cannot be read.
bool is_active(const TableDescription& table) {
  const auto is_ready = [](const auto& index) { return index.status == TableStatus::kActive; };
  return table.status == TableStatus::kActive && std::ranges::all_of(table.global_index_states, is_ready) &&
         std::ranges::all_of(table.vector_index_states, is_ready);
}

std::string printed(const std::vector<KeyAttribute>& keys) {
  std::string text;
  for (const KeyAttribute& key : keys) {
    if (!text.empty()) text += ", ";
    text += fmt::format("{} ({})", key.name, key_type_name(key.type));
  }
  return text.empty() ? "none" : text;
}

std::string_view projection_name(ProjectionType type) {
  switch (type) {
    case ProjectionType::kAll: return "ALL";
    case ProjectionType::kKeysOnly: return "KEYS_ONLY";
    case ProjectionType::kInclude: return "INCLUDE";
  }
  return "";
}

void compare_keys(std::string_view what, const std::vector<KeyAttribute>& wanted,
                  const std::vector<KeyAttribute>& actual, std::vector<std::string>& found) {
  if (wanted != actual) found.push_back(fmt::format("{}: wanted {}, is {}", what, printed(wanted), printed(actual)));
}

/// Of indexes of either kind.
void compare_projection(std::string_view name, const auto& wanted, const auto& actual,
                        std::vector<std::string>& found) {
  if (wanted.projection != actual.projection)
    found.push_back(fmt::format("{} projection: wanted {}, is {}", name, projection_name(wanted.projection),
                                projection_name(actual.projection)));
  std::vector<std::string> included = wanted.included_attributes;
  std::vector<std::string> there = actual.included_attributes;
  std::ranges::sort(included);
  std::ranges::sort(there);
  if (included != there)
    found.push_back(fmt::format("{} included attributes: wanted {}, is {}", name, fmt::join(included, ", "),
                                fmt::join(there, ", ")));
}

void compare_index(const IndexDefinition& wanted, const IndexDefinition& actual, std::vector<std::string>& found) {
  const std::string name = fmt::format("index {}", wanted.name);
  compare_keys(name + " partition key", wanted.partition_keys, actual.partition_keys, found);
  compare_keys(name + " sort key", wanted.sort_keys, actual.sort_keys, found);
  compare_projection(name, wanted, actual, found);
}

std::string printed(const std::vector<SearchAttribute>& search) {
  std::string text;
  for (const SearchAttribute& one : search)
    text += fmt::format("{}{} ({}, {})", text.empty() ? "" : ", ", one.name, key_type_name(one.type),
                        search_role_name(one.role));
  return text.empty() ? "nothing" : text;
}

void compare_vector_index(const VectorIndexDefinition& wanted, const VectorIndexDefinition& actual,
                          std::vector<std::string>& found) {
  const std::string name = fmt::format("vector index {}", wanted.name);
  if (wanted.attribute != actual.attribute)
    found.push_back(fmt::format("{} attribute: wanted {}, is {}", name, wanted.attribute, actual.attribute));
  if (wanted.dimensions != actual.dimensions)
    found.push_back(fmt::format("{} dimensions: wanted {}, is {}", name, wanted.dimensions, actual.dimensions));
  if (wanted.distance != actual.distance)
    found.push_back(fmt::format("{} distance: wanted {}, is {}", name, vector_distance_name(wanted.distance),
                                vector_distance_name(actual.distance)));
  if (!std::ranges::is_permutation(wanted.search, actual.search))
    found.push_back(
        fmt::format("{} searches by: wanted {}, is {}", name, printed(wanted.search), printed(actual.search)));
  compare_projection(name, wanted, actual, found);
}

template <class Index, class Compare>
void compare_indexes(std::string_view kind, const std::vector<Index>& wanted, const std::vector<Index>& actual,
                     const Compare& compare, std::vector<std::string>& found) {
  for (const Index& index : wanted) {
    const auto same = std::ranges::find(actual, index.name, &Index::name);
    if (same == actual.end())
      found.push_back(fmt::format("{} index {} is missing", kind, index.name));
    else
      compare(index, *same, found);
  }
  for (const Index& index : actual)
    if (std::ranges::find(wanted, index.name, &Index::name) == wanted.end())
      found.push_back(fmt::format("{} index {} is not wanted", kind, index.name));
}

/// Sets the time to live that the definition has, unless it is set.
Result<void> ensure_time_to_live(Store& store, const TableDefinition& definition) {
  DOLMEN_TRY(TimeToLive current, store.describe_time_to_live(definition.name));
  if (current.attribute) return {};
  const Result<TimeToLiveChange> changed =
      store.update_time_to_live(definition.name, {.attribute = *definition.ttl, .enabled = true});
  if (changed) return {};
  // Another program may have done the same.
  DOLMEN_TRY(current, store.describe_time_to_live(definition.name));
  if (current.attribute) return {};
  return std::unexpected(changed.error());
}

}  // namespace

Result<TableDescription> wait_until_active(Store& store, const std::string& name, const WaitOptions& options) {
  Waiting waiting(options);
  while (true) {
    DOLMEN_TRY(TableDescription table, store.describe_table(name));
    if (is_active(table)) return table;
    if (!waiting.pause())
      return fail(Code::kTimeout, "the table {} was not active after {} ms", name, options.timeout.count());
  }
}

Result<void> wait_until_deleted(Store& store, const std::string& name, const WaitOptions& options) {
  Waiting waiting(options);
  while (true) {
    const Result<TableDescription> table = store.describe_table(name);
    if (!table && table.error().code() == Code::kTableNotFound) return {};
    if (!table) return std::unexpected(table.error());
    if (!waiting.pause())
      return fail(Code::kTimeout, "the table {} was not deleted after {} ms", name, options.timeout.count());
  }
}

Result<TableDescription> ensure_table(Store& store, const TableDefinition& definition, const WaitOptions& options) {
  const Result<TableDescription> made = store.create_table(definition);
  if (!made && made.error().code() != Code::kTableExists && made.error().code() != Code::kTableInUse)
    return std::unexpected(made.error());
  DOLMEN_TRY(TableDescription table, wait_until_active(store, definition.name, options));
  TableDefinition actual = table.definition;
  if (definition.ttl) {
    // Only when the rest is as it should be: the table may be somebody else's.
    actual.ttl = definition.ttl;
    if (differences(definition, actual).empty()) DOLMEN_TRY_VOID(ensure_time_to_live(store, definition));
    DOLMEN_TRY(actual, described_definition(store, definition.name));
  }
  const std::vector<std::string> found = differences(definition, actual);
  if (!found.empty())
    return fail(Code::kInvalidArgument, "the table {} exists, but {}", definition.name, fmt::join(found, "; "));
  return table;
}

std::vector<std::string> differences(const TableDefinition& wanted, const TableDefinition& actual) {
  std::vector<std::string> found;
  compare_keys("partition key", {wanted.partition_key}, {actual.partition_key}, found);
  const auto sort_keys = [](const TableDefinition& table) {
    return table.sort_key ? std::vector{*table.sort_key} : std::vector<KeyAttribute>{};
  };
  compare_keys("sort key", sort_keys(wanted), sort_keys(actual), found);
  compare_indexes("local", wanted.local_indexes, actual.local_indexes, compare_index, found);
  compare_indexes("global", wanted.global_indexes, actual.global_indexes, compare_index, found);
  compare_indexes("vector", wanted.vector_indexes, actual.vector_indexes, compare_vector_index, found);
  if (wanted.ttl != actual.ttl)
    found.push_back(
        fmt::format("time to live: wanted {}, is {}", wanted.ttl.value_or("none"), actual.ttl.value_or("none")));
  return found;
}

Result<TableDefinition> described_definition(Store& store, const std::string& name) {
  DOLMEN_TRY(TableDescription table, store.describe_table(name));
  DOLMEN_TRY(TimeToLive time_to_live, store.describe_time_to_live(name));
  table.definition.ttl = std::move(time_to_live.attribute);
  return std::move(table.definition);
}

}  // namespace dolmen
