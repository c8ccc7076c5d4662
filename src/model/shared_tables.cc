#include "dolmen/model/shared_tables.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <set>

#include "base/fail.h"

namespace dolmen {

namespace {

using Indexes = std::vector<IndexDefinition>;

std::string key_name(const TableDefinition& table) {
  std::string text = fmt::format("{} ({})", table.partition_key.name, key_type_name(table.partition_key.type));
  if (table.sort_key) text += fmt::format(" and {} ({})", table.sort_key->name, key_type_name(table.sort_key->type));
  return text;
}

/// The attributes that the rows of an index of either kind carry because two models want them.
template <class Index>
void widen(Index& index, const Index& other) {
  if (index.projection == ProjectionType::kAll || other.projection == ProjectionType::kAll) {
    index.projection = ProjectionType::kAll;
    index.included_attributes.clear();
    return;
  }
  for (const std::string& name : other.included_attributes)
    if (std::ranges::find(index.included_attributes, name) == index.included_attributes.end())
      index.included_attributes.push_back(name);
  if (!index.included_attributes.empty()) index.projection = ProjectionType::kInclude;
}

/// True when the rows of `index` carry all that those of `wanted` do.
template <class Index>
bool carries(const Index& index, const Index& wanted) {
  Index both = index;
  widen(both, wanted);
  return both.projection == index.projection && both.included_attributes.size() == index.included_attributes.size();
}

bool has_same_keys(const IndexDefinition& a, const IndexDefinition& b) {
  return a.partition_keys == b.partition_keys && a.sort_keys == b.sort_keys;
}

/// Whether two indexes differ in nothing but what their rows carry.
bool has_same_vectors(VectorIndexDefinition a, const VectorIndexDefinition& b) {
  a.projection = b.projection;
  a.included_attributes = b.included_attributes;
  const bool has_same_search = std::ranges::is_permutation(a.search, b.search);
  a.search = b.search;
  return has_same_search && a == b;
}

/// Puts the tables of models together.
class Union {
 public:
  explicit Union(const Model& first, const std::string& name)
      : definition_(table_definition(first)), first_(first.name) {
    definition_.name = name;
    note_indexes(first);
    if (definition_.ttl) ttl_model_ = first.name;
  }

  Result<void> add(const Model& model) {
    TableDefinition other = table_definition(model);
    if (other.partition_key != definition_.partition_key || other.sort_key != definition_.sort_key)
      return disagree(first_, model, "the key of table {} is {} for the first and {} for the second", definition_.name,
                      key_name(definition_), key_name(other));
    DOLMEN_TRY_VOID(add_indexes(model, other.local_indexes, definition_.local_indexes));
    DOLMEN_TRY_VOID(add_indexes(model, other.global_indexes, definition_.global_indexes));
    DOLMEN_TRY_VOID(add_vector_indexes(model, other.vector_indexes));
    note_indexes(model);
    if (!other.ttl) return {};
    if (definition_.ttl && definition_.ttl != other.ttl)
      return disagree(ttl_model_, model, "the time to live of table {} is {} for the first and {} for the second",
                      definition_.name, *definition_.ttl, *other.ttl);
    definition_.ttl = other.ttl;
    if (ttl_model_.empty()) ttl_model_ = model.name;
    return {};
  }

  /// Fails when an attribute would be a key of two types.
  Result<TableDefinition> result() && {
    std::map<std::string, KeyType> types;
    DOLMEN_TRY_VOID(note_type(definition_.partition_key, types));
    if (definition_.sort_key) DOLMEN_TRY_VOID(note_type(*definition_.sort_key, types));
    for (const Indexes* indexes : {&definition_.local_indexes, &definition_.global_indexes})
      for (const IndexDefinition& index : *indexes)
        for (const auto* keys : {&index.partition_keys, &index.sort_keys})
          for (const KeyAttribute& key : *keys) DOLMEN_TRY_VOID(note_type(key, types));
    for (const VectorIndexDefinition& index : definition_.vector_indexes)
      for (const SearchAttribute& searched : index.search)
        DOLMEN_TRY_VOID(note_type({searched.name, searched.type}, types));
    return std::move(definition_);
  }

 private:
  template <class... Args>
  static std::unexpected<Error> disagree(const std::string& first, const Model& second,
                                         fmt::format_string<Args...> message, Args&&... args) {
    return fail(Code::kInvalidModel, "models {} and {} cannot share a table: {}", first, second.name,
                fmt::format(message, std::forward<Args>(args)...));
  }

  void note_indexes(const Model& model) {
    for (const ModelIndex& index : model.indexes) index_model_.emplace(index.name, model.name);
    for (const ModelVectorIndex& index : model.vector_indexes) index_model_.emplace(index.name, model.name);
  }

  /// A name that is not there, although some model has it, is that of an index of another kind.
  Result<void> add_indexes(const Model& model, const Indexes& added, Indexes& same_kind) {
    for (const IndexDefinition& index : added) {
      const auto there = std::ranges::find(same_kind, index.name, &IndexDefinition::name);
      const bool is_same = there == same_kind.end() ? !index_model_.contains(index.name) : has_same_keys(*there, index);
      if (!is_same)
        return disagree(index_model_[index.name], model, "index {} of table {} has different keys", index.name,
                        definition_.name);
      if (there == same_kind.end())
        same_kind.push_back(index);
      else
        widen(*there, index);
    }
    return {};
  }

  Result<void> add_vector_indexes(const Model& model, const std::vector<VectorIndexDefinition>& added) {
    std::vector<VectorIndexDefinition>& all = definition_.vector_indexes;
    for (const VectorIndexDefinition& index : added) {
      const auto there = std::ranges::find(all, index.name, &VectorIndexDefinition::name);
      const bool is_same = there == all.end() ? !index_model_.contains(index.name) : has_same_vectors(*there, index);
      if (!is_same)
        return disagree(index_model_[index.name], model,
                        "index {} of table {} has other vectors, another distance, or other attributes to search by",
                        index.name, definition_.name);
      if (there == all.end())
        all.push_back(index);
      else
        widen(*there, index);
    }
    return {};
  }

  Result<void> note_type(const KeyAttribute& key, std::map<std::string, KeyType>& types) const {
    const auto [there, is_new] = types.emplace(key.name, key.type);
    if (is_new || there->second == key.type) return {};
    return fail(Code::kInvalidModel, "the models of table {} use {} as a key of type {} and of type {}",
                definition_.name, key.name, key_type_name(there->second), key_type_name(key.type));
  }

  TableDefinition definition_;
  std::string first_;
  std::string ttl_model_;
  std::map<std::string, std::string> index_model_;
};

/// The part of the indexes that is wanted, as far as it is there.
template <class Index>
std::vector<Index> seen_by(const std::vector<Index>& wanted, const std::vector<Index>& actual) {
  std::vector<Index> seen;
  for (const Index& index : actual) {
    const auto same = std::ranges::find(wanted, index.name, &Index::name);
    if (same == wanted.end()) continue;
    seen.push_back(index);
    if (!carries(index, *same)) continue;
    seen.back().projection = same->projection;
    seen.back().included_attributes = same->included_attributes;
  }
  return seen;
}

/// The live table with its time to live; nothing when there is none.
Result<std::optional<TableDefinition>> live_table(Store& store, const std::string& name) {
  Result<TableDefinition> actual = described_definition(store, name);
  if (actual) return *std::move(actual);
  if (actual.error().code() == Code::kTableNotFound) return std::nullopt;
  return std::unexpected(actual.error());
}

/// Adds the global and vector indexes that are missing; returns what is left to do afterwards.
TableDefinition plan_indexes(const TableDefinition& wanted, TableDefinition actual, TablePlan& plan) {
  for (const IndexDefinition& index : wanted.global_indexes) {
    if (std::ranges::find(actual.global_indexes, index.name, &IndexDefinition::name) != actual.global_indexes.end())
      continue;
    // An update can add one index, so that each is a change of its own.
    plan.changes.push_back({.table = wanted.name,
                            .text = fmt::format("add global index {}", index.name),
                            .change = TableUpdate{.table = wanted.name, .indexes = {CreateIndex{index}}}});
    actual.global_indexes.push_back(index);
  }
  for (const VectorIndexDefinition& index : wanted.vector_indexes) {
    if (std::ranges::find(actual.vector_indexes, index.name, &VectorIndexDefinition::name) !=
        actual.vector_indexes.end())
      continue;
    plan.changes.push_back({.table = wanted.name,
                            .text = fmt::format("add vector index {}", index.name),
                            .change = TableUpdate{.table = wanted.name, .vector_indexes = {CreateVectorIndex{index}}}});
    actual.vector_indexes.push_back(index);
  }
  return actual;
}

void plan_changes(const TableDefinition& wanted, TableDefinition actual, TablePlan& plan) {
  TablePlan own;
  actual = plan_indexes(wanted, std::move(actual), own);
  if (wanted.ttl && !actual.ttl) {
    own.changes.push_back({.table = wanted.name,
                           .text = fmt::format("set the time to live to {}", *wanted.ttl),
                           .change = TimeToLiveChange{.attribute = *wanted.ttl, .enabled = true}});
    actual.ttl = wanted.ttl;
  }
  for (const std::string& text : missing_parts(wanted, actual))
    own.impossible.push_back(fmt::format("table {}: {}", wanted.name, text));
  std::ranges::move(own.changes, std::back_inserter(plan.changes));
  std::ranges::move(own.impossible, std::back_inserter(plan.impossible));
}

/// Makes the table, or finds that one is there which has all that is wanted.
Result<TableDescription> ensure_shared(Store& store, const TableDefinition& wanted, const WaitOptions& options) {
  const Result<TableDescription> made = store.create_table(wanted);
  if (!made && made.error().code() != Code::kTableExists && made.error().code() != Code::kTableInUse)
    return std::unexpected(made.error());
  DOLMEN_TRY(TableDescription table, wait_until_active(store, wanted.name, options));
  TablePlan plan;
  DOLMEN_TRY(const TableDefinition actual, described_definition(store, wanted.name));
  plan_changes(wanted, actual, plan);
  const bool lacks_index = std::ranges::any_of(
      plan.changes, [](const TableChange& change) { return !std::holds_alternative<TimeToLiveChange>(change.change); });
  if (lacks_index || !plan.impossible.empty())
    return fail(Code::kInvalidArgument, "the table {} exists, but {}", wanted.name,
                fmt::join(missing_parts(wanted, actual), "; "));
  for (const TableChange& change : plan.changes)
    if (const Result<void> set = apply_change(store, change, options); !set) {
      // Another program may have done the same.
      DOLMEN_TRY(const TimeToLive current, store.describe_time_to_live(wanted.name));
      if (current.attribute != wanted.ttl) return std::unexpected(set.error());
    }
  return table;
}

}  // namespace

Result<TableDefinition> shared_definition(const std::vector<Model>& models, const std::string& table) {
  if (models.empty()) return fail(Code::kInvalidArgument, "a table needs at least one model");
  Union all(models.front(), table.empty() ? models.front().table : table);
  for (std::size_t i = 1; i < models.size(); ++i) DOLMEN_TRY_VOID(all.add(models[i]));
  return std::move(all).result();
}

Result<std::vector<TableDefinition>> table_definitions(const std::vector<Model>& models) {
  std::vector<TableDefinition> definitions;
  std::set<std::string> done;
  for (const Model& model : models) {
    if (!done.insert(model.table).second) continue;
    std::vector<Model> sharing;
    std::ranges::copy_if(models, std::back_inserter(sharing),
                         [&](const Model& other) { return other.table == model.table; });
    DOLMEN_TRY(definitions.emplace_back(), shared_definition(sharing));
  }
  return definitions;
}

std::vector<std::string> missing_parts(const TableDefinition& wanted, const TableDefinition& actual) {
  TableDefinition seen = actual;
  seen.local_indexes = seen_by(wanted.local_indexes, actual.local_indexes);
  seen.global_indexes = seen_by(wanted.global_indexes, actual.global_indexes);
  seen.vector_indexes = seen_by(wanted.vector_indexes, actual.vector_indexes);
  if (!wanted.ttl) seen.ttl.reset();
  return differences(wanted, seen);
}

Result<std::vector<TableDescription>> ensure_tables(Store& store, const std::vector<Model>& models,
                                                    const WaitOptions& options) {
  DOLMEN_TRY(const std::vector<TableDefinition> definitions, table_definitions(models));
  std::vector<TableDescription> tables;
  for (const TableDefinition& wanted : definitions) {
    DOLMEN_TRY(tables.emplace_back(), ensure_shared(store, wanted, options));
  }
  return tables;
}

Result<TablePlan> plan_tables(Store& store, const std::vector<Model>& models) {
  DOLMEN_TRY(const std::vector<TableDefinition> definitions, table_definitions(models));
  TablePlan plan;
  for (const TableDefinition& wanted : definitions) {
    DOLMEN_TRY(std::optional<TableDefinition> actual, live_table(store, wanted.name));
    if (actual)
      plan_changes(wanted, *std::move(actual), plan);
    else
      plan.changes.push_back({.table = wanted.name, .text = "create the table", .change = wanted});
  }
  return plan;
}

Result<void> apply_change(Store& store, const TableChange& change, const WaitOptions& options) {
  if (const auto* time_to_live = std::get_if<TimeToLiveChange>(&change.change)) {
    DOLMEN_TRY_VOID(store.update_time_to_live(change.table, *time_to_live));
    return {};
  }
  if (const auto* definition = std::get_if<TableDefinition>(&change.change)) {
    DOLMEN_TRY_VOID(store.create_table(*definition));
  } else {
    DOLMEN_TRY_VOID(store.update_table(std::get<TableUpdate>(change.change)));
  }
  DOLMEN_TRY_VOID(wait_until_active(store, change.table, options));
  return {};
}

}  // namespace dolmen
