#include "contract_steps.h"

#include <algorithm>
#include <fmt/format.h>

#include "base/fail.h"
#include "contract/contracts.h"
#include "service/wait.h"
#include "value/encoded_item.h"

namespace dolmen::torture {
namespace {

using contract::Mode;

const std::string kTable = "notes";
constexpr int kKeys = 6;
constexpr int kVersions = 4;
/// How a contract is bound; `accept` is enforced, whatever is stored. Not as a warning, which would be all to be read.
constexpr const char* kWays[] = {"enforce", "enforce", "accept", "off"};

/// "S" or "N".
std::string type_wanted(const std::string& version) { return (version.back() - '0') % 2 == 1 ? "S" : "N"; }
std::string type_of(const std::string& value) { return value.substr(0, 1); }
std::string mode_of(const std::string& way) { return way == "accept" ? "enforce" : way; }

contract::Definition definition_of(const std::string& version) {
  std::string model = fmt::format(R"({{"dms_version":"0.1","models":[{{"name":"Note","table":{{"name":"{}"}},)"
                                  R"("keys":{{"partition":{{"attribute":"pk","type":"S"}}}},"attributes":[)"
                                  R"({{"attribute":"pk","type":"S","required":true}},)"
                                  R"({{"attribute":"value","type":"{}","required":true}}]}}]}})",
                                  kTable, type_wanted(version));
  return {
      .models = {{.name = "notes.json", .text = std::move(model)}}, .schemas = {}, .discriminator = {}, .kinds = {}};
}

Result<void> put(const Step& step, Store& store) {
  const std::string text = step.text.substr(1);
  const AttributeValue value =
      type_of(step.text) == "S" ? AttributeValue(text) : AttributeValue(Number::parse(text).value());
  WriteRequest request{
      .kind = WriteKind::kPut, .table = kTable, .item = encode_item({{"pk", step.name}, {"value", value}})};
  const auto written = call<PutItem>(store.service(), std::move(request));
  if (!written) return std::unexpected(written.error());
  return {};
}

Result<void> bind(const Step& step, Store& store) {
  const auto bound = contract::Contracts(store).bind({.table = kTable,
                                                      .version = step.ref.version,
                                                      .mode = contract::mode_of(mode_of(step.text)).value(),
                                                      .definition = definition_of(step.ref.version),
                                                      .accept_violations = step.text == "accept"});
  if (!bound) return std::unexpected(bound.error());
  return {};
}

Result<void> unbind(Store& store) {
  DOLMEN_TRY(const bool was_bound, contract::Contracts(store).unbind(kTable));
  if (!was_bound) return fail(Code::kValidation, "it was not bound");
  return {};
}

Result<void> carry_out_once(const Step& step, Store& store) {
  switch (step.kind) {
    case Step::Kind::kPut: return put(step, store);
    case Step::Kind::kBind: return bind(step, store);
    default: return unbind(store);
  }
}

}  // namespace

bool is_contract_step(Step::Kind kind) {
  return kind == Step::Kind::kPut || kind == Step::Kind::kBind || kind == Step::Kind::kUnbind;
}

Step make_contract_step(std::mt19937_64& random) {
  const auto choice = random() % 8;
  if (choice == 0) return {.kind = Step::Kind::kUnbind, .ref = {}, .name = {}, .text = {}};
  if (choice < 3)
    return {.kind = Step::Kind::kBind,
            .ref = {kTable, fmt::format("v{}", 1 + random() % kVersions)},
            .name = {},
            .text = kWays[random() % std::size(kWays)]};
  return {.kind = Step::Kind::kPut,
          .ref = {},
          .name = fmt::format("k{}", random() % kKeys),
          .text = fmt::format("{}{}", random() % 2 == 0 ? "S" : "N", random() % 1000)};
}

Answer apply_contract_step(const Step& step, World& world) {
  const auto breaks = [&](const std::string& value, const std::string& version) {
    return type_of(value) != type_wanted(version);
  };
  if (step.kind == Step::Kind::kPut) {
    if (world.bound && world.bound->second == "enforce" && breaks(step.text, world.bound->first))
      return Answer::kRefused;
    world.items[step.name] = step.text;
    return Answer::kDone;
  }
  if (step.kind == Step::Kind::kUnbind) {
    if (!world.bound) return Answer::kRefused;
    world.bound.reset();
    return Answer::kDone;
  }
  if (step.text == "enforce" &&
      std::ranges::any_of(world.items, [&](const auto& item) { return breaks(item.second, step.ref.version); }))
    return Answer::kRefused;
  world.contracts.insert(step.ref.version);
  world.bound = {step.ref.version, mode_of(step.text)};
  return Answer::kDone;
}

void publish_only(const Step& step, World& world) {
  World after = world;
  if (step.kind == Step::Kind::kBind && apply_contract_step(step, after) == Answer::kDone)
    world.contracts = std::move(after.contracts);
}

Answer carry_out_contract_step(const Step& step, Store& store) {
  Result<void> done = carry_out_once(step, store);
  if (!done && done.error().code() == Code::kTableNotFound) {
    TableDefinition table{.name = kTable, .partition_key = {"pk", KeyType::kString}};
    const auto made = call<CreateTable>(store.service(), std::move(table));
    if (!made) return Answer::kFailed;
    done = carry_out_once(step, store);
  }
  if (done) return Answer::kDone;
  return done.error().code() == Code::kValidation ? Answer::kRefused : Answer::kFailed;
}

Result<void> look_at_table(Store& store, World& world) {
  ReadManyRequest read{.table = kTable, .consistent_read = true};
  do {
    const auto page = call<Scan>(store.service(), read);
    if (!page && page.error().code() == Code::kTableNotFound) return {};
    if (!page) return std::unexpected(page.error());
    for (const EncodedItem& encoded : page->items) {
      DOLMEN_TRY(const Item item, decode_item(encoded.bytes));
      const AttributeValue& value = item.at("value");
      world.items[item.at("pk").string()] =
          value.type() == Type::kString ? "S" + value.string() : "N" + value.number().to_string();
    }
    read.start_key = page->last_key;
  } while (read.start_key);
  DOLMEN_TRY(const contract::ContractStatus status, contract::Contracts(store).status(kTable));
  world.contracts.insert(status.versions.begin(), status.versions.end());
  if (status.active) world.bound = {status.active->version, std::string(contract::mode_name(status.active->mode))};
  return {};
}

}  // namespace dolmen::torture
