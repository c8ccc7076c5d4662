#include "contract/contracts.h"

#include <algorithm>

#include "api/internal_tables.h"
#include "api/wait.h"
#include "base/fail.h"
#include "config/read.h"
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
  return fail(Code::kQueryInvalid, "a version has 1 to {} letters, digits, dots, dashes and underscores",
              kVersionBytes);
}

Result<Definition> parsed(const std::string& text) {
  const config::Reading reading = config::read_json(text, {.bytes = kDefinitionBytes});
  if (!reading.root || !reading.problems.empty())
    return fail(Code::kCorruption, "a published contract cannot be read; restore the data from a backup");
  return definition_in(*reading.root);
}

}  // namespace

Result<TableDescription> Contracts::describe(const std::string& table) const {
  DOLMEN_TRY_VOID(check_for_users(table));
  return wait_for<TableDescription>([&](auto done) { service_.describe_table(table, std::move(done)); });
}

Result<Definition> Contracts::definition_for(const BindRequest& request, const std::string& table_id) const {
  DOLMEN_TRY(const std::optional<std::string> published, rows_.published(table_id, request.version));
  if (!published && request.definition.empty())
    return fail(Code::kUnknownSchemaVersion,
                "table {} has no published contract {}; give the models or schemas that it consists of", request.table,
                request.version);
  if (!published) return request.definition;
  if (!request.definition.empty() && text_of(request.definition) != *published)
    return fail(Code::kSchemaImmutable,
                "the contract {} of table {} is published and never changes; publish the new one under another version",
                request.version, request.table);
  return parsed(*published);
}

Result<std::shared_ptr<const Rules>> Contracts::published_rules(const ActiveRow& row,
                                                                const TableDefinition& table) const {
  DOLMEN_TRY(const std::optional<std::string> text, rows_.published(row.table_id, row.version));
  if (!text) return fail(Code::kCorruption, "the contract {} of table {} is gone", row.version, row.table);
  DOLMEN_TRY(const Definition definition, parsed(*text));
  return Rules::make(definition, table);
}

Result<void> Contracts::put_up(const ActiveRow& row, std::shared_ptr<const Rules> rules) const {
  std::shared_ptr<const WriteGate> gate;
  if (row.mode != Mode::kOff) gate = std::make_shared<Gate>(row.table, row.version, row.mode, std::move(rules));
  return wait_for<void>(
      [&](auto done) { service_.set_write_gate(row.table, row.table_id, std::move(gate), std::move(done)); });
}

Result<void> Contracts::load() {
  DOLMEN_TRY(const std::vector<ActiveRow> rows, rows_.active());
  for (const ActiveRow& row : rows) {
    const Result<TableDescription> table = describe(row.table);
    if (!table && table.error().code() != Code::kTableNotFound) return std::unexpected(table.error());
    if (!table || table->id != row.table_id) continue;
    DOLMEN_TRY(std::shared_ptr<const Rules> rules, published_rules(row, table->definition));
    DOLMEN_TRY_VOID(put_up(row, std::move(rules)));
  }
  return {};
}

Result<StoredItems> Contracts::examine(const BindRequest& request, const Rules& rules) const {
  StoredItems stored;
  ReadManyRequest read{.table = request.table, .limit = kPageItems, .consistent_read = true};
  do {
    const auto page = wait_for<ReadManyResponse>([&](auto done) { service_.read_many(read, std::move(done)); });
    if (!page) return std::unexpected(page.error());
    for (const EncodedItem& encoded : page->items) {
      DOLMEN_TRY(const Item item, decode_item(encoded.bytes));
      ++stored.checked;
      Rules::Verdict verdict = rules.check(nullptr, item, true);
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
    return fail(Code::kQueryInvalid, "the models and schemas of a contract have at most {} bytes", kDefinitionBytes);
  DOLMEN_TRY(std::shared_ptr<const Rules> rules, Rules::make(definition, table.definition));
  DOLMEN_TRY(StoredItems stored, examine(request, *rules));
  if (request.dry_run) return stored;
  if (request.mode == Mode::kEnforce && stored.violating > 0 && !request.accept_violations)
    return fail(Code::kValidation,
                "{} of {} stored items break the contract, and nothing is bound. Put them right, bind it in mode warn, "
                "or accept the violations. The first: {}",
                stored.violating, stored.checked, stored.examples.front());
  const Result<void> published = rows_.publish(table.id, request.version, text);
  if (!published && published.error().code() != Code::kConditionFailed) return std::unexpected(published.error());
  const ActiveRow row{.table_id = table.id, .table = request.table, .version = request.version, .mode = request.mode};
  DOLMEN_TRY_VOID(rows_.put_active(row));
  DOLMEN_TRY_VOID(put_up(row, std::move(rules)));
  return stored;
}

Result<bool> Contracts::unbind(const std::string& table) {
  const std::scoped_lock lock(switch_mutex_);
  DOLMEN_TRY(const TableDescription description, describe(table));
  DOLMEN_TRY(const std::optional<ActiveRow> active, rows_.active(description.id));
  if (!active) return false;
  DOLMEN_TRY_VOID(rows_.remove_active(description.id));
  DOLMEN_TRY_VOID(put_up({.table_id = description.id, .table = table, .version = {}, .mode = Mode::kOff}, nullptr));
  return true;
}

Result<ContractStatus> Contracts::status_of(const TableDescription& table) const {
  ContractStatus status{.table = table.definition.name, .active = {}, .kinds = {}, .versions = {}, .findings = {}};
  DOLMEN_TRY(status.active, rows_.active(table.id));
  DOLMEN_TRY(status.versions, rows_.versions(table.id));
  if (!status.active) return status;
  DOLMEN_TRY(const std::shared_ptr<const Rules> rules, published_rules(*status.active, table.definition));
  status.kinds = rules->kind_names();
  DOLMEN_TRY(const std::shared_ptr<const WriteGate> gate, wait_for<std::shared_ptr<const WriteGate>>([&](auto done) {
               service_.write_gate(status.table, std::move(done));
             }));
  if (gate != nullptr) status.findings = gate->findings();
  return status;
}

Result<ContractStatus> Contracts::status(const std::string& table) {
  DOLMEN_TRY(const TableDescription description, describe(table));
  return status_of(description);
}

Result<std::vector<ContractStatus>> Contracts::status() {
  DOLMEN_TRY(const std::vector<ActiveRow> rows, rows_.active());
  std::vector<ContractStatus> all;
  for (const ActiveRow& row : rows) {
    const Result<TableDescription> table = describe(row.table);
    if (!table && table.error().code() != Code::kTableNotFound) return std::unexpected(table.error());
    if (!table || table->id != row.table_id) continue;
    DOLMEN_TRY(all.emplace_back(), status_of(*table));
  }
  std::ranges::sort(all, {}, &ContractStatus::table);
  return all;
}

}  // namespace dolmen::contract
