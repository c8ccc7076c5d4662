#include "cli/schema.h"

#include <algorithm>
#include <fmt/format.h>
#include <memory>
#include <string>
#include <vector>

#include "cli/document_flags.h"
#include "cli/print_error.h"
#include "cli/response.h"
#include "cli/schema_generate.h"
#include "document/request.h"
#include "schema/limits.h"

namespace dolmen::cli {
namespace {

struct SchemaFlags : DocumentFlags {
  std::vector<std::string> files;
  std::string documents;
};

int publish(const SchemaFlags& flags) {
  auto opened = documents_in(open_or_create_store(flags.store));
  if (!opened) return report(opened.error(), flags.json);
  for (const std::string& file : flags.files) {
    const Result<std::string> text = read_input(file, limits::kSchemaBytes);
    if (!text) return report(text.error(), flags.json);
    // Mistakes are better told with the file's name.
    if (const Result<Schema> schema = parse_schema(*text, file); !schema) return report(schema.error(), flags.json);
    const Result<std::string> response =
        opened->call("PublishSchema", object_text([&](ObjectWriter& object) { object.text("text", *text); }));
    if (!response) return report(response.error(), flags.json);
    const Result<ObjectView> view = ObjectView::response(*response);
    if (!view) return report(view.error(), flags.json);
    if (flags.json)
      fmt::print("{}\n", *response);
    else
      fmt::print("published {} {}\n", view->shown("schema_id"), view->shown("schema_version"));
  }
  return 0;
}

/// Calls an operation and prints its response by `print(response)`.
template <class Print>
int call(const SchemaFlags& flags, std::string_view operation, const std::string& request, Print print) {
  auto opened = documents_in(open_store(flags.store));
  if (!opened) return report(opened.error(), flags.json);
  const Result<std::string> response = opened->call(operation, request);
  if (!response) return report(response.error(), flags.json);
  const Result<ObjectView> view = ObjectView::response(*response);
  if (!view) return report(view.error(), flags.json);
  if (flags.json)
    fmt::print("{}\n", *response);
  else
    print(*view);
  return 0;
}

int list(const SchemaFlags& flags) {
  return call(flags, "ListSchemas", "{}", [](const ObjectView& response) {
    const std::vector<ObjectView> schemas = objects_in(response, "schemas");
    if (schemas.empty()) fmt::print("no schemas\n");
    for (const ObjectView& schema : schemas)
      fmt::print("{} {}  sha256 {}\n", schema.shown("schema_id"), schema.shown("schema_version"),
                 schema.shown("sha256"));
  });
}

int show(const SchemaFlags& flags) {
  return call(flags, "DescribeSchema", document::request_for(flags.ref), [](const ObjectView& response) {
    const std::string text = response.shown("text");
    fmt::print("{}{}", text, text.ends_with('\n') ? "" : "\n");
    for (const ObjectView& index : objects_in(response, "indexes")) {
      const std::string reason = index.shown("reason");
      fmt::print("index {}  {}{}{}\n", index.shown("field"), index.shown("state"), reason.empty() ? "" : ": ", reason);
    }
  });
}

/// Each line is a document. Prints every violation; the number of documents that do not fit.
Result<std::size_t> validate_lines(const Schema& schema, const SchemaFlags& flags) {
  constexpr std::size_t kInputBytesMax = std::size_t{1} << 30;
  DOLMEN_TRY(const std::string input, read_input(flags.documents, kInputBytesMax));
  std::size_t invalid = 0;
  std::size_t line = 0;
  for (std::size_t at = 0; at < input.size(); ++line) {
    const std::size_t end = std::min(input.find('\n', at), input.size());
    const std::string_view text = std::string_view(input).substr(at, end - at);
    at = end + 1;
    if (text.find_first_not_of(" \t\r") == std::string_view::npos) continue;
    const Result<CheckedDocument> checked = validate_document(schema, text);
    if (checked) continue;
    ++invalid;
    for (const ErrorDetail& detail : checked.error().details())
      if (!flags.json)
        fmt::print("{}:{}: {}: {} ({})\n", flags.documents, line + 1, detail.path, detail.message, detail.rule);
  }
  return invalid;
}

int validate(const SchemaFlags& flags) {
  for (const std::string& file : flags.files) {
    const Result<std::string> text = read_input(file, limits::kSchemaBytes);
    if (!text) return report(text.error(), flags.json);
    const Result<Schema> schema = parse_schema(*text, file);
    if (!schema) return report(schema.error(), flags.json);
    std::size_t invalid = 0;
    if (!flags.documents.empty()) {
      const Result<std::size_t> counted = validate_lines(*schema, flags);
      if (!counted) return report(counted.error(), flags.json);
      invalid = *counted;
    }
    if (flags.json)
      fmt::print(R"({{"schema_id":"{}","schema_version":"{}","invalid_documents":{}}})"
                 "\n",
                 schema->ref.id, schema->ref.version, invalid);
    else
      fmt::print("{} is a valid schema, {}{}\n", file, to_string(schema->ref),
                 flags.documents.empty() ? "" : fmt::format("; {} documents do not fit it", invalid));
    if (invalid > 0) return 1;
  }
  return 0;
}

}  // namespace

void add_schema(const Verb& program) {
  const Verb verb = program.verb("schema", "Publish and show document schemas, which never change");
  const auto add = [&](const char* name, const char* help, int (*run)(const SchemaFlags&)) {
    auto flags = std::make_shared<SchemaFlags>();
    const Verb added = verb.verb(name, help);
    added.flag("--json", flags->json, "Print JSON");
    added.runs([flags, run] { return run(*flags); });
    return std::pair(added, flags);
  };
  const auto [publishing, publish_flags] = add("publish", "Publish schema files permanently", publish);
  publishing.arguments("FILE", publish_flags->files, "Schema file, in JSON; - is the standard input").required();
  add_store_flags(publishing, publish_flags->store);
  const auto [listing, list_flags] = add("list", "List the published schemas", list);
  add_store_flags(listing, list_flags->store);
  const auto [showing, show_flags] = add("show", "Print a published schema and its indexes", show);
  showing.text("ID", show_flags->ref.id, "Id of the schema").required();
  showing.text("VERSION", show_flags->ref.version, "Version of the schema").required();
  add_store_flags(showing, show_flags->store);
  const auto [validating, validate_flags] =
      add("validate", "Show everything that is wrong with a schema file, or with documents for it; changes nothing",
          validate);
  validating.arguments("FILE", validate_flags->files, "Schema file, in JSON; - is the standard input").required();
  validating
      .text("--documents", validate_flags->documents, "File with a document on each line; - is the standard input")
      .shown_as("FILE");
  add_schema_generate(verb);
}

}  // namespace dolmen::cli
