#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "dolmen/table.h"

namespace dolmen {
class WriteGate;
}

namespace dolmen::engine {

/// Identifies the rows of a table or of an index in the storage. Never reused.
using TableId = std::uint32_t;

/// The attributes by which rows are found and sorted. A table has one partition and at most one sort attribute.
struct KeySchema {
  std::vector<KeyAttribute> partition;
  std::vector<KeyAttribute> sort;
};

/// An index as the engine knows it.
struct Index {
  TableId id = 0;
  bool local = false;
  KeySchema keys;
  IndexDefinition definition;
  /// The attributes that its rows carry, sorted; empty when they carry all.
  std::vector<std::string> projected;
};

/// The gate that the items of a table must pass before they are written. The only mutable part of a table: read under
/// the table's lock, changed while that is held exclusively. A changed table shares it with the one that it replaces.
struct GateSlot {
  std::shared_ptr<const WriteGate> gate;
};

/// A table as the engine knows it. Never changes; a changed table is a new one under the same name.
struct Table {
  TableId id = 0;
  std::string uuid;
  TableDescription::TimePoint created;
  TableDefinition definition;
  KeySchema keys;
  /// Local indexes first, then global ones, each in the order of the definition.
  std::vector<Index> indexes;
  std::shared_ptr<GateSlot> gate_slot = std::make_shared<GateSlot>();

  /// Null when the index does not exist.
  [[nodiscard]] const Index* find_index(std::string_view name) const;
  [[nodiscard]] bool is_key(std::string_view attribute) const;
};

/// The table that a definition asks for; the ids of its indexes are `first_index_id` and those that follow.
Table make_table(TableDefinition definition, TableId first_index_id);

}  // namespace dolmen::engine
