#pragma once

#include <map>
#include <string>

#include "dolmen/model/logical_value.h"
#include "dolmen/store.h"

namespace dolmen::cli {

/// What is known of a table.
struct TableView {
  TableDescription table;
  TimeToLive time_to_live;
  std::map<std::string, std::string> tags;
};

/// Asks for what a description does not have.
Result<TableView> view_of(Store& store, TableDescription table);

/// The key as `table create --key` takes it: "topic:S,written:N".
std::string keys_text(const TableDefinition& table);

/// For people, a line for each property.
std::string view_text(const TableView& view);
/// For programs.
LogicalItem view_object(const TableView& view);

}  // namespace dolmen::cli
