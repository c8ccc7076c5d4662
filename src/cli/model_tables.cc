#include "cli/model_tables.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <memory>
#include <string>
#include <vector>

#include "base/fail.h"
#include "cli/model_files.h"
#include "cli/print_error.h"
#include "cli/print_json.h"
#include "cli/store_flags.h"
#include "dolmen/model/shared_tables.h"

namespace dolmen::cli {

namespace {

struct TablesFlags {
  std::vector<std::string> files;
  StoreFlags store;
  bool dry_run = false;
  bool json = false;
};

/// "User, Session": the models that share a table.
std::vector<std::string> models_of(const std::vector<Model>& models, const std::string& table) {
  std::vector<std::string> names;
  for (const Model& model : models)
    if (model.table == table) names.push_back(model.name);
  return names;
}

LogicalValue::List list_of_texts(const std::vector<std::string>& texts) {
  return LogicalValue::List(texts.begin(), texts.end());
}

// ---- diff ----

/// How the live table differs from what its models need; a table that is missing differs as well.
Result<std::vector<std::string>> differences_of(Store& store, const TableDefinition& wanted) {
  const Result<TableDefinition> actual = described_definition(store, wanted.name);
  if (actual) return differences(wanted, *actual);
  if (actual.error().code() == Code::kTableNotFound) return std::vector<std::string>{"the table does not exist"};
  return std::unexpected(actual.error());
}

/// True when nothing differs.
Result<bool> diff(const TablesFlags& flags) {
  DOLMEN_TRY(const std::vector<Model> models, models_in(flags.files));
  DOLMEN_TRY(const std::vector<TableDefinition> wanted, table_definitions(models));
  DOLMEN_TRY(const std::unique_ptr<Store> store, open_store(flags.store));
  bool same = true;
  LogicalValue::List tables;
  for (const TableDefinition& table : wanted) {
    DOLMEN_TRY(std::vector<std::string> found, differences_of(*store, table));
    same = same && found.empty();
    const std::vector<std::string> names = models_of(models, table.name);
    tables.emplace_back(
        LogicalItem{{"models", list_of_texts(names)}, {"table", table.name}, {"differences", list_of_texts(found)}});
    if (found.empty()) found.emplace_back("no difference");
    if (!flags.json)
      for (const std::string& text : found)
        fmt::print("{} in table {}: {}\n", fmt::join(names, ", "), table.name, text);
  }
  if (flags.json) print_json(LogicalItem{{"tables", std::move(tables)}});
  return same;
}

int run_diff(const TablesFlags& flags) {
  const Result<bool> same = diff(flags);
  if (same) return *same ? kDone : kFailed;
  return report(same.error(), flags.json);
}

// ---- apply ----

LogicalValue describe(const TablePlan& plan, bool applied) {
  LogicalValue::List changes;
  for (const TableChange& change : plan.changes)
    changes.emplace_back(LogicalItem{{"table", change.table}, {"change", change.text}});
  return LogicalItem{
      {"changes", std::move(changes)}, {"impossible", list_of_texts(plan.impossible)}, {"applied", applied}};
}

void print_plan(const TablePlan& plan, bool applied) {
  if (plan.changes.empty() && plan.impossible.empty()) fmt::print("nothing to change\n");
  for (const TableChange& change : plan.changes)
    fmt::print("table {}: {}{}\n", change.table, applied ? "" : "would ", change.text);
  for (const std::string& text : plan.impossible) fmt::print("impossible: {}\n", text);
}

/// Changes nothing at all when something is impossible: a table that is half of what its models need helps nobody.
Result<bool> apply(const TablesFlags& flags) {
  DOLMEN_TRY(const std::vector<Model> models, models_in(flags.files));
  DOLMEN_TRY(const std::unique_ptr<Store> store,
             flags.dry_run ? open_store(flags.store) : open_or_create_store(flags.store));
  DOLMEN_TRY(const TablePlan plan, plan_tables(*store, models));
  const bool applies = !flags.dry_run && plan.impossible.empty();
  if (applies)
    for (const TableChange& change : plan.changes) DOLMEN_TRY_VOID(apply_change(*store, change));
  if (flags.json)
    print_json(describe(plan, applies));
  else
    print_plan(plan, applies);
  return plan.impossible.empty();
}

int run_apply(const TablesFlags& flags) {
  const Result<bool> possible = apply(flags);
  if (possible) return *possible ? kDone : kFailed;
  return report(possible.error(), flags.json);
}

}  // namespace

void add_model_tables(const Verb& model) {
  const auto add = [&](const char* name, const char* help, int (*run)(const TablesFlags&)) {
    auto flags = std::make_shared<TablesFlags>();
    const Verb verb = model.verb(name, help);
    verb.arguments("FILE", flags->files, "DMS file, or a folder of them").required();
    verb.flag("--json", flags->json, "Print JSON");
    add_store_flags(verb, flags->store);
    verb.runs([flags, run] { return run(*flags); });
    return std::pair(verb, flags);
  };
  add("diff", "Compare live tables with what the models need; models that name one table share it", run_diff);
  const auto [applying, flags] =
      add("apply",
          "Make live tables what the models need: create tables, add global and vector indexes, set the time to live. "
          "What tables have more is left alone",
          run_apply);
  applying.flag("--dry-run", flags->dry_run, "Only show what would be changed");
}

}  // namespace dolmen::cli
