#include "contract/operations.h"

#include <algorithm>

#include "base/fail.h"
#include "protocol/object_view.h"
#include "protocol/object_writer.h"

namespace dolmen::contract {
namespace {

constexpr std::size_t kRequestBytesMax = std::size_t{4} << 20;

/// A string that must be there and not be empty.
Result<std::string> required(const ObjectView& request, std::string_view name) {
  DOLMEN_TRY(std::string text, request.text(name));
  if (text.empty()) return fail(Code::kQueryInvalid, "{} is missing", name);
  return text;
}

void write_status(ObjectWriter& object, const ContractStatus& status) {
  object.text("table", status.table).flag("bound", status.active.has_value());
  if (status.active) {
    object.text("version", status.active->version).text("mode", mode_name(status.active->mode));
    object.texts("kinds", status.kinds);
    object.number("refused", status.findings.refused).number("warned", status.findings.warned);
    if (!status.findings.last.empty()) object.text("last", status.findings.last);
  }
  object.texts("versions", status.versions);
}

Result<std::string> bind(Contracts& contracts, std::string_view body, const SchemaText& schema_text) {
  DOLMEN_TRY(const ObjectView request,
             ObjectView::request(body, {"table", "version", "mode", "models", "schemas", "discriminator", "kinds",
                                        "accept_violations", "dry_run"}));
  BindRequest binding;
  DOLMEN_TRY(binding.table, required(request, "table"));
  DOLMEN_TRY(binding.version, required(request, "version"));
  DOLMEN_TRY(const std::string name, required(request, "mode"));
  const std::optional<Mode> mode = mode_of(name);
  if (!mode) return fail(Code::kQueryInvalid, "mode must be off, warn or enforce, not {}", name);
  binding.mode = *mode;
  DOLMEN_TRY(binding.definition, definition_in(request, schema_text));
  DOLMEN_TRY(binding.accept_violations, request.flag("accept_violations"));
  DOLMEN_TRY(binding.dry_run, request.flag("dry_run"));
  DOLMEN_TRY(const StoredItems stored, contracts.bind(binding));
  return object_text([&](ObjectWriter& object) {
    object.text("table", binding.table).text("version", binding.version).text("mode", name);
    object.flag("bound", !binding.dry_run).number("checked", stored.checked).number("violating", stored.violating);
    object.texts("examples", stored.examples);
  });
}

Result<std::string> describe(Contracts& contracts, std::string_view body, const SchemaText& /*schema_text*/) {
  DOLMEN_TRY(const ObjectView request, ObjectView::request(body, {"table", "version"}));
  DOLMEN_TRY(const std::string table, required(request, "table"));
  DOLMEN_TRY(const std::optional<std::string> version, request.optional_text("version"));
  DOLMEN_TRY(const ContractStatus status, contracts.status(table));
  std::string definition;
  if (version && !version->empty()) {
    DOLMEN_TRY(definition, contracts.published(table, *version));
  }
  return object_text([&](ObjectWriter& object) {
    write_status(object, status);
    if (!definition.empty()) object.json("definition", definition);
  });
}

Result<std::string> list(Contracts& contracts, std::string_view body, const SchemaText& /*schema_text*/) {
  DOLMEN_TRY_VOID(ObjectView::request(body, {}));
  DOLMEN_TRY(const std::vector<ContractStatus> all, contracts.status());
  return object_text([&](ObjectWriter& object) { object.objects("contracts", all, write_status); });
}

Result<std::string> unbind(Contracts& contracts, std::string_view body, const SchemaText& /*schema_text*/) {
  DOLMEN_TRY(const ObjectView request, ObjectView::request(body, {"table"}));
  DOLMEN_TRY(const std::string table, required(request, "table"));
  DOLMEN_TRY(const bool was_bound, contracts.unbind(table));
  return object_text([&](ObjectWriter& object) { object.flag("unbound", was_bound); });
}

struct Handler {
  std::string_view name;
  Result<std::string> (*run)(Contracts& contracts, std::string_view body, const SchemaText& schema_text);
};

constexpr Handler kHandlers[] = {
    {"BindContract", bind}, {"DescribeContract", describe}, {"ListContracts", list}, {"UnbindContract", unbind}};

const Handler* find_handler(std::string_view name) {
  const auto found = std::ranges::find(kHandlers, name, &Handler::name);
  return found == std::end(kHandlers) ? nullptr : found;
}

}  // namespace

bool is_operation(std::string_view operation) { return find_handler(operation) != nullptr; }

Result<std::string> execute(Contracts& contracts, const Operation& operation, const SchemaText& schema_text) {
  const Handler* found = find_handler(operation.name);
  if (found == nullptr) return fail(Code::kUnknownOperation, "{} is not an operation on contracts", operation.name);
  if (operation.body.size() > kRequestBytesMax)
    return fail(Code::kSerialization, "the request has {} bytes; at most {} are allowed", operation.body.size(),
                kRequestBytesMax);
  return found->run(contracts, operation.body, schema_text);
}

}  // namespace dolmen::contract
