// Items of a model, one step at a time, for tests in other languages that look at the same table.
//
//     model_client STORE MODELS MODEL TABLE
//
// Reads steps of scenarios (docs/models.md) as JSON, one per line, and answers each with one line of JSON: {"error"} or
// {"items", "cursor"}. Times are the machine's; encrypted attributes have the deterministic keys of the seed "dolmen
// contract".
#include <cstdio>
#include <fmt/format.h>
#include <iostream>

#include "base/base64.h"
#include "base/clock.h"
#include "base/fail.h"
#include "dolmen/open.h"
#include "scenario/driver.h"
#include "scenario/fields.h"

namespace dolmen::scenario {
namespace {

/// What JSON can say: bytes are base64.
LogicalValue printable(const LogicalValue& value) {
  if (const Bytes* bytes = value.get_if<Bytes>()) return encode_base64(bytes->view());
  if (const auto* list = value.get_if<LogicalValue::List>()) {
    LogicalValue::List elements;
    for (const LogicalValue& element : *list) elements.push_back(printable(element));
    return elements;
  }
  if (const LogicalItem* map = value.get_if<LogicalItem>()) {
    LogicalItem members;
    for (const auto& [name, member] : *map) members.emplace(name, printable(member));
    return members;
  }
  return value;
}

Result<LogicalItem> answer(const std::string& line, World& world) {
  DOLMEN_TRY(const LogicalValue parsed, parse_json(line));
  const LogicalItem* map = parsed.get_if<LogicalItem>();
  if (map == nullptr) return fail(Code::kInvalidArgument, "a step must be a map");
  world.now() = Timestamp::from(system_clock().now());
  DOLMEN_TRY(const Outcome outcome, OwnDriver().carry_out(*map, world));
  if (outcome.failure)
    return LogicalItem{{"error", outcome.failure->names.front()}, {"message", outcome.failure->message}};
  LogicalValue::List items;
  if (outcome.item) items.push_back(printable(*outcome.item));
  for (const LogicalItem& item : outcome.items) items.push_back(printable(item));
  return LogicalItem{{"items", std::move(items)}, {"cursor", outcome.cursor}};
}

Result<void> serve(const char* address, const char* models, const char* model, const char* table_name) {
  DOLMEN_TRY(const std::unique_ptr<Store> store, open(address));
  DOLMEN_TRY(const ModelSet set, load_models(models));
  if (set.find(model) == nullptr) return fail(Code::kInvalidArgument, "there is no model {}", model);
  const std::unique_ptr<KeyProvider> keys = deterministic_keys("dolmen contract");
  Timestamp now;
  const Scenario scenario{.model = model, .table = table_name};
  DOLMEN_TRY(World world, World::open(scenario, set.models, *store, now, keys.get()));
  DOLMEN_TRY(ModelTable* const table, world.table_for({}));
  DOLMEN_TRY_VOID(table->ensure_table());
  for (std::string line; std::getline(std::cin, line);) {
    Result<LogicalItem> said = answer(line, world);
    if (!said) said = LogicalItem{{"error", "mistake"}, {"message", said.error().message()}};
    DOLMEN_TRY(const std::string text, canonical_json(*said));
    fmt::print("{}\n", text);
    std::fflush(stdout);
  }
  return {};
}

}  // namespace
}  // namespace dolmen::scenario

int main(int argc, char** argv) {
  if (argc != 5) {
    std::fprintf(stderr, "usage: model_client STORE MODELS MODEL TABLE\n");
    return 2;
  }
  const auto served = dolmen::scenario::serve(argv[1], argv[2], argv[3], argv[4]);
  if (served) return 0;
  std::fprintf(stderr, "model_client: %s\n", served.error().message().c_str());
  return 1;
}
