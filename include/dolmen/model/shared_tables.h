#pragma once

#include <string>
#include <variant>
#include <vector>

#include "dolmen/error.h"
#include "dolmen/model/model.h"
#include "dolmen/store.h"
#include "dolmen/table.h"
#include "dolmen/table_update.h"
#include "dolmen/tables.h"
#include "dolmen/time_to_live.h"

/// Tables that several models share. Such a table has the key that the models have in common, the indexes of all of
/// them, vector indexes among them, and the time to live that any of them has.
namespace dolmen {

/// The table that holds the items of all these models, of which there is at least one; `table` is its name unless it is
/// empty, whatever tables the models name. Where models have an index of the same name, it carries what any of them
/// wants. Fails with kInvalidModel, and says which models disagree, when keys, keys of indexes, types of key attributes
/// or times to live differ.
Result<TableDefinition> shared_definition(const std::vector<Model>& models, const std::string& table = {});

/// One definition for each table that the models name, in the order of the models. Fails as `shared_definition` does.
Result<std::vector<TableDefinition>> table_definitions(const std::vector<Model>& models);

/// What a live table lacks of what is wanted, in words, as `differences` says it. More indexes, indexes that carry
/// more, and a time to live where none is wanted are not missed: other models may need them.
std::vector<std::string> missing_parts(const TableDefinition& wanted, const TableDefinition& actual);

/// Makes the tables of the models that do not exist, waits for them, and sets the time to live of tables without one.
/// Fails with kInvalidArgument when a table exists and lacks something else; nothing is changed in that table.
Result<std::vector<TableDescription>> ensure_tables(Store& store, const std::vector<Model>& models,
                                                    const WaitOptions& options = {});

/// A change that makes a table what models need.
struct TableChange {
  std::string table;
  /// What it does, for people.
  std::string text;
  std::variant<TableDefinition, TableUpdate, TimeToLiveChange> change;
};

/// How to make the tables of models what the models need.
struct TablePlan {
  std::vector<TableChange> changes = {};
  /// What no change can do, for people: keys and local indexes are forever, and an index that lacks something must be
  /// deleted first, which nobody does who does not know its readers.
  std::vector<std::string> impossible = {};
};

/// Looks at the live tables and changes nothing. What a table has more is left alone. Fails as `table_definitions` and
/// the store do.
Result<TablePlan> plan_tables(Store& store, const std::vector<Model>& models);

/// Carries a change out and waits until it is done, which takes long where an index must be filled.
Result<void> apply_change(Store& store, const TableChange& change, const WaitOptions& options = {});

}  // namespace dolmen
