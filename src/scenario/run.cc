#include "scenario/run.h"

#include <algorithm>
#include <fmt/format.h>

#include "base/clock.h"
#include "base/fail.h"
#include "scenario/fields.h"
#include "scenario/step.h"

namespace dolmen::scenario {

namespace {

constexpr std::int32_t kStepNanoseconds = 1'000'000;

void advance(Timestamp& now) {
  now.nanoseconds += kStepNanoseconds;
  now.seconds += now.nanoseconds / 1'000'000'000;
  now.nanoseconds %= 1'000'000'000;
}

Result<void> drop(ModelTable& table, const WaitOptions& wait) {
  Result<void> dropped = table.delete_table(wait);
  if (!dropped && dropped.error().code() == Code::kTableNotFound) return {};
  return dropped;
}

Result<void> run_steps(const Scenario& scenario, World& world) {
  for (std::size_t i = 0; i < scenario.steps.size(); ++i) {
    const LogicalItem& step = scenario.steps[i];
    advance(world.now);
    const Result<void> done = [&]() -> Result<void> {
      DOLMEN_TRY(const LogicalItem expect, map_of(step, "expect"));
      DOLMEN_TRY(const Outcome outcome, carry_out(step, world));
      return check(expect, outcome, world);
    }();
    if (!done)
      return fail(Code::kInvalidArgument, "step {} ({}): {}", i + 1, text_of(step, "op").value_or("no op"),
                  done.error().message());
  }
  return {};
}

Result<void> run_scenario(const Scenario& scenario, const std::vector<Model>& models, Store& store) {
  const auto model = std::ranges::find(models, scenario.model, &Model::name);
  if (model == models.end()) return fail(Code::kInvalidArgument, "no file declares the model {}", scenario.model);
  const std::unique_ptr<KeyProvider> keys = deterministic_keys("dolmen contract");
  Timestamp now = Timestamp::from(system_clock().now());
  DOLMEN_TRY(ModelTable table,
             ModelTable::open(store, *model, {.table = scenario.table, .keys = keys.get(), .now = [&] {
                                                return now.to_time_point();
                                              }}));
  const WaitOptions wait{.interval = std::chrono::milliseconds(100), .timeout = std::chrono::milliseconds(60'000)};
  DOLMEN_TRY_VOID(drop(table, wait));
  DOLMEN_TRY_VOID(table.create_table(wait));
  World world{.store = store, .table = table, .now = now};
  Result<void> result = run_steps(scenario, world);
  const Result<void> dropped = drop(table, wait);
  return result ? dropped : result;
}

}  // namespace

Verdict run(const Scenario& scenario, const std::vector<Model>& models, Store& store) {
  const Result<void> result = run_scenario(scenario, models, store);
  return {.passed = result.has_value(), .why = result ? "" : result.error().message()};
}

}  // namespace dolmen::scenario
