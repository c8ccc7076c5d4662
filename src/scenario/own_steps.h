#pragma once

#include "scenario/world.h"

/// The steps that OwnDriver carries out, by what they are about.
namespace dolmen::scenario {

/// What cannot be said at all because of a wrong operator or value is an outcome, not a mistake of the scenario.
inline bool is_outcome(const Error& error) { return error.code() != Code::kInvalidArgument; }

template <class T>
std::optional<Failure> failure_of(const Result<T>& result) {
  return result ? std::nullopt : std::optional(Failure::of(result.error()));
}

using OwnStep = Result<Outcome> (*)(const LogicalItem& step, World& world);

Result<Outcome> query_items(const LogicalItem& step, World& world);
Result<Outcome> scan_items(const LogicalItem& step, World& world);
Result<Outcome> count_items(const LogicalItem& step, World& world);
Result<Outcome> get_batch(const LogicalItem& step, World& world);
Result<Outcome> write_batch(const LogicalItem& step, World& world);
Result<Outcome> get_transaction(const LogicalItem& step, World& world);
Result<Outcome> write_transaction(const LogicalItem& step, World& world);
/// A check of one item, which is a transaction as well.
Result<Outcome> check_item(const LogicalItem& step, World& world);

Result<ChangeOptions> change_options(const LogicalItem& step, const Model& model);
Result<ModelRemoveOptions> remove_options(const LogicalItem& step, const Model& model);

}  // namespace dolmen::scenario
