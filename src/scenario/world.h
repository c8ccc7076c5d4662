#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "dolmen/model/model_table.h"
#include "scenario/scenario.h"

namespace dolmen::scenario {

/// What the steps of a scenario share.
class World {
 public:
  /// `now` and `keys`, which may be null, must outlive it. Fails with kInvalidArgument when no model has the name that
  /// the scenario or a step gives.
  static Result<World> open(const Scenario& scenario, const std::vector<Model>& models, Store& store, Timestamp& now,
                            KeyProvider* keys);

  [[nodiscard]] Store& store() const { return *store_; }
  [[nodiscard]] Timestamp& now() const { return *now_; }
  [[nodiscard]] KeyProvider* keys() const { return keys_; }
  /// The name of the one table that all models of the scenario have their items in.
  [[nodiscard]] const std::string& table_name() const { return tables_.at(model_).table(); }
  /// The table as the model that a step or an action names, or else the scenario, sees it.
  [[nodiscard]] Result<ModelTable*> table_for(const LogicalItem& step);
  [[nodiscard]] std::vector<Model> models() const;

  /// What `save` and `save_cursor` have kept.
  LogicalItem variables;

 private:
  World(Store& store, Timestamp& now, KeyProvider* keys, std::string model)
      : store_(&store), now_(&now), keys_(keys), model_(std::move(model)) {}

  Store* store_;
  Timestamp* now_;
  KeyProvider* keys_;
  std::string model_;
  std::map<std::string, ModelTable, std::less<>> tables_;
};

/// Why a step failed, in the words that all implementations share.
struct Failure {
  /// The name of the error, and further names that it goes by.
  std::vector<std::string> names;
  std::string message;
  /// Of a transaction.
  std::optional<std::size_t> failed_action = std::nullopt;

  static Failure of(const Error& error);
};

/// What came of a step.
struct Outcome {
  std::optional<Failure> failure = std::nullopt;
  /// Why the implementation cannot do such a step at all.
  std::optional<std::string> unsupported = std::nullopt;
  /// The item that the step was about; empty when it was about many.
  LogicalItem key = {};
  /// What a step that reads one item returned; nothing when there was none, or for other steps.
  std::optional<LogicalItem> item = std::nullopt;
  /// What a step that reads many returned.
  std::vector<LogicalItem> items = {};
  /// Of a step that only counts.
  std::optional<std::int64_t> count = std::nullopt;
  std::string cursor = {};
};

}  // namespace dolmen::scenario
