#include "cli/entity.h"

#include <cstdio>
#include <fmt/format.h>
#include <memory>
#include <string>
#include <vector>

#include "base/fail.h"
#include "cli/check_files.h"
#include "cli/code_output.h"
#include "cli/entity_store.h"
#include "cli/print_error.h"
#include "cli/print_json.h"
#include "cli/write_file.h"
#include "config/read.h"
#include "entity/loader.h"
#include "entity/plan.h"
#include "generate/cpp_text.h"
#include "generate/entities.h"

namespace dolmen::cli {

namespace {

using entity::LoadedConfig;
using entity::Plan;
using entity::PlanPeriod;

struct EntityFlags {
  std::vector<std::string> files;
  bool json = false;
  bool loose = false;
  CodeFlags code;
  std::string namespace_name;
  std::string svg;
  entity::PlanRequest plan;

  [[nodiscard]] EntityOptions options() const { return {.strict = !loose}; }
};

LoadedConfig load(const std::string& file, const EntityOptions& options) {
  const Result<std::string> text = config::read_file(file);
  if (text) return entity::read_config(*text, file, options);
  return {.config = {}, .problems = {{{}, "", "file", text.error().message()}}};
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

Result<int> put_names(const EntityFlags& flags, const EntityConfig& config) {
  const std::string& file = flags.files.front();
  const CodeFlags& code = flags.code;
  const bool is_cpp = code.chosen() == generate::Language::kCpp;
  DOLMEN_TRY_VOID(check_code_flags(code, 1));
  DOLMEN_TRY(const std::string text, config::read_file(file));
  generate::ModelCodeOptions options{.source = generate::source_of(file, text),
                                     .namespace_name = code_namespace(code, flags.namespace_name)};
  if (is_cpp) {
    if (options.namespace_name.empty()) options.namespace_name = "entities";
    if (!generate::is_cpp_namespace(options.namespace_name))
      return fail(Code::kInvalidArgument, "--namespace: \"{}\" is not a C++ namespace", options.namespace_name);
    // The header names the file as it was given.
    options.source.file_name = file;
  }
  DOLMEN_TRY(std::string names, generate::generate_entities(code.chosen(), config, options));
  std::vector<CodeOfFile> codes(1);
  codes[0] = {.file = file, .text = std::move(names), .report = {}, .content = "names"};
  return put_code(code, codes, {});
}

int generate_names(const EntityFlags& given) {
  EntityFlags flags = given;
  flags.json = given.code.json;
  const LoadedConfig loaded = load(flags.files.front(), flags.options());
  if (!loaded.problems.empty()) return check_into(stderr, flags);
  const Result<int> done = put_names(flags, loaded.config);
  return done ? *done : report(done.error(), flags.json);
}

// ---- plan ----

LogicalItem describe(const PlanPeriod& period) {
  LogicalItem item;
  item["since"] = period.bump.timestamp;
  item["until"] = period.until;
  item["charBits"] = period.bump.char_bits;
  item["chars"] = period.bump.chars;
  item["shards"] = period.shards;
  item["items"] = period.items;
  item["hashed"] = period.hashed;
  item["expectedPerShard"] = period.expected;
  item["fewest"] = period.fewest;
  item["most"] = period.most;
  item["skew"] = period.skew;
  item["largestBytes"] = period.largest_bytes;
  item["writesPerSecondMax"] = period.writes_per_second_max;
  item["queryShards"] = period.query_shards;
  item["queryUnits"] = period.query_units;
  item["hot"] = period.hot;
  item["large"] = period.large;
  LogicalValue::List deciles;
  for (const std::uint64_t items : period.deciles) deciles.emplace_back(items);
  item["deciles"] = std::move(deciles);
  return item;
}

LogicalItem describe(const Plan& plan) {
  LogicalValue::List periods;
  for (const PlanPeriod& period : plan.periods) periods.emplace_back(describe(period));
  return {{"entity", plan.entity},
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
    return report(Error(Code::kInvalidArgument, "--svg draws one entity; name it with --entity"), flags.json);
  LogicalValue::List plans;
  for (const std::string& name : names) {
    entity::PlanRequest request = flags.plan;
    request.entity = name;
    const Result<Plan> made = entity::make_plan(loaded.config, request);
    if (!made) return report(made.error(), flags.json);
    if (!flags.svg.empty())
      if (const Result<void> written = write_file(flags.svg, entity::plan_svg(*made)); !written)
        return report(written.error(), flags.json);
    if (flags.json) {
      plans.emplace_back(describe(*made));
    } else {
      print(*made);
    }
  }
  if (flags.json && !print_json(LogicalItem{{"plans", std::move(plans)}})) return 1;
  return 0;
}

void add_plan_options(const Verb& verb, EntityFlags& flags) {
  verb.text("--entity", flags.plan.entity, "Plan only this entity").shown_as("NAME");
  verb.number("--items", flags.plan.items, "Items that are created at a steady pace, up to 10^12",
              {0, entity::kPlanItemsMax});
  verb.number("--from", flags.plan.from, "Timestamp of the first item");
  verb.number("--until", flags.plan.until, "Timestamp of the last item");
  verb.number("--item-bytes", flags.plan.item_bytes, "Size of an item", {1, 400 * 1024});
  verb.number("--writes-per-second", flags.plan.writes_per_second, "Writes to the entity in the busiest second",
              {.smallest = 0});
  verb.number("--hashed", flags.plan.hashed_max, "Ids that are hashed for each bump; the others are drawn at random");
  verb.number("--seed", flags.plan.seed, "Seed of the ids");
  verb.flag("--legacy-modulus", flags.plan.legacy_modulus, "Choose shards as version 6 of the JavaScript package does");
  verb.text("--svg", flags.svg, "Draw a picture into this file").shown_as("FILE");
}

}  // namespace

void add_entity(const Verb& program) {
  const Verb verb = program.verb("entity", "Entities of a config in a table: check, plan, read, write, query, migrate");
  const auto add = [&](const char* name, const char* help, int (*run)(const EntityFlags&), bool has_json = true) {
    auto flags = std::make_shared<EntityFlags>();
    const Verb added = verb.verb(name, help);
    if (has_json) added.flag("--json", flags->json, "Print JSON");
    added.flag("--loose", flags->loose, "Allow names with which keys cannot be read back");
    added.runs([flags, run] { return run(*flags); });
    return std::pair(added, flags);
  };
  constexpr const char* kFile = "Entity config, in YAML or JSON";
  const auto [checking, check_flags] = add("check", "Show everything that is wrong with entity configs", check);
  checking.arguments("FILE", check_flags->files, kFile).required();
  const auto [generating, generate_flags] =
      add("generate", "Write a constant for every name in a config as source code", generate_names, false);
  generating.text("FILE", generate_flags->files.emplace_back(), kFile).required();
  add_code_flags(generating, generate_flags->code);
  generating
      .text("--namespace", generate_flags->namespace_name,
            "C++: namespace of the constants, entities without this option. Go: name of the package; that of the "
            "folder without this option")
      .shown_as("NAME")
      .not_empty();
  const auto [planning, plan_flags] =
      add("plan", "Simulate how many items each shard gets, and what queries cost, before and after each bump", plan);
  planning.text("FILE", plan_flags->files.emplace_back(), kFile).required();
  add_plan_options(planning, *plan_flags);
  add_entity_store(verb);
}

}  // namespace dolmen::cli
