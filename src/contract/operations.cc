#include "contract/operations.h"

#include <algorithm>

#include "base/fail.h"
#include "config/read.h"
#include "protocol/object_writer.h"
#include "value/json.h"

namespace dolmen::contract {
namespace {

using config::Node;

constexpr std::size_t kRequestBytesMax = std::size_t{4} << 20;

Result<Node> read_request(std::string_view body) {
  config::Reading reading = config::read_json(body, {.bytes = kRequestBytesMax});
  if (!reading.root || !reading.problems.empty() || reading.root->kind != Node::Kind::kMap)
    return fail(Code::kSerialization, "the request is not a JSON object{}{}", reading.problems.empty() ? "" : ": ",
                reading.problems.empty() ? "" : reading.problems.front().message);
  return *std::move(reading.root);
}

Result<std::string> required(const Node& request, std::string_view name) {
  DOLMEN_TRY(std::string text, text_member(request, name));
  if (text.empty()) return fail(Code::kQueryInvalid, "{} is missing", name);
  return text;
}

Result<bool> flag(const Node& request, std::string_view name) {
  const Node* found = request.find(name);
  if (found == nullptr) return false;
  if (found->kind != Node::Kind::kBoolean) return fail(Code::kQueryInvalid, "{} must be true or false", name);
  return found->boolean;
}

void append_texts(std::string& out, const std::vector<std::string>& texts) {
  append_array(out, texts, [&](const std::string& text) { json::append_string(out, text); });
}

void append_status(std::string& out, const ContractStatus& status) {
  ObjectWriter object(out);
  json::append_string(object.member("table"), status.table);
  object.member("bound").append(status.active ? "true" : "false");
  if (status.active) {
    json::append_string(object.member("version"), status.active->version);
    json::append_string(object.member("mode"), mode_name(status.active->mode));
    append_texts(object.member("kinds"), status.kinds);
    object.member("refused").append(std::to_string(status.findings.refused));
    object.member("warned").append(std::to_string(status.findings.warned));
    if (!status.findings.last.empty()) json::append_string(object.member("last"), status.findings.last);
  }
  append_texts(object.member("versions"), status.versions);
  object.end();
}

Result<std::string> bind(Contracts& contracts, const Node& request, const SchemaText& schema_text) {
  DOLMEN_TRY_VOID(check_members(request, {"table", "version", "mode", "models", "schemas", "discriminator", "kinds",
                                          "accept_violations", "dry_run"}));
  BindRequest binding;
  DOLMEN_TRY(binding.table, required(request, "table"));
  DOLMEN_TRY(binding.version, required(request, "version"));
  DOLMEN_TRY(const std::string name, required(request, "mode"));
  const std::optional<Mode> mode = mode_of(name);
  if (!mode) return fail(Code::kQueryInvalid, "mode must be off, warn or enforce, not {}", name);
  binding.mode = *mode;
  DOLMEN_TRY(binding.definition, definition_in(request, schema_text));
  DOLMEN_TRY(binding.accept_violations, flag(request, "accept_violations"));
  DOLMEN_TRY(binding.dry_run, flag(request, "dry_run"));
  DOLMEN_TRY(const StoredItems stored, contracts.bind(binding));
  std::string out;
  ObjectWriter object(out);
  json::append_string(object.member("table"), binding.table);
  json::append_string(object.member("version"), binding.version);
  json::append_string(object.member("mode"), name);
  object.member("bound").append(binding.dry_run ? "false" : "true");
  object.member("checked").append(std::to_string(stored.checked));
  object.member("violating").append(std::to_string(stored.violating));
  append_texts(object.member("examples"), stored.examples);
  object.end();
  return out;
}

Result<std::string> describe(Contracts& contracts, const Node& request, const SchemaText& /*schema_text*/) {
  DOLMEN_TRY_VOID(check_members(request, {"table", "version"}));
  DOLMEN_TRY(const std::string table, required(request, "table"));
  DOLMEN_TRY(const std::string version, text_member(request, "version"));
  DOLMEN_TRY(const ContractStatus status, contracts.status(table));
  std::string out;
  append_status(out, status);
  if (version.empty()) return out;
  DOLMEN_TRY(const std::string definition, contracts.published(table, version));
  out.pop_back();
  return out.append(R"(,"definition":)").append(definition).append("}");
}

Result<std::string> list(Contracts& contracts, const Node& request, const SchemaText& /*schema_text*/) {
  if (!request.entries.empty()) return fail(Code::kQueryInvalid, "{} is not a parameter", request.entries.front().name);
  DOLMEN_TRY(const std::vector<ContractStatus> all, contracts.status());
  std::string out;
  ObjectWriter object(out);
  append_array(object.member("contracts"), all, [&](const ContractStatus& status) { append_status(out, status); });
  object.end();
  return out;
}

Result<std::string> unbind(Contracts& contracts, const Node& request, const SchemaText& /*schema_text*/) {
  DOLMEN_TRY_VOID(check_members(request, {"table"}));
  DOLMEN_TRY(const std::string table, required(request, "table"));
  DOLMEN_TRY(const bool was_bound, contracts.unbind(table));
  return was_bound ? R"({"unbound":true})" : R"({"unbound":false})";
}

struct Handler {
  std::string_view name;
  Result<std::string> (*run)(Contracts& contracts, const Node& request, const SchemaText& schema_text);
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
  DOLMEN_TRY(const Node request, read_request(operation.body));
  return found->run(contracts, request, schema_text);
}

}  // namespace dolmen::contract
