#include "cli/contract_gate.h"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fmt/format.h>
#include <memory>
#include <string>
#include <vector>

#include "base/fail.h"
#include "cli/config_files.h"
#include "cli/contract_check.h"
#include "cli/document_flags.h"
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

constexpr std::size_t kModelBytesMax = std::size_t{1} << 20;

struct GateFlags {
  StoreFlags store;
  bool json = false;
  std::string table;
  std::string version;
  std::string mode = "enforce";
  std::vector<std::string> model_files;
  /// ID:VERSION of published schemas.
  std::vector<std::string> schemas;
  /// Names of models; all of the files when there are none.
  std::vector<std::string> models;
  std::string discriminator;
  /// KIND=TEXT, where KIND is the name of a model or ID:VERSION of a schema.
  std::vector<std::string> values;
  std::vector<std::string> prefixes;
  std::vector<std::string> sort_prefixes;
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

/// ID:VERSION.
Result<SchemaRef> ref_of(const std::string& name) {
  const std::size_t colon = name.find(':');
  if (colon == std::string::npos)
    return fail(Code::kInvalidArgument, "--schema: \"{}\" is not of the form ID:VERSION", name);
  return SchemaRef{.id = name.substr(0, colon), .version = name.substr(colon + 1)};
}

/// The kinds of a contract, by the names that the flags give them: a model's name, or ID:VERSION of a schema.
class Kinds {
 public:
  void add_model(const std::string& name) {
    if (find(name) != nullptr) return;
    names_.push_back(name);
    kinds_.emplace_back().model = name;
  }
  Result<void> add_schema(const std::string& name) {
    if (find(name) != nullptr) return {};
    DOLMEN_TRY(SchemaRef ref, ref_of(name));
    names_.push_back(name);
    kinds_.emplace_back().schema = std::move(ref);
    return {};
  }

  /// Calls `set(kind, text)` for each KIND=TEXT; it returns false when the kind has another one already.
  template <class Set>
  Result<void> read(const std::vector<std::string>& pairs, Set set) {
    for (const std::string& pair : pairs) {
      const std::size_t equals = pair.find('=');
      if (equals == std::string::npos || equals == 0)
        return fail(Code::kInvalidArgument, "\"{}\" is not of the form MODEL=TEXT", pair);
      contract::Kind* kind = find(pair.substr(0, equals));
      if (kind == nullptr)
        return fail(Code::kInvalidArgument, "\"{}\": the contract has no model or schema {}; it has {}", pair,
                    pair.substr(0, equals), fmt::join(names_, ", "));
      if (!set(*kind, pair.substr(equals + 1)))
        return fail(Code::kInvalidArgument, "\"{}\": {} has been given a value before; give one for each model", pair,
                    pair.substr(0, equals));
    }
    return {};
  }

  std::vector<contract::Kind> take() { return std::move(kinds_); }

 private:
  contract::Kind* find(const std::string& name) {
    const auto found = std::ranges::find(names_, name);
    return found == names_.end() ? nullptr : &kinds_[static_cast<std::size_t>(found - names_.begin())];
  }

  std::vector<std::string> names_;
  std::vector<contract::Kind> kinds_;
};

bool set_once(std::string& place, std::string text) {
  if (!place.empty()) return false;
  place = std::move(text);
  return true;
}

bool set_value(contract::Kind& kind, std::string text) {
  if (kind.value) return false;
  kind.value = std::move(text);
  return true;
}

/// The models that --model names, else those of the files, and the schemas.
Result<std::vector<contract::Kind>> kinds_of(const GateFlags& flags, const std::vector<std::string>& models) {
  Kinds kinds;
  for (const std::string& model : flags.models.empty() ? models : flags.models) kinds.add_model(model);
  for (const std::string& schema : flags.schemas) DOLMEN_TRY_VOID(kinds.add_schema(schema));
  DOLMEN_TRY_VOID(kinds.read(flags.prefixes, [](contract::Kind& kind, std::string text) {
    return set_once(kind.partition_prefix, std::move(text));
  }));
  DOLMEN_TRY_VOID(kinds.read(flags.sort_prefixes, [](contract::Kind& kind, std::string text) {
    return set_once(kind.sort_prefix, std::move(text));
  }));
  DOLMEN_TRY_VOID(kinds.read(flags.values, set_value));
  return kinds.take();
}

Result<std::vector<SchemaRef>> refs_of(const std::vector<std::string>& names) {
  std::vector<SchemaRef> refs;
  for (const std::string& name : names) {
    DOLMEN_TRY(refs.emplace_back(), ref_of(name));
  }
  return refs;
}

Result<std::string> bind_request(const GateFlags& flags) {
  contract::Definition definition;
  std::vector<std::string> models;
  for (const std::string& folder : flags.model_files) {
    DOLMEN_TRY(const std::vector<std::filesystem::path> files, config_files_in(folder));
    for (const std::filesystem::path& file : files) {
      DOLMEN_TRY(std::string text, read_input(file, kModelBytesMax));
      // An error found here names the file's path on this machine.
      DOLMEN_TRY(const ModelSet set, parse_models(text, file.string()));
      for (const Model& model : set.models) models.push_back(model.name);
      definition.models.push_back({.name = file.filename(), .text = std::move(text)});
    }
  }
  definition.discriminator = flags.discriminator;
  DOLMEN_TRY(definition.kinds, kinds_of(flags, models));
  DOLMEN_TRY(const std::vector<SchemaRef> schemas, refs_of(flags.schemas));
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
  verb.texts("--models", flags.model_files,
             "DMS file, or a folder of them; not needed for a version that has been published")
      .shown_as("FILE");
  verb.texts("--model", flags.models, "Model to bind; all models of the files without this option").shown_as("NAME");
  verb.texts("--schema", flags.schemas, "Published document schema; used below in the place of MODEL")
      .shown_as("ID:VERSION");
  verb.text("--discriminator", flags.discriminator,
            "Attribute that holds the model of an item: the name of the model, or what --value says")
      .shown_as("NAME");
  verb.texts("--value", flags.values, "Value of the discriminator").shown_as("MODEL=TEXT");
  verb.texts("--prefix", flags.prefixes, "Prefix of the partition keys of the items of a model").shown_as("MODEL=TEXT");
  verb.texts("--sort-prefix", flags.sort_prefixes, "Prefix of the sort keys of the items of a model")
      .shown_as("MODEL=TEXT");
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
