#include "scenario/run.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <memory>
#include <optional>
#include <utility>

#include "base/clock.h"
#include "base/fail.h"
#include "dolmen/model/shared_tables.h"
#include "scenario/expect.h"
#include "scenario/fields.h"

namespace dolmen::scenario {

namespace {

constexpr std::int64_t kSleepMsMax = 24LL * 60 * 60 * 1000;
constexpr std::int64_t kStepMs = 1;

void advance(Timestamp& now, std::int64_t ms) {
  now.seconds += ms / 1000;
  now.nanoseconds += static_cast<std::int32_t>(ms % 1000) * 1'000'000;
  now.seconds += now.nanoseconds / 1'000'000'000;
  now.nanoseconds %= 1'000'000'000;
}

Result<void> sleep(const LogicalItem& step, World& world) {
  DOLMEN_TRY(const std::int64_t ms, integer_of(step, "ms"));
  if (ms < 0 || ms > kSleepMsMax) return fail(Code::kInvalidArgument, "ms must be from 0 to {}", kSleepMsMax);
  advance(world.now(), ms);
  return check(step, Outcome{}, world);
}

Result<void> run_step(const LogicalItem& step, Driver& driver, World& world) {
  advance(world.now(), kStepMs);
  DOLMEN_TRY(const std::string op, text_of(step, "op"));
  if (op == "sleep") return sleep(step, world);
  DOLMEN_TRY(const Outcome outcome, driver.carry_out(step, world));
  if (outcome.unsupported) return fail(Code::kUnsupported, "{}", *outcome.unsupported);
  DOLMEN_TRY_VOID(save_variables(step, outcome, world));
  return check(step, outcome, world);
}

Result<void> run_steps(std::string_view word, const std::vector<LogicalItem>& steps, Driver& driver, World& world) {
  for (std::size_t i = 0; i < steps.size(); ++i)
    if (const Result<void> done = run_step(steps[i], driver, world); !done)
      return fail(done.error().code() == Code::kUnsupported ? Code::kUnsupported : Code::kInvalidArgument,
                  "{} {} ({}): {}", word, i + 1, text_of(steps[i], "op").value_or("no op"), done.error().message());
  return {};
}

WaitOptions patience() {
  return {.interval = std::chrono::milliseconds(100), .timeout = std::chrono::milliseconds(60'000)};
}

Result<void> drop(Store& store, const std::string& table) {
  DOLMEN_TRY_VOID(store.delete_table(table));
  return wait_until_deleted(store, table, patience());
}

/// What a new table at an endpoint needs until it can be used.
Result<void> complete_table(Store& store, const std::string& table, const std::optional<std::string>& ttl) {
  DOLMEN_TRY_VOID(wait_until_active(store, table, patience()));
  if (ttl) DOLMEN_TRY_VOID(store.update_time_to_live(table, {.attribute = *ttl, .enabled = true}));
  return {};
}

/// Makes the table, or leaves none. One that is there already belongs to somebody.
Result<void> make_table(const World& world, bool drop_existing) {
  DOLMEN_TRY(TableDefinition definition, shared_definition(world.models(), world.table_name()));
  const std::optional<std::string> ttl = std::exchange(definition.ttl, std::nullopt);
  Result<TableDescription> made = world.store().create_table(definition);
  if (!made && made.error().code() == Code::kTableExists) {
    if (!drop_existing)
      return fail(Code::kInvalidArgument,
                  "table {} exists and was not made by this run, so it was left alone; drop it, or allow that with "
                  "--drop-tables",
                  world.table_name());
    DOLMEN_TRY_VOID(drop(world.store(), world.table_name()));
    made = world.store().create_table(definition);
  }
  if (!made) return std::unexpected(made.error());
  const Result<void> complete = complete_table(world.store(), world.table_name(), ttl);
  if (!complete) static_cast<void>(drop(world.store(), world.table_name()));
  return complete;
}

Result<void> run_in(World& world, const Scenario& scenario, const RunOptions& options) {
  if (!scenario.seed_steps.empty()) {
    Driver& seeding = options.seed_driver == nullptr ? *options.driver : *options.seed_driver;
    DOLMEN_TRY_VOID(seeding.begin(scenario, world));
    DOLMEN_TRY_VOID(run_steps("seed step", scenario.seed_steps, seeding, world));
  }
  DOLMEN_TRY_VOID(options.driver->begin(scenario, world));
  return run_steps("step", scenario.steps, *options.driver, world);
}

Result<void> check_capabilities(const Scenario& scenario, const Driver& driver) {
  std::vector<std::string> missing;
  for (const std::string& name : scenario.capabilities)
    if (std::ranges::find(driver.capabilities(), name) == driver.capabilities().end()) missing.push_back(name);
  if (missing.empty()) return {};
  return fail(Code::kUnsupported, "it requires {}", fmt::join(missing, ", "));
}

Result<void> run_scenario(const Scenario& scenario, const std::vector<Model>& models, Store& store,
                          const RunOptions& options) {
  DOLMEN_TRY_VOID(check_capabilities(scenario, *options.driver));
  const std::unique_ptr<KeyProvider> keys = scenario.key_seed ? deterministic_keys(*scenario.key_seed) : nullptr;
  Timestamp now = Timestamp::from(system_clock().now());
  DOLMEN_TRY(World world, World::open(scenario, models, store, now, keys.get()));
  // A store that cannot make the table is no reason to skip the scenario.
  if (const Result<void> made = make_table(world, options.drop_existing); !made)
    return fail(Code::kInvalidArgument, "{}", made.error().message());
  Result<void> result = run_in(world, scenario, options);
  const Result<void> dropped = drop(store, world.table_name());
  return result ? dropped : result;
}

}  // namespace

Verdict run(const Scenario& scenario, const std::vector<Model>& models, Store& store, const RunOptions& options) {
  const Result<void> result = run_scenario(scenario, models, store, options);
  if (result) return {.kind = Verdict::Kind::kPassed, .why = ""};
  const bool skipped = result.error().code() == Code::kUnsupported;
  return {.kind = skipped ? Verdict::Kind::kSkipped : Verdict::Kind::kFailed, .why = result.error().message()};
}

}  // namespace dolmen::scenario
