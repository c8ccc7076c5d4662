#include "server/contract_verification.h"

#include <charconv>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "base/fail.h"
#include "contract/rules.h"
#include "protocol/object_view.h"
#include "protocol/object_writer.h"
#include "value/json.h"

namespace dolmen {
namespace {

constexpr std::uint32_t kVerifiedDefault = 500;
constexpr std::uint32_t kVerifiedMax = 1000;

struct Broken {
  Item key;
  contract::Rules::Verdict verdict;
};

Result<std::uint32_t> limit_in(const ObjectView& request) {
  const std::string text = request.shown("limit");
  if (text.empty()) return kVerifiedDefault;
  std::uint32_t limit = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), limit);
  if (error != std::errc{} || end != text.data() + text.size() || limit == 0 || limit > kVerifiedMax)
    return fail(Code::kQueryInvalid, "limit: \"{}\" is not a number from 1 to {}", text, kVerifiedMax);
  return limit;
}

Result<std::optional<Item>> start_in(const ObjectView& request) {
  const std::optional<std::string_view> text = request.find("start");
  if (!text) return std::nullopt;
  DOLMEN_TRY(const EncodedItem encoded, json::parse_item(*text));
  DOLMEN_TRY(Item key, decode_item(encoded.bytes));
  return key;
}

Item key_of(const Item& item, const TableDefinition& table) {
  Item key{{table.partition_key.name, item.at(table.partition_key.name)}};
  if (table.sort_key) key.set(table.sort_key->name, item.at(table.sort_key->name));
  return key;
}

void write_broken(ObjectWriter& object, const Broken& broken) {
  object.json("key", json::to_text(broken.key));
  if (!broken.verdict.kind.empty()) object.text("kind", broken.verdict.kind);
  object.objects("violations", broken.verdict.violations, [](ObjectWriter& one, const ErrorDetail& violation) {
    one.text("path", violation.path).text("rule", violation.rule).text("message", violation.message);
  });
}

}  // namespace

Result<std::string> verify_contract(Store& store, const contract::Contracts& contracts, std::string_view body,
                                    const contract::SchemaText& schema_text) {
  DOLMEN_TRY(const ObjectView request, ObjectView::request(body, {"table", "version", "models", "schemas",
                                                                  "discriminator", "kinds", "limit", "start"}));
  DOLMEN_TRY(const std::string table, request.text("table"));
  DOLMEN_TRY(const std::optional<std::string> version, request.optional_text("version"));
  DOLMEN_TRY(contract::Definition definition, contract::definition_in(request, schema_text));
  if (version && !definition.empty())
    return fail(Code::kQueryInvalid, "give either a version or a definition, not both");
  if (version) {
    DOLMEN_TRY(const std::string published, contracts.published(table, *version));
    DOLMEN_TRY(definition, contract::stored_definition(published));
  }
  DOLMEN_TRY(const TableDescription description, store.describe_table(table));
  DOLMEN_TRY(const std::shared_ptr<const contract::Rules> rules,
             contract::Rules::make(definition, description.definition));
  ScanOptions options{.consistent_read = true};
  DOLMEN_TRY(options.page_size, limit_in(request));
  DOLMEN_TRY(options.start_after, start_in(request));
  DOLMEN_TRY(const Page page, store.scan_page(table, options));
  std::vector<Broken> broken;
  for (const Item& item : page.items) {
    contract::Rules::Verdict verdict = rules->check({.item = &item});
    if (!verdict.violations.empty()) broken.push_back({key_of(item, description.definition), std::move(verdict)});
  }
  return object_text([&](ObjectWriter& object) {
    object.number("checked", page.items.size()).number("violating", broken.size());
    object.objects("items", broken, write_broken);
    if (page.last_key) object.json("next", json::to_text(*page.last_key));
  });
}

}  // namespace dolmen
