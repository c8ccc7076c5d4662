// What UpdateTable refuses because of what the table is.
#include <algorithm>
#include <fmt/ranges.h>
#include <set>
#include <vector>

#include "base/fail.h"
#include "base/limits.h"
#include "engine/table_update.h"
#include "service/table_update_rules.h"
#include "service/throughput_rules.h"

namespace dolmen::engine {
namespace {

constexpr std::string_view kInvalidUpdate = "One or more parameter values were invalid: ";

// ---- Indexes ----

Result<const Index*> find_global(const Table& table, const std::string& name, std::string_view verb) {
  const Index* index = table.find_index(name);
  if (index == nullptr)
    return fail(Code::kTableNotFound, "Requested resource not found: Index {} for table {}", name,
                table.definition.name);
  if (index->local)
    return fail(Code::kValidation, "Cannot {} an index that is not a GlobalSecondaryIndex: {}", verb, name);
  return index;
}

std::string schema_text(const KeySchema& keys) {
  std::vector<std::string> elements;
  for (const auto* attributes : {&keys.partition, &keys.sort})
    for (const KeyAttribute& key : *attributes)
      elements.push_back(fmt::format("SchemaElement: key{{{}:{}:{}}}", key.name, key_type_name(key.type),
                                     attributes == &keys.partition ? "HASH" : "RANGE"));
  return fmt::format("Schema:[{}]", fmt::join(elements, ", "));
}

std::string search_schema_text(const VectorIndexDefinition& index) {
  std::vector<std::string> elements;
  for (const SearchAttribute& attribute : index.search)
    elements.push_back(fmt::format("SearchSchemaElement: key{{{}:{}:{}}}", attribute.name,
                                   key_type_name(attribute.type), search_role_name(attribute.role)));
  return fmt::format("VectorIndexSchema:[{}]", fmt::join(elements, ", "));
}

/// An attribute has one type in all keys of a table.
Result<void> check_types(const KeySchema& existing, const KeySchema& added) {
  for (const auto* old_keys : {&existing.partition, &existing.sort})
    for (const KeyAttribute& old_key : *old_keys)
      for (const auto* new_keys : {&added.partition, &added.sort})
        for (const KeyAttribute& new_key : *new_keys)
          if (old_key.name == new_key.name && old_key.type != new_key.type)
            return fail(Code::kValidation,
                        "{}Attributes cannot be redefined. Please check that your attribute has the same type as "
                        "previously defined. Existing schema: {} New schema: {}",
                        kInvalidUpdate, schema_text(existing), schema_text(added));
  return {};
}

/// A key cannot be a vector, nor have another type in a search.
Result<void> check_types_of_searches(const Table& table, const KeySchema& added) {
  for (const VectorIndex& index : table.live_vector_indexes()) {
    const VectorIndexDefinition& definition = index.definition;
    for (const auto* keys : {&added.partition, &added.sort})
      for (const KeyAttribute& key : *keys) {
        if (key.name == definition.attribute)
          return fail(Code::kValidation,
                      "{}Attributes cannot be redefined. Please check that your attribute has the same type as "
                      "previously defined. Existing schema: VectorIndexSchema:[VectorAttribute: key{{{}:L:{}}}] New "
                      "schema: Schema:[SchemaElement: key{{{}:{}:{}}}]",
                      kInvalidUpdate, key.name, definition.dimensions, key.name, key_type_name(key.type),
                      keys == &added.partition ? "HASH" : "RANGE");
        for (const SearchAttribute& attribute : definition.search)
          if (attribute.name == key.name && attribute.type != key.type)
            return fail(Code::kValidation,
                        "{}Attributes cannot be redefined. Please check that your attribute has the same type as "
                        "previously defined. Existing schema: {} New schema: {}",
                        kInvalidUpdate, search_schema_text(definition), schema_text(added));
      }
  }
  return {};
}

Result<void> check_created(const Table& table, const IndexDefinition& index, BillingMode mode) {
  if (table.find_index(index.name) != nullptr || table.find_vector_index(index.name) != nullptr)
    return fail(Code::kValidation, "Attempting to create an index which already exists");
  const KeySchema keys{index.partition_keys, index.sort_keys};
  DOLMEN_TRY_VOID(check_types(table.keys, keys));
  for (const Index& other : table.live_indexes()) DOLMEN_TRY_VOID(check_types(other.keys, keys));
  DOLMEN_TRY_VOID(check_types_of_searches(table, keys));
  const bool has_throughput = index.throughput != Throughput{};
  if (mode == BillingMode::kPayPerRequest && has_throughput)
    return fail(Code::kValidation,
                "{}Neither ReadCapacityUnits nor WriteCapacityUnits can be specified for index: {} when BillingMode is "
                "PAY_PER_REQUEST",
                kInvalidUpdate, index.name);
  if (mode == BillingMode::kProvisioned && !has_throughput)
    return fail(Code::kValidation, "{}Both ReadCapacityUnits and WriteCapacityUnits must be specified for index: {}",
                kInvalidUpdate, index.name);
  if (mode == BillingMode::kProvisioned) DOLMEN_TRY_VOID(refuse_on_demand(index.on_demand, true));
  if (index.warm) DOLMEN_TRY_VOID(check_new_warm(*index.warm, mode, index.throughput, index.name));
  return {};
}

Result<void> check_index_count(const Table& table, const IndexDefinition& added) {
  if (table.definition.global_indexes.size() >= limits::kGlobalIndexes)
    return fail(Code::kLimitExceeded,
                "Subscriber limit exceeded: Number of global secondary indexes exceeds per-table limit of {}",
                limits::kGlobalIndexes);
  std::size_t projected = added.included_attributes.size();
  for (const Index& index : table.indexes) projected += index.definition.included_attributes.size();
  if (projected > limits::kProjectedAttributes)
    return fail(Code::kValidation, "{}Number of projected attributes of all indexes exceeds per-table limit of {}",
                kInvalidUpdate, limits::kProjectedAttributes);
  return {};
}

// ---- Throughput ----

Result<void> check_changes(const Throughput& current, const Throughput& asked, std::string_view index) {
  if (current != asked) return {};
  const std::string place = index.empty() ? "the table" : fmt::format("index {}", index);
  return fail(Code::kValidation,
              "The provisioned throughput for {}{} will not change. The requested value equals the current value. "
              "Current ReadCapacityUnits provisioned for {}: {}. Requested ReadCapacityUnits: {}. Current "
              "WriteCapacityUnits provisioned for {}: {}. Requested WriteCapacityUnits: {}. Refer to the Amazon "
              "DynamoDB Developer Guide for current limits and how to request higher limits.",
              index.empty() ? "" : "the ", place, place, current.read_units, asked.read_units, place,
              current.write_units, asked.write_units);
}

Result<void> check_warm_grows(const WarmThroughput& current, const WarmThroughputUpdate& asked,
                              std::string_view index) {
  const auto lower = [&](std::string_view name) {
    return fail(Code::kValidation,
                "{}Requested {} for WarmThroughput for {}{} is lower than current WarmThroughput, decreasing "
                "WarmThroughput is not supported",
                kInvalidUpdate, name, index.empty() ? "table" : "index ", index);
  };
  if (asked.read_units && *asked.read_units < current.read_units) return lower("ReadUnitsPerSecond");
  if (asked.write_units && *asked.write_units < current.write_units) return lower("WriteUnitsPerSecond");
  return {};
}

/// The rules for one request, once the table is known.
class UpdateCheck {
 public:
  UpdateCheck(const Table& table, const TableUpdate& update, std::string_view region, TableTime now)
      : table_(table),
        update_(update),
        region_(region),
        now_(now),
        mode_(update.billing_mode.value_or(table.definition.billing_mode)),
        switches_(mode_ != table.definition.billing_mode) {}

  Result<void> run() {
    DOLMEN_TRY_VOID(check_not_busy(table_, update_, now_));
    DOLMEN_TRY_VOID(check_no_empty_setting(update_));
    DOLMEN_TRY_VOID(find_indexes());
    DOLMEN_TRY_VOID(check_table_throughput());
    for (const IndexChange& change : update_.indexes) DOLMEN_TRY_VOID(check_index_change(change));
    DOLMEN_TRY_VOID(check_vector_update(table_, update_, mode_));
    DOLMEN_TRY_VOID(check_all_provisioned());
    DOLMEN_TRY_VOID(check_stream());
    DOLMEN_TRY_VOID(check_encryption());
    if (update_.warm) DOLMEN_TRY_VOID(check_warm_grows(table_.warm, *update_.warm, {}));
    return check_account();
  }

 private:
  [[nodiscard]] bool provisioned() const { return mode_ == BillingMode::kProvisioned; }

  /// All must exist before anything else is said about one of them.
  Result<void> find_indexes() const {
    for (const IndexChange& change : update_.indexes) {
      if (const auto* updated = std::get_if<UpdateIndex>(&change))
        DOLMEN_TRY_VOID(find_global(table_, updated->name, "update"));
      if (const auto* removed = std::get_if<DeleteIndex>(&change))
        DOLMEN_TRY_VOID(find_global(table_, removed->name, "delete"));
    }
    return {};
  }

  Result<void> check_table_throughput() const {
    if (update_.throughput && !provisioned())
      return fail(
          Code::kValidation,
          "{}Neither ReadCapacityUnits nor WriteCapacityUnits can be specified when BillingMode is PAY_PER_REQUEST",
          kInvalidUpdate);
    if (update_.throughput && !switches_)
      DOLMEN_TRY_VOID(check_changes(table_.definition.throughput, *update_.throughput, {}));
    if (update_.on_demand && provisioned()) return refuse_on_demand(*update_.on_demand, true);
    return {};
  }

  Result<void> check_index_change(const IndexChange& change) const {
    if (const auto* created = std::get_if<CreateIndex>(&change)) {
      DOLMEN_TRY_VOID(check_created(table_, created->definition, mode_));
      return check_index_count(table_, created->definition);
    }
    if (const auto* updated = std::get_if<UpdateIndex>(&change)) return check_updated(*updated);
    return {};
  }

  Result<void> check_updated(const UpdateIndex& asked) const {
    const Index& index = *table_.find_index(asked.name);
    if (asked.throughput && !provisioned())
      return fail(Code::kValidation,
                  "{}The only Updates for index: {} when TableThroughputMode is PAY_PER_REQUEST can be to "
                  "OnDemandThroughput, WarmThroughput",
                  kInvalidUpdate, asked.name);
    if (asked.throughput && !switches_)
      DOLMEN_TRY_VOID(check_changes(index.definition.throughput, *asked.throughput, asked.name));
    if (asked.on_demand && provisioned()) DOLMEN_TRY_VOID(refuse_on_demand(*asked.on_demand, true));
    if (asked.warm) return check_warm_grows(index.warm, *asked.warm, asked.name);
    return {};
  }

  /// A table that becomes provisioned needs the throughput of all its indexes.
  Result<void> check_all_provisioned() const {
    if (!switches_ || !provisioned()) return {};
    std::set<std::string_view> given;
    for (const IndexChange& change : update_.indexes) {
      const auto* updated = std::get_if<UpdateIndex>(&change);
      if (updated != nullptr && updated->throughput) given.insert(updated->name);
    }
    for (const Index& index : table_.live_indexes())
      if (!index.local && !given.contains(index.definition.name))
        return fail(Code::kValidation, "{}ProvisionedThroughput must be specified for index: {}", kInvalidUpdate,
                    index.definition.name);
    return {};
  }

  Result<void> check_stream() const {
    if (!update_.stream) return {};
    if (update_.stream->enabled && table_.definition.stream)
      return fail(Code::kValidation, "Table already has an enabled stream: TableName: {}", table_.definition.name);
    if (!update_.stream->enabled && !table_.definition.stream)
      return fail(Code::kValidation, "Table has no stream to disable: TableName: {}", table_.definition.name);
    return {};
  }

  Result<void> check_encryption() const {
    if (!update_.encryption) return {};
    const std::optional<std::string>& asked = update_.encryption->kms_key;
    if (!asked && !table_.definition.kms_key)
      return fail(Code::kValidation, "{}Table is already encrypted by default", kInvalidUpdate);
    if (asked && asked == table_.definition.kms_key)
      return fail(Code::kValidation,
                  "{}Table is already encrypted with given KMSMasterKeyId. Use KMSMasterKeyId parameter if you want to "
                  "change Master Key",
                  kInvalidUpdate);
    return {};
  }

  Result<void> check_account() const {
    if (update_.throughput) DOLMEN_TRY_VOID(check_account_throughput(*update_.throughput, {}, region_));
    if (update_.on_demand) DOLMEN_TRY_VOID(check_account_on_demand(*update_.on_demand, {}, region_));
    if (update_.warm) DOLMEN_TRY_VOID(check_account_warm(*update_.warm, {}, region_));
    for (const IndexChange& change : update_.indexes) {
      if (const auto* created = std::get_if<CreateIndex>(&change))
        DOLMEN_TRY_VOID(check_account_limits(created->definition, region_));
      const auto* updated = std::get_if<UpdateIndex>(&change);
      if (updated == nullptr) continue;
      if (updated->throughput) DOLMEN_TRY_VOID(check_account_throughput(*updated->throughput, updated->name, region_));
      if (updated->on_demand) DOLMEN_TRY_VOID(check_account_on_demand(*updated->on_demand, updated->name, region_));
      if (updated->warm) DOLMEN_TRY_VOID(check_account_warm(*updated->warm, updated->name, region_));
    }
    return {};
  }

  const Table& table_;
  const TableUpdate& update_;
  std::string_view region_;
  TableTime now_;
  const BillingMode mode_;
  const bool switches_;
};

}  // namespace

Result<void> check_update(const Table& table, const TableUpdate& update, std::string_view region, TableTime now) {
  return UpdateCheck(table, update, region, now).run();
}

}  // namespace dolmen::engine
