#include "cli/entity.h"

#include <CLI/CLI.hpp>
#include <cmath>
#include <cstdio>
#include <fmt/format.h>
#include <memory>
#include <string>
#include <vector>

#include "base/cpp_text.h"
#include "cli/check_files.h"
#include "cli/print_error.h"
#include "cli/print_json.h"
#include "cli/write_file.h"
#include "config/read.h"
#include "entity/generate.h"
#include "entity/loader.h"
#include "entity/plan.h"

namespace dolmen::cli {

namespace {

using entity::LoadedConfig;
using entity::Plan;
using entity::PlanPeriod;

struct EntityFlags {
  std::vector<std::string> files;
  bool json = false;
  bool loose = false;
  std::string output;
  std::string namespace_name = "entities";
  std::string svg;
  entity::PlanRequest plan;

  [[nodiscard]] EntityOptions options() const { return {.strict = !loose}; }
};

LoadedConfig load(const std::string& file, const EntityOptions& options) {
  const Result<std::string> text = config::read_file(file);
  if (text) return entity::read_config(*text, file, options);
  return {.config = {}, .problems = {{{}, "", "file", text.error().message()}}};
}

int report(const Error& error) {
  print_error(error);
  return 1;
}

// ---- check ----

int check_into(std::FILE* output, const EntityFlags& flags) {
  std::size_t entities = 0;
  std::vector<CheckedFile> checked;
  for (const std::string& file : flags.files) {
    LoadedConfig loaded = load(file, flags.options());
    entities += loaded.config.entities.size();
    checked.push_back({file, std::move(loaded.problems)});
  }
  return report_check(
      checked,
      {.json = flags.json, .output = output, .shows_paths = true, .content = counted(entities, "entity", "entities")});
}

int check(const EntityFlags& flags) { return check_into(stdout, flags); }

// ---- generate ----

int generate(const EntityFlags& flags) {
  const LoadedConfig loaded = load(flags.files.front(), flags.options());
  if (!loaded.problems.empty()) return check_into(stderr, flags);
  const Result<std::string> header = entity::generate_header(loaded.config, flags.namespace_name, flags.files.front());
  if (!header) return report(header.error());
  if (!flags.output.empty())
    if (const Result<void> written = write_file(flags.output, *header); !written) return report(written.error());
  if (flags.json) {
    LogicalItem made{{"file", flags.files.front()}, {"header", *header}};
    if (!flags.output.empty()) made.emplace("output", flags.output);
    return print_json(std::move(made)) ? 0 : 1;
  }
  if (flags.output.empty()) fmt::print("{}", *header);
  return 0;
}

// ---- plan ----

LogicalValue describe(const Plan& plan) {
  LogicalValue::List periods;
  for (const PlanPeriod& period : plan.periods) {
    LogicalValue::List deciles;
    for (const std::uint64_t items : period.deciles) deciles.emplace_back(items);
    periods.push_back(LogicalItem{{"since", period.bump.timestamp},
                                  {"until", period.until},
                                  {"charBits", period.bump.char_bits},
                                  {"chars", period.bump.chars},
                                  {"shards", period.shards},
                                  {"items", period.items},
                                  {"hashed", period.hashed},
                                  {"expectedPerShard", period.expected},
                                  {"fewest", period.fewest},
                                  {"most", period.most},
                                  {"skew", period.skew},
                                  {"deciles", std::move(deciles)},
                                  {"largestBytes", period.largest_bytes},
                                  {"writesPerSecondMax", period.writes_per_second_max},
                                  {"queryShards", period.query_shards},
                                  {"queryUnits", period.query_units},
                                  {"hot", period.hot},
                                  {"large", period.large}});
  }
  return LogicalItem{{"entity", plan.entity},
                     {"items", plan.items},
                     {"from", plan.from},
                     {"until", plan.until},
                     {"periods", std::move(periods)}};
}

void print(const Plan& plan) {
  fmt::print("{}: {} items made from {} until {}\n", plan.entity, plan.items, plan.from, plan.until);
  fmt::print("{:>15} {:>9} {:>13} {:>13} {:>13} {:>13} {:>6} {:>10} {:>11} {:>12} {:>11}\n", "since", "shards", "items",
             "per shard", "fewest", "most", "skew", "largest MB", "writes/s", "query shards", "query units");
  for (const PlanPeriod& period : plan.periods)
    fmt::print("{:>15} {:>9} {:>13} {:>13.1f} {:>13} {:>13} {:>6.2f} {:>10.1f} {:>11.1f} {:>12} {:>11.1f}{}{}\n",
               period.bump.timestamp, period.shards, period.items, period.expected, period.fewest, period.most,
               period.skew, static_cast<double>(period.largest_bytes) / 1048576, period.writes_per_second_max,
               period.query_shards, period.query_units, period.hot ? "  HOT" : "", period.large ? "  LARGE" : "");
}

int plan(const EntityFlags& flags) {
  const LoadedConfig loaded = load(flags.files.front(), flags.options());
  if (!loaded.problems.empty()) return check_into(stderr, flags);
  std::vector<std::string> names;
  for (const EntityDefinition& definition : loaded.config.entities)
    if (flags.plan.entity.empty()) names.push_back(definition.name);
  if (!flags.plan.entity.empty()) names.push_back(flags.plan.entity);
  if (!flags.svg.empty() && names.size() != 1)
    return report(Error(Code::kInvalidArgument, "--svg draws one entity; name it with --entity"));
  LogicalValue::List plans;
  for (const std::string& name : names) {
    entity::PlanRequest request = flags.plan;
    request.entity = name;
    const Result<Plan> made = entity::make_plan(loaded.config, request);
    if (!made) return report(made.error());
    if (!flags.svg.empty())
      if (const Result<void> written = write_file(flags.svg, entity::plan_svg(*made)); !written)
        return report(written.error());
    if (flags.json) {
      plans.push_back(describe(*made));
    } else {
      print(*made);
    }
  }
  if (flags.json && !print_json(LogicalItem{{"plans", std::move(plans)}})) return 1;
  return 0;
}

std::string check_rate(const std::string& text) {
  double rate = 0;
  const bool is_number = CLI::detail::lexical_cast(text, rate) && std::isfinite(rate);
  return is_number && rate >= 0 ? "" : fmt::format("{} is not a number from 0 on", text);
}

void add_plan_options(CLI::App& action, EntityFlags& flags) {
  action.add_option("--entity", flags.plan.entity, "Only this entity");
  action.add_option("--items", flags.plan.items, "Items that are made at a steady pace; up to 10^12")
      ->check(CLI::Range(std::uint64_t{0}, entity::kPlanItemsMax));
  action.add_option_function<std::int64_t>(
      "--from", [&flags](std::int64_t time) { flags.plan.from = time; }, "Timestamp of the first item");
  action.add_option_function<std::int64_t>(
      "--until", [&flags](std::int64_t time) { flags.plan.until = time; }, "Timestamp of the last item");
  action.add_option("--item-bytes", flags.plan.item_bytes, "Size of an item")->check(CLI::Range(1, 400 * 1024));
  action.add_option("--writes-per-second", flags.plan.writes_per_second, "Writes to the entity in the busiest second")
      ->check(check_rate);
  action.add_option("--hashed", flags.plan.hashed_max, "Ids that are really hashed for each bump; more are drawn");
  action.add_option("--seed", flags.plan.seed, "Seed of the ids");
  action.add_flag("--legacy-modulus", flags.plan.legacy_modulus,
                  "Shards as version 6 of the JavaScript package has them");
  action.add_option("--svg", flags.svg, "Draw a picture into this file");
}

}  // namespace

void add_entity(CLI::App& app, int& exit_code) {
  CLI::App* verb = app.add_subcommand("entity", "Check configs of entities, plan their shards, generate constants");
  verb->require_subcommand(1);
  const auto add = [&](const char* name, const char* help, int most, int (*run)(const EntityFlags&)) {
    auto flags = std::make_shared<EntityFlags>();
    CLI::App* action = verb->add_subcommand(name, help);
    action->add_option("FILE", flags->files, "Config of entities, in YAML or JSON")->required()->expected(1, most);
    action->add_flag("--json", flags->json, "Print JSON");
    action->add_flag("--loose", flags->loose, "Allow names that keys cannot be read back with");
    action->callback([flags, run, &exit_code] { exit_code = run(*flags); });
    return std::pair(action, flags);
  };
  add("check", "Say everything that is wrong with configs of entities", 10'000, check);
  const auto [generate_action, generate_flags] =
      add("generate", "Write a C++ header with a constant for every name of a config", 1, generate);
  generate_action->add_option("--output", generate_flags->output, "File to write; standard output without it");
  generate_action->add_option("--namespace", generate_flags->namespace_name, "Namespace of the constants")
      ->check([](const std::string& name) {
        return is_cpp_namespace(name) ? "" : fmt::format("\"{}\" is no namespace of C++", name);
      });
  const auto [plan_action, plan_flags] = add(
      "plan", "Simulate how many items each shard gets, and what queries cost, before and after each bump", 1, plan);
  add_plan_options(*plan_action, *plan_flags);
}

}  // namespace dolmen::cli
