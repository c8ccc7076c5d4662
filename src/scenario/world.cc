#include "scenario/world.h"

#include <algorithm>
#include <set>

#include "base/fail.h"
#include "dolmen/model/transaction.h"
#include "scenario/fields.h"

namespace dolmen::scenario {

namespace {

/// The models that the scenario, its steps and the parts of steps name.
std::set<std::string> named_models(const Scenario& scenario) {
  std::set<std::string> names{scenario.model};
  const auto note = [&](const LogicalItem& map) {
    if (Result<std::string> name = text_of(map, "model")) names.insert(*std::move(name));
  };
  for (const std::vector<LogicalItem>* steps : {&scenario.seed_steps, &scenario.steps})
    for (const LogicalItem& step : *steps) {
      note(step);
      for (const char* list : {"actions", "gets"})
        for (const LogicalValue& part : list_of(step, list).value_or(LogicalValue::List()))
          if (const LogicalItem* map = part.get_if<LogicalItem>()) note(*map);
    }
  return names;
}

}  // namespace

Result<World> World::open(const Scenario& scenario, const std::vector<Model>& models, Store& store, Timestamp& now,
                          KeyProvider* keys) {
  World world(store, now, keys, scenario.model);
  std::string table = scenario.table;
  if (const auto model = std::ranges::find(models, scenario.model, &Model::name);
      table.empty() && model != models.end())
    table = model->table;
  for (const std::string& name : named_models(scenario)) {
    const auto model = std::ranges::find(models, name, &Model::name);
    if (model == models.end()) return fail(Code::kInvalidArgument, "no file declares the model {}", name);
    DOLMEN_TRY(
        ModelTable opened,
        ModelTable::open(store, *model, {.table = table, .keys = keys, .now = [&now] { return now.to_time_point(); }}));
    world.tables_.emplace(name, std::move(opened));
  }
  return world;
}

Result<ModelTable*> World::table_for(const LogicalItem& step) {
  std::string name = model_;
  if (find(step, "model") != nullptr) {
    DOLMEN_TRY(name, text_of(step, "model"));
  }
  const auto found = tables_.find(name);
  if (found == tables_.end()) return fail(Code::kInvalidArgument, "no file declares the model {}", name);
  return &found->second;
}

std::vector<Model> World::models() const {
  std::vector<Model> models;
  for (const auto& [name, table] : tables_) models.push_back(table.model());
  return models;
}

Failure Failure::of(const Error& error) {
  const std::string_view portable = portable_error_name(error.code());
  Failure failure{.names = {std::string(portable.empty() ? code_name(error.code()) : portable)},
                  .message = error.message()};
  if (const TransactionFailure* reasons = error.payload<TransactionFailure>()) failure.failed_action = reasons->index;
  return failure;
}

}  // namespace dolmen::scenario
