#include "cli/contract_gate.h"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fmt/format.h>
#include <memory>
#include <string>
#include <vector>

#include "base/fail.h"
#include "cli/contract_check.h"
#include "cli/document_flags.h"
#include "cli/kind_flags.h"
#include "cli/print_error.h"
#include "cli/response.h"
#include "contract/operations.h"
#include "document/request.h"
#include "dolmen/remote.h"
#include "schema/limits.h"
#include "service/dolmen_calls.h"
#include "service/service.h"
#include "service/wait.h"

namespace dolmen::cli {
namespace {

struct GateFlags {
  StoreFlags store;
  bool json = false;
  std::string table;
  std::string version;
  std::string mode = "enforce";
  KindFlags kinds;
  bool accept_violations = false;
  bool dry_run = false;
  /// Of a dry run.
  std::optional<std::uint64_t> limit;
  std::string start;
};

/// A bind looks at the whole table, which may take longer than other requests.
Result<std::unique_ptr<Store>> open_patiently(const StoreFlags& flags) {
  if (!flags.endpoint.starts_with("http://") && !flags.endpoint.starts_with("https://")) return open_store(flags);
  return open_remote({.endpoint = flags.endpoint, .request_timeout = std::chrono::hours(24)});
}

/// An operation on the contracts of a store, here or at a server.
Result<std::string> call(Store& store, std::string_view operation, const std::string& body) {
  auto* server = store.companions().find<DolmenCalls>();
  if (server == nullptr) {
    contract::Contracts contracts(store);
    return contract::execute(contracts, {.name = operation, .body = body},
                             [&](const SchemaRef& ref) -> Result<std::string> {
                               DOLMEN_TRY(const Documents documents, Documents::open(store));
                               DOLMEN_TRY(PublishedInfo info, documents.schema(ref));
                               return std::move(info.text);
                             });
  }
  Result<std::string> answer =
      wait_for<std::string>([&](auto done) { server->call(operation, body, std::move(done)); });
  if (!answer && answer.error().code() == Code::kUnknownOperation)
    return fail(Code::kUnsupported, "the server at the endpoint does not support contracts; use a Dolmen server");
  return answer;
}

Result<std::string> bind_request(const GateFlags& flags) {
  DOLMEN_TRY(const contract::Definition definition, definition_of(flags.kinds));
  DOLMEN_TRY(const std::vector<SchemaRef> schemas, schemas_of(flags.kinds));
  return object_text([&](ObjectWriter& object) {
    contract::write_definition(object, definition);
    object.objects("schemas", schemas, document::write_ref);
    object.text("table", flags.table).text("version", flags.version).text("mode", flags.mode);
    object.flag("accept_violations", flags.accept_violations).flag("dry_run", flags.dry_run);
  });
}

std::string joined(const ObjectView& object, std::string_view name) {
  return fmt::format("{}", fmt::join(texts_in(object, name), ", "));
}

/// Opens the store, calls an operation and prints the answer, by `print` unless JSON is asked for.
template <class Print>
int run(const GateFlags& flags, std::string_view operation, const Result<std::string>& body, Print print) {
  if (!body) return report(body.error(), flags.json);
  auto store = open_patiently(flags.store);
  if (!store) return report(store.error(), flags.json);
  const Result<std::string> response = call(**store, operation, *body);
  if (!response) return report(response.error(), flags.json);
  if (flags.json)
    fmt::print("{}\n", *response);
  else if (const Result<ObjectView> view = ObjectView::response(*response))
    print(*view);
  else
    return report(view.error(), flags.json);
  return 0;
}

/// The text of a published schema, here or at a Dolmen server.
contract::SchemaText schema_text_of(Store& store) {
  return [&store](const SchemaRef& ref) -> Result<std::string> {
    DOLMEN_TRY(const Documents documents, Documents::open(store));
    DOLMEN_TRY(PublishedInfo info, documents.schema(ref));
    return std::move(info.text);
  };
}

/// What the flags say, or else what has been published under that version.
Result<contract::Definition> definition_of(const GateFlags& flags, Store& store) {
  DOLMEN_TRY(const std::string text, bind_request(flags));
  DOLMEN_TRY(const ObjectView request, ObjectView::response(text));
  DOLMEN_TRY(contract::Definition definition, contract::definition_in(request, schema_text_of(store)));
  if (!definition.empty()) return definition;
  const std::string wanted =
      object_text([&](ObjectWriter& object) { object.text("table", flags.table).text("version", flags.version); });
  DOLMEN_TRY(const std::string answer, call(store, "DescribeContract", wanted));
  DOLMEN_TRY(const ObjectView published, ObjectView::response(answer));
  return contract::stored_definition(published.find("definition").value_or("{}"));
}

Result<StoredCheckResult> check_only(const GateFlags& flags, std::vector<std::string>& messages) {
  DOLMEN_TRY(const std::unique_ptr<Store> store, open_patiently(flags.store));
  StoredCheck check{.table = flags.table, .version = flags.version, .limit = flags.limit, .start = flags.start};
  DOLMEN_TRY(check.definition, definition_of(flags, *store));
  return check_stored(*store, check, [&](const std::string& message) {
    if (flags.json)
      messages.push_back(message);
    else
      fmt::print("{}\n", message);
  });
}

void print_checked(const std::string& checked, const std::string& violating) {
  fmt::print("{} stored {} checked; {} {} the contract\n", checked, checked == "1" ? "item was" : "items were",
             violating, violating == "1" ? "breaks" : "break");
}

/// Reads the table itself, so that any endpoint will do.
int dry_run(const GateFlags& flags) {
  std::vector<std::string> messages;
  const Result<StoredCheckResult> result = check_only(flags, messages);
  if (!result) return report(result.error(), flags.json);
  if (flags.json) {
    fmt::print("{}\n", object_text([&](ObjectWriter& object) {
                 object.text("table", flags.table).text("version", flags.version).flag("bound", false);
                 object.number("checked", result->checked).number("violating", result->violating);
                 object.texts("violations", messages);
                 if (!result->next.empty()) object.text("next", result->next);
               }));
    return kDone;
  }
  print_checked(fmt::to_string(result->checked), fmt::to_string(result->violating));
  if (!result->next.empty()) fmt::print("more items follow; continue with --start {}\n", result->next);
  fmt::print("nothing was bound\n");
  return kDone;
}

int bind(const GateFlags& flags) {
  if (flags.dry_run) return dry_run(flags);
  return run(flags, "BindContract", bind_request(flags), [&](const ObjectView& answer) {
    print_checked(answer.shown("checked"), answer.shown("violating"));
    for (const std::string& example : texts_in(answer, "examples")) fmt::print("  {}\n", example);
    fmt::print("table {} is bound to its contract {}, mode {}\n", flags.table, flags.version, flags.mode);
  });
}

void print_status(const ObjectView& status) {
  if (!status.flag("bound").value_or(false)) {
    fmt::print("{}  not bound\n", status.shown("table"));
  } else {
    fmt::print("{}  {}  contract {}: {}\n", status.shown("table"), status.shown("mode"), status.shown("version"),
               joined(status, "kinds"));
    fmt::print("  refused {}, warned {} since the store was opened or the contract was bound\n",
               status.shown("refused"), status.shown("warned"));
    if (const std::string last = status.shown("last"); !last.empty()) fmt::print("  last: {}\n", last);
  }
  if (const std::string versions = joined(status, "versions"); !versions.empty())
    fmt::print("  published: {}\n", versions);
}

/// The files as they were given, and how items are told apart.
void print_definition(const ObjectView& definition) {
  if (const std::string attribute = definition.shown("discriminator"); !attribute.empty())
    fmt::print("  discriminator {}\n", attribute);
  for (const ObjectView& kind : objects_in(definition, "kinds")) {
    fmt::print(" ");
    for (const char* name : {"model", "schema_id", "schema_version", "partition_prefix", "sort_prefix", "value"})
      if (kind.find(name)) fmt::print(" {} {}", name, kind.shown(name));
    fmt::print("\n");
  }
  for (const ObjectView& file : objects_in(definition, "models"))
    fmt::print("\n# {}\n{}", file.shown("file"), file.shown("text"));
  for (const std::string& schema : texts_in(definition, "schemas")) fmt::print("\n{}\n", schema);
}

/// Names the table, and the version when the flags do.
std::string table_request(const GateFlags& flags) {
  return object_text([&](ObjectWriter& object) {
    object.text("table", flags.table);
    if (!flags.version.empty()) object.text("version", flags.version);
  });
}

int describe(const GateFlags& flags) {
  return run(flags, "DescribeContract", table_request(flags), [](const ObjectView& answer) {
    print_status(answer);
    if (const std::optional<std::string_view> json = answer.find("definition"))
      if (const Result<ObjectView> definition = ObjectView::response(*json)) print_definition(*definition);
  });
}

int status(const GateFlags& flags) {
  if (!flags.table.empty()) return describe(flags);
  return run(flags, "ListContracts", "{}", [](const ObjectView& answer) {
    const std::vector<ObjectView> contracts = objects_in(answer, "contracts");
    if (contracts.empty()) fmt::print("no table is bound\n");
    for (const ObjectView& contract : contracts) print_status(contract);
  });
}

int unbind(const GateFlags& flags) {
  return run(flags, "UnbindContract", table_request(flags), [&](const ObjectView& answer) {
    const bool was_bound = answer.flag("unbound").value_or(false);
    fmt::print("table {} {}\n", flags.table, was_bound ? "is no longer bound" : "was not bound");
  });
}

void add_bind_flags(const Verb& verb, GateFlags& flags) {
  verb.text("table,--table", flags.table, "Table to bind").required();
  verb.text("--version", flags.version, "Version of the contract; a new version is published permanently").required();
  verb.text("--mode", flags.mode,
            "'enforce' refuses what breaks the contract, 'warn' counts it and writes it, 'off' does nothing")
      .one_of({"off", "warn", "enforce"});
  verb.texts("--models", flags.kinds.model_files,
             "DMS file, or a folder of them; not needed for a version that has been published")
      .shown_as("FILE");
  verb.texts("--model", flags.kinds.models, "Model to bind; all models of the files without this option")
      .shown_as("NAME");
  verb.texts("--schema", flags.kinds.schemas, "Published document schema; used below in the place of MODEL")
      .shown_as("ID:VERSION");
  add_kind_flags(verb, flags.kinds);
  verb.flag("--accept-violations", flags.accept_violations, "Enforce the contract although stored items break it");
  const Option dry_run = verb.flag("--dry-run", flags.dry_run,
                                   "Only list all stored items that break the contract, on any endpoint of DynamoDB");
  verb.number("--limit", flags.limit, "Stop a dry run after so many items that break the contract", {.smallest = 1})
      .only_with(dry_run);
  verb.text("--start", flags.start, "Continue a dry run where an earlier one stopped")
      .shown_as("POSITION")
      .only_with(dry_run);
}

}  // namespace

void add_contract_gate(const Verb& parent) {
  const auto add = [&](const char* name, const char* help, int (*run)(const GateFlags&)) {
    auto flags = std::make_shared<GateFlags>();
    const Verb added = parent.verb(name, help);
    added.flag("--json", flags->json, "Print JSON");
    add_store_flags(added, flags->store);
    added.runs([flags, run] { return run(*flags); });
    return std::pair(added, flags);
  };
  const auto [binding, bind_flags] =
      add("bind", "Bind a table to models or schemas: from then on no client can write items that break them", bind);
  add_bind_flags(binding, *bind_flags);
  const auto [looking, status_flags] = add("status", "Show which tables are bound, and what was refused", status);
  const Option table = looking.text("table,--table", status_flags->table, "Show only this table");
  looking.text("--version", status_flags->version, "Also show the content of this version of the contract")
      .only_with(table);
  const auto [unbinding, unbind_flags] = add("unbind", "Allow any item in a table again", unbind);
  unbinding.text("table,--table", unbind_flags->table, "Table to unbind").required();
}

}  // namespace dolmen::cli
