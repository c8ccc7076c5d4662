// Runs a file of vectors for entities: {"configs": {name: config}, "cases": [{"id", "kind", "config", "args", "result",
// "result_spec"}, …]}. Prints every case that fails and closes with a line "N passed, N failed". Exits 0 when all
// passed, 1 when one failed or there are none, 2 when the file cannot be used.
//
// Expected is `result_spec`, and `result` where that is missing. {"ok": value} is that value; {"err": {"name": "Error",
// "message"}} an error with that message; {"err": {"issues"}} a refused config with the same set of paths; an error
// with any other name is a crash of JavaScript, and here some error with a code.

#include "entity_vectors.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <fmt/format.h>
#include <set>

#include "config/read.h"
#include "entity/loader.h"

namespace dolmen::golden {

namespace {

constexpr std::array<std::string_view, 12> kInheritedNames = {
    "constructor",      "toString",         "valueOf",          "hasOwnProperty",
    "isPrototypeOf",    "toLocaleString",   "__proto__",        "propertyIsEnumerable",
    "__defineGetter__", "__defineSetter__", "__lookupGetter__", "__lookupSetter__"};

}  // namespace

bool is_inherited_name(std::string_view name) {
  return std::ranges::find(kInheritedNames, name) != kInheritedNames.end();
}

namespace {

using config::Node;

constexpr config::ReadLimits kLimits{.bytes = 256U * 1024 * 1024, .depth = 256};

struct Configs {
  std::map<std::string, std::unique_ptr<entity::CompiledConfig>, std::less<>> by_name;
  std::vector<std::string> problems;
};

/// The configs of a file, as the package takes them: without strictness.
Configs load_configs(const Node& root) {
  Configs configs;
  const Node* nodes = root.find("configs");
  if (nodes == nullptr) return configs;
  for (const Node::Entry& entry : nodes->entries) {
    EntityOptions options{.strict = false, .read_raw_elements = false};
    entity::LoadedConfig loaded = entity::config_of(plain_config(entry.value, options), options);
    for (const config::Problem& problem : loaded.problems)
      configs.problems.push_back(fmt::format("config {}: {}: {}", entry.name, problem.path, problem.message));
    if (!loaded.problems.empty()) continue;
    auto compiled = std::make_unique<entity::CompiledConfig>(std::move(loaded.config), options);
    for (const std::string_view name : kInheritedNames)
      compiled->add_entity(
          {.name = std::string(name), .timestamp_property = {}, .unique_property = {}, .shard_bumps = {ShardBump{}}});
    configs.by_name[entry.name] = std::move(compiled);
  }
  return configs;
}

std::string path_text(const Node& path) {
  std::string text;
  for (const Node& step : path.elements)
    text = step.kind == Node::Kind::kNumber ? config::child_path(text, static_cast<std::size_t>(std::stoul(step.text)))
                                            : config::child_path(text, step.text);
  return text;
}

bool has_paths(const Node& issues, const Error& error) {
  std::set<std::string> wanted;
  for (const Node& issue : issues.elements) wanted.insert(path_text(*issue.find("path")));
  std::set<std::string> found;
  for (const ErrorDetail& detail : error.details()) found.insert(detail.path);
  return wanted == found;
}

bool is_expected(const Node& wanted, const Error& error) {
  if (const Node* issues = wanted.find("issues")) return has_paths(*issues, error);
  const Node* name = wanted.find("name");
  if (name == nullptr || name->text == "Error") return wanted.find("message")->text == error.message();
  if (name->text.starts_with("AggregateError"))
    return error.code() == Code::kShardQueriesFailed &&
           wanted.find("message")->text == fmt::format("AggregateError with {} errors", error.details().size());
  return true;
}

std::string show(const Error& error) {
  std::string text = fmt::format("error \"{}\"", error.message());
  for (const ErrorDetail& detail : error.details()) text += fmt::format("\n    {}: {}", detail.path, detail.message);
  return text;
}

/// What was found instead, or nothing.
std::optional<std::string> difference(const Node& wanted, const Result<JsValue>& found) {
  if (const Node* error = wanted.find("err")) {
    if (!found && is_expected(*error, found.error())) return std::nullopt;
    return found ? found->show() : show(found.error());
  }
  if (!found) return show(found.error());
  if (*found == JsValue::of(*wanted.find("ok"))) return std::nullopt;
  return found->show();
}

std::string text_at(const Node& node, std::string_view name) {
  const Node* found = node.find(name);
  return found == nullptr ? "" : found->text;
}

/// What went wrong with a case, or nothing.
std::optional<std::string> run(const Node& node, const EntityKinds& kinds, const Configs& configs) {
  const auto kind = kinds.find(text_at(node, "kind"));
  if (kind == kinds.end()) return "a kind that is not known";
  const Node* wanted = node.find("result_spec");
  if (wanted == nullptr) wanted = node.find("result");
  const Node* args = node.find("args");
  if (wanted == nullptr || args == nullptr) return "a case without a result or without args";
  const auto config = configs.by_name.find(text_at(node, "config"));
  const bool needs_config = node.find("config") != nullptr;
  if (needs_config && config == configs.by_name.end()) return "a config that the file does not have, or a wrong one";
  const EntityCase entity_case{
      .node = node, .config = needs_config ? config->second.get() : nullptr, .args = JsValue::of(*args)};
  return difference(*wanted, kind->second(entity_case));
}

int run_file(const std::string& file) {
  const Result<std::string> text = config::read_file(file, kLimits);
  if (!text) {
    fmt::print(stderr, "{}\n", text.error().message());
    return 2;
  }
  const config::Reading reading = config::read_json(*text, kLimits);
  const Node* cases = reading.root ? reading.root->find("cases") : nullptr;
  if (!reading.problems.empty() || cases == nullptr) {
    fmt::print(stderr, "{}: {}\n", file, reading.problems.empty() ? "there are no cases" : reading.problems[0].message);
    return 2;
  }
  EntityKinds kinds;
  add_text_kinds(kinds);
  add_key_kinds(kinds);
  add_index_kinds(kinds);
  add_query_kinds(kinds);
  const Configs configs = load_configs(*reading.root);
  for (const std::string& problem : configs.problems) fmt::print("{}\n", problem);
  std::size_t passed = 0;
  std::size_t failed = 0;
  for (const Node& node : cases->elements) {
    const std::optional<std::string> found = run(node, kinds, configs);
    if (!found) {
      ++passed;
      continue;
    }
    ++failed;
    fmt::print("FAILED {} ({}): {}\n", text_at(node, "id"), text_at(node, "kind"), found->substr(0, 1000));
  }
  fmt::print("{} passed, {} failed\n", passed, failed);
  return failed > 0 || passed == 0 ? 1 : 0;
}

}  // namespace
}  // namespace dolmen::golden

int main(int argc, char** argv) {
  if (argc != 2) {
    fmt::print(stderr, "usage: entity_vectors FILE\n");
    return 2;
  }
  return dolmen::golden::run_file(argv[1]);
}
