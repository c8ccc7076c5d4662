#include "cli/model_diff.h"

#include <fmt/format.h>

#include "cli/print_error.h"
#include "cli/print_json.h"
#include "dolmen/model/model_table.h"

namespace dolmen::cli {

namespace {

/// A table that is missing differs as well.
Result<std::vector<std::string>> differences_of(Store& store, const Model& model) {
  DOLMEN_TRY(ModelTable table, ModelTable::open(store, model));
  Result<std::vector<std::string>> found = table.table_differences();
  if (!found && found.error().code() == Code::kTableNotFound)
    return std::vector<std::string>{"the table does not exist"};
  return found;
}

/// True when nothing differs.
Result<bool> diff(const ModelDiffFlags& flags) {
  DOLMEN_TRY(const ModelSet set, load_models(flags.file));
  DOLMEN_TRY(const std::unique_ptr<Store> store, open_store(flags.store));
  bool same = true;
  LogicalValue::List tables;
  for (const Model& model : set.models) {
    DOLMEN_TRY(const std::vector<std::string> found, differences_of(*store, model));
    same = same && found.empty();
    LogicalValue::List texts;
    for (const std::string& text : found) {
      texts.emplace_back(text);
      if (!flags.json) fmt::print("{} in table {}: {}\n", model.name, model.table, text);
    }
    if (found.empty() && !flags.json) fmt::print("{} in table {}: no difference\n", model.name, model.table);
    tables.emplace_back(LogicalItem{{"model", model.name}, {"table", model.table}, {"differences", std::move(texts)}});
  }
  if (flags.json) print_json(LogicalItem{{"models", std::move(tables)}});
  return same;
}

}  // namespace

int diff_models(const ModelDiffFlags& flags) {
  const Result<bool> same = diff(flags);
  if (same) return *same ? 0 : 1;
  return report(same.error(), flags.json);
}

}  // namespace dolmen::cli
