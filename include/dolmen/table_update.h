#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "dolmen/table.h"

namespace dolmen {

/// Adds a global index. It is filled with the table's items in the background, and can be read when that is done
/// (`wait_until_active` in dolmen/tables.h).
struct CreateIndex {
  IndexDefinition definition;

  friend bool operator==(const CreateIndex&, const CreateIndex&) = default;
};

/// The capacity for which a table or index is to be ready at once. It never gets less.
struct WarmThroughputUpdate {
  std::optional<std::int64_t> read_units = std::nullopt;
  std::optional<std::int64_t> write_units = std::nullopt;

  friend bool operator==(const WarmThroughputUpdate&, const WarmThroughputUpdate&) = default;
};

/// Changes a global index.
struct UpdateIndex {
  std::string name;
  std::optional<Throughput> throughput = std::nullopt;
  /// -1 removes a limit; one that is not given stays.
  std::optional<OnDemandThroughput> on_demand = std::nullopt;
  std::optional<WarmThroughputUpdate> warm = std::nullopt;

  friend bool operator==(const UpdateIndex&, const UpdateIndex&) = default;
};

/// Removes a global index. Nobody can read it from then on; its space comes back in the background.
struct DeleteIndex {
  std::string name;

  friend bool operator==(const DeleteIndex&, const DeleteIndex&) = default;
};

using IndexChange = std::variant<CreateIndex, UpdateIndex, DeleteIndex>;

/// Adds a vector index. It is filled with the table's items in the background, and can be searched when that is done.
/// Items that could not be written now are left out.
struct CreateVectorIndex {
  VectorIndexDefinition definition;

  friend bool operator==(const CreateVectorIndex&, const CreateVectorIndex&) = default;
};

/// Removes a vector index, also one that is being filled.
struct DeleteVectorIndex {
  std::string name;

  friend bool operator==(const DeleteVectorIndex&, const DeleteVectorIndex&) = default;
};

using VectorIndexChange = std::variant<CreateVectorIndex, DeleteVectorIndex>;

/// Starts or ends the stream of a table.
struct StreamUpdate {
  bool enabled = false;
  /// Only when it is enabled.
  std::optional<StreamView> view = std::nullopt;

  friend bool operator==(const StreamUpdate&, const StreamUpdate&) = default;
};

/// Sets or removes the key of a table (TableDefinition::kms_key).
struct EncryptionUpdate {
  /// Nothing means the key that AWS owns, which no description shows.
  std::optional<std::string> kms_key = std::nullopt;

  friend bool operator==(const EncryptionUpdate&, const EncryptionUpdate&) = default;
};

/// A change of a table. What is not given stays as it is. DynamoDB says what can be changed together; most settings
/// must be changed alone.
///
///     store->update_table({.table = "notes",
///                          .indexes = {CreateIndex{{.name = "by-author",
///                                                   .partition_keys = {{"author", KeyType::kString}}}}}});
struct TableUpdate {
  std::string table;
  std::optional<BillingMode> billing_mode = std::nullopt;
  /// Only for BillingMode::kProvisioned.
  std::optional<Throughput> throughput = std::nullopt;
  /// At most one of these creates or deletes an index.
  std::vector<IndexChange> indexes = {};
  /// At most one, and not together with a global index that is created or deleted.
  std::vector<VectorIndexChange> vector_indexes = {};
  std::optional<StreamUpdate> stream = std::nullopt;
  std::optional<EncryptionUpdate> encryption = std::nullopt;
  std::optional<TableClass> table_class = std::nullopt;
  std::optional<bool> deletion_protection = std::nullopt;
  /// -1 removes a limit; one that is not given stays.
  std::optional<OnDemandThroughput> on_demand = std::nullopt;
  std::optional<WarmThroughputUpdate> warm = std::nullopt;

  friend bool operator==(const TableUpdate&, const TableUpdate&) = default;
};

}  // namespace dolmen
