#include "contract/contracts.h"

#include <algorithm>

#include "base/check.h"
#include "base/fail.h"
#include "service/internal_tables.h"
#include "service/wait.h"
#include "value/encoded_item.h"

namespace dolmen::contract {
namespace {

constexpr std::uint32_t kPageItems = 1000;
constexpr std::size_t kExamples = 5;
/// An item of DynamoDB's holds no more than 400 KB.
constexpr std::size_t kDefinitionBytes = 350'000;
constexpr std::size_t kVersionBytes = 64;

Result<void> check_version(const std::string& version) {
  const auto is_allowed = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-' ||
           c == '.';
  };
  if (!version.empty() && version.size() <= kVersionBytes && std::ranges::all_of(version, is_allowed)) return {};
  return fail(Code::kQueryInvalid, "a version must have 1 to {} letters, digits, dots, dashes and underscores",
              kVersionBytes);
}

Result<Definition> parsed(const std::string& text) {
  Result<Definition> definition = stored_definition(text);
  if (!definition)
    return fail(Code::kCorruption, "a published contract cannot be read; restore the data from a backup");
  return definition;
}

WriteGates& gates_of(const Store& store) {
  auto* gates = store.companions().find<WriteGates>();
  DOLMEN_CHECK(gates != nullptr, "only a store in this process has contracts of its own");
  return *gates;
}

}  // namespace

Contracts::Contracts(Store& store, Warn warn)
    : service_(store.service()), gates_(gates_of(store)), rows_(service_), warn_(std::move(warn)) {}

Result<TableDescription> Contracts::describe(const std::string& table) const {
  DOLMEN_TRY_VOID(check_for_users(table));
  Result<TableDescription> found = call<DescribeTable>(service_, {.table = table});
  if (!found && found.error().code() == Code::kTableNotFound)
    return fail(Code::kTableNotFound, "Table \"{}\" does not exist", table);
  return found;
}

Result<std::optional<TableDescription>> Contracts::table_of(const ActiveRow& row) const {
  Result<TableDescription> table = describe(row.table);
  if (!table && table.error().code() != Code::kTableNotFound) return std::unexpected(table.error());
  if (!table || table->id != row.table_id) return std::nullopt;
  return *std::move(table);
}

Result<Definition> Contracts::definition_for(const BindRequest& request, const std::string& table_id) const {
  DOLMEN_TRY(const std::optional<std::string> published, rows_.published(table_id, request.version));
  if (!published && request.definition.empty())
    return fail(Code::kUnknownSchemaVersion,
                "table {} has no published contract {}; give its models or schemas to publish it", request.table,
                request.version);
  if (!published) return request.definition;
  if (!request.definition.empty() && text_of(request.definition) != *published)
    return fail(
        Code::kSchemaImmutable,
        "the contract {} of table {} has been published and cannot be changed; publish the change as a new version",
        request.version, request.table);
  return parsed(*published);
}

Result<std::shared_ptr<const Rules>> Contracts::published_rules(const ActiveRow& row,
                                                                const TableDefinition& table) const {
  DOLMEN_TRY(const std::optional<std::string> text, rows_.published(row.table_id, row.version));
  if (!text)
    return fail(Code::kCorruption, "the contract {} of table {} is missing; restore the data from a backup",
                row.version, row.table);
  DOLMEN_TRY(const Definition definition, parsed(*text));
  Result<std::shared_ptr<const Rules>> rules = Rules::make(definition, table);
  if (!rules)
    return fail(Code::kCorruption, "the contract {} of table {} is published but cannot be checked: {}", row.version,
                row.table, rules.error().message());
  return rules;
}

std::shared_ptr<const WriteGate> Contracts::make_gate(const ActiveRow& row, std::shared_ptr<const Rules> rules) const {
  if (row.mode == Mode::kOff) return nullptr;
  return std::make_shared<Gate>(
      Gate::Contract{.table = row.table, .version = row.version, .mode = row.mode, .rules = std::move(rules)}, warn_);
}

Result<std::shared_ptr<const WriteGate>> Contracts::gate_of(const std::string& table) const {
  return wait_for<std::shared_ptr<const WriteGate>>([&](auto done) { gates_.gate_of(table, std::move(done)); });
}

Result<void> Contracts::change(GateChange change) const {
  return wait_for<void>([&](auto done) { gates_.change_gate(std::move(change), std::move(done)); });
}

Result<void> Contracts::load() {
  DOLMEN_TRY(const std::vector<ActiveRow> rows, rows_.active());
  for (const ActiveRow& row : rows) {
    DOLMEN_TRY(const std::optional<TableDescription> table, table_of(row));
    if (!table) continue;
    DOLMEN_TRY(std::shared_ptr<const Rules> rules, published_rules(row, table->definition));
    DOLMEN_TRY_VOID(change({.table = row.table, .table_id = row.table_id, .gate = make_gate(row, std::move(rules))}));
  }
  return {};
}

Result<StoredItems> Contracts::examine(const BindRequest& request, const Rules& rules) const {
  StoredItems stored;
  ReadManyRequest read{.table = request.table, .limit = kPageItems, .consistent_read = true};
  do {
    const auto page = call<Scan>(service_, read);
    if (!page) return std::unexpected(page.error());
    for (const EncodedItem& encoded : page->items) {
      DOLMEN_TRY(const Item item, decode_item(encoded.bytes));
      ++stored.checked;
      Rules::Verdict verdict = rules.check({.item = &item});
      if (verdict.violations.empty()) continue;
      if (++stored.violating <= kExamples)
        stored.examples.push_back(refusal(request.table, request.version, std::move(verdict)).message());
    }
    read.start_key = page->last_key;
  } while (read.start_key);
  return stored;
}

Result<StoredItems> Contracts::bind(const BindRequest& request) {
  const std::scoped_lock lock(switch_mutex_);
  DOLMEN_TRY_VOID(check_version(request.version));
  DOLMEN_TRY(const TableDescription table, describe(request.table));
  DOLMEN_TRY(const Definition definition, definition_for(request, table.id));
  const std::string text = text_of(definition);
  if (text.size() > kDefinitionBytes)
    return fail(Code::kQueryInvalid, "the models and schemas of a contract can have at most {} bytes together",
                kDefinitionBytes);
  DOLMEN_TRY(std::shared_ptr<const Rules> rules, Rules::make(definition, table.definition));
  if (request.dry_run) return examine(request, *rules);
  DOLMEN_TRY(const std::shared_ptr<const WriteGate> before, gate_of(request.table));
  const auto watch = std::make_shared<const Watch>(before, rules);
  DOLMEN_TRY_VOID(change({.table = request.table, .table_id = table.id, .gate = watch}));
  Result<StoredItems> bound = switch_to(
      {.row = {.table_id = table.id, .table = request.table, .version = request.version, .mode = request.mode},
       .text = text,
       .rules = std::move(rules),
       .watch = watch},
      request);
  if (!bound)
    if (Result<void> restored = change({.table = request.table, .table_id = table.id, .gate = before});
        !restored && restored.error().code() != Code::kTableNotFound)
      return std::unexpected(restored.error());
  return bound;
}

Result<StoredItems> Contracts::switch_to(Switch target, const BindRequest& request) const {
  DOLMEN_TRY(StoredItems stored, examine(request, *target.rules));
  const bool must_hold = request.mode == Mode::kEnforce && !request.accept_violations;
  if (must_hold && stored.violating > 0)
    return fail(
        Code::kValidation,
        "{} of {} stored items break the contract, so the table was not bound. Correct them, bind in mode warn, or "
        "accept the violations. The first: {}",
        stored.violating, stored.checked, stored.examples.front());
  DOLMEN_TRY_VOID(forget_lost_tables());
  DOLMEN_TRY_VOID(rows_.publish(target.row.table_id, request.version, target.text));
  DOLMEN_TRY_VOID(change({.table = request.table,
                          .table_id = target.row.table_id,
                          .gate = make_gate(target.row, target.rules),
                          .row = Rows::put_of(target.row),
                          .check = [&]() -> Result<void> {
                            if (!must_hold || target.watch->violating() == 0) return {};
                            return fail(Code::kValidation,
                                        "{} items that break the contract were written while the stored ones were "
                                        "checked, so the table was not bound. Try again",
                                        target.watch->violating());
                          }}));
  return stored;
}

Result<void> Contracts::forget_lost_tables() const {
  DOLMEN_TRY(const std::vector<ActiveRow> rows, rows_.active());
  for (const ActiveRow& row : rows) {
    DOLMEN_TRY(const std::optional<TableDescription> table, table_of(row));
    if (!table) DOLMEN_TRY_VOID(rows_.forget(row.table_id));
  }
  return {};
}

Result<bool> Contracts::unbind(const std::string& table) {
  const std::scoped_lock lock(switch_mutex_);
  DOLMEN_TRY(const TableDescription description, describe(table));
  DOLMEN_TRY(const std::optional<ActiveRow> active, rows_.active(description.id));
  if (!active) return false;
  DOLMEN_TRY_VOID(
      change({.table = table, .table_id = description.id, .gate = nullptr, .row = Rows::removal_of(description.id)}));
  return true;
}

Result<ContractStatus> Contracts::status_of(const TableDescription& table) const {
  ContractStatus status{.table = table.definition.name, .active = {}, .kinds = {}, .versions = {}, .findings = {}};
  DOLMEN_TRY(status.active, rows_.active(table.id));
  DOLMEN_TRY(status.versions, rows_.versions(table.id));
  if (!status.active) return status;
  DOLMEN_TRY(const std::shared_ptr<const Rules> rules, published_rules(*status.active, table.definition));
  status.kinds = rules->kind_names();
  DOLMEN_TRY(const std::shared_ptr<const WriteGate> gate, gate_of(status.table));
  if (gate != nullptr) status.findings = gate->findings();
  return status;
}

Result<ContractStatus> Contracts::status(const std::string& table) {
  DOLMEN_TRY(const TableDescription description, describe(table));
  return status_of(description);
}

Result<std::string> Contracts::published(const std::string& table, const std::string& version) const {
  DOLMEN_TRY(const TableDescription description, describe(table));
  DOLMEN_TRY(std::optional<std::string> text, rows_.published(description.id, version));
  if (!text) return fail(Code::kUnknownSchemaVersion, "table {} has no published contract {}", table, version);
  return *std::move(text);
}

Result<std::vector<ContractStatus>> Contracts::status() {
  DOLMEN_TRY(const std::vector<ActiveRow> rows, rows_.active());
  std::vector<ContractStatus> all;
  for (const ActiveRow& row : rows) {
    DOLMEN_TRY(const std::optional<TableDescription> table, table_of(row));
    if (!table) continue;
    DOLMEN_TRY(all.emplace_back(), status_of(*table));
  }
  std::ranges::sort(all, {}, &ContractStatus::table);
  return all;
}

}  // namespace dolmen::contract
