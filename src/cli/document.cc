#include "cli/document.h"

#include <fmt/format.h>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "cli/check_files.h"
#include "cli/document_export.h"
#include "cli/document_flags.h"
#include "cli/document_import.h"
#include "cli/document_migrate.h"
#include "cli/print_error.h"
#include "config/read.h"
#include "document/request.h"
#include "schema/limits.h"

namespace dolmen::cli {
namespace {

using document::request_for;

struct ActionFlags : DocumentFlags {
  std::string argument;  ///< The document, the _id or the field.
  std::string file;
  std::string filter;
  std::string sort;
  std::optional<std::int64_t> limit;
  std::string cursor;
  bool descending = false;
  std::string expected_revision;
  std::string to;
};

/// The response to an operation, when the indexes that it has changed are built or gone.
Result<std::string> response_to(const ActionFlags& flags, std::string_view operation, const std::string& request) {
  DOLMEN_TRY(OpenedDocuments opened, documents_in(open_store(flags.store)));
  DOLMEN_TRY(std::string response, opened.call(operation, request));
  DOLMEN_TRY_VOID(opened.documents.wait_for_indexes());
  return response;
}

/// Calls an operation and prints its response by `print(response)`.
template <class Print>
int call(const ActionFlags& flags, std::string_view operation, const std::string& request, Print print) {
  const Result<std::string> response = response_to(flags, operation, request);
  if (!response) return report(response.error(), flags.json);
  const Result<ObjectView> view = ObjectView::response(*response);
  if (!view) return report(view.error(), flags.json);
  if (flags.json)
    fmt::print("{}\n", *response);
  else
    print(*view);
  return 0;
}

/// For responses that are shown as they are.
int print_response(const ActionFlags& flags, std::string_view operation, const std::string& request) {
  const Result<std::string> response = response_to(flags, operation, request);
  if (!response) return report(response.error(), flags.json);
  fmt::print("{}\n", *response);
  return 0;
}

/// The document of the command line, of a file, or of the standard input.
Result<std::string> document_of(const ActionFlags& flags) {
  if (!flags.file.empty()) return read_input(flags.file, limits::kDocumentTextBytes);
  if (flags.argument == "-" || flags.argument.empty()) return read_input("-", limits::kDocumentTextBytes);
  return flags.argument;
}

/// Calls an operation with the document, and prints `done`, with the revision if the response has one.
int write_document(const ActionFlags& flags, std::string_view operation, std::string_view done) {
  const Result<std::string> document = document_of(flags);
  if (!document) return report(document.error(), flags.json);
  const std::string request = request_for(flags.ref, [&](ObjectWriter& object) {
    object.text("text", *document);
    if (!flags.to.empty()) object.text("to_version", flags.to);
    if (!flags.expected_revision.empty()) object.text("expected_revision", flags.expected_revision);
  });
  return call(flags, operation, request, [&](const ObjectView& response) {
    const std::string revision = response.shown("revision");
    fmt::print("{}{}\n", done, revision.empty() ? "" : ", revision " + revision);
  });
}

int insert(const ActionFlags& flags) { return write_document(flags, "InsertDocument", "inserted"); }
int update(const ActionFlags& flags) { return write_document(flags, "UpdateDocument", "updated"); }
int move(const ActionFlags& flags) { return write_document(flags, "MoveDocument", "moved"); }
int validate(const ActionFlags& flags) { return write_document(flags, "ValidateDocument", "valid"); }

std::string request_by_id(const ActionFlags& flags) {
  return request_for(flags.ref, [&](ObjectWriter& object) {
    object.text("_id", flags.argument);
    if (!flags.expected_revision.empty()) object.text("expected_revision", flags.expected_revision);
  });
}

int get(const ActionFlags& flags) {
  return call(flags, "GetDocument", request_by_id(flags), [](const ObjectView& response) {
    fmt::print("{}\n", response.find("document").value_or(""));
    fmt::print(stderr, "revision {}\n", response.shown("revision"));
  });
}

int remove(const ActionFlags& flags) {
  return call(flags, "DeleteDocument", request_by_id(flags), [](const ObjectView& response) {
    fmt::print("{}\n", response.flag("deleted").value_or(false) ? "deleted" : "there is no such document");
  });
}

std::string question(const ActionFlags& flags) {
  return request_for(flags.ref, [&](ObjectWriter& object) {
    object.json("filter", flags.filter.empty() ? "{}" : flags.filter);
    if (flags.limit) object.number("limit", *flags.limit);
    if (!flags.cursor.empty()) object.text("cursor", flags.cursor);
    if (!flags.sort.empty()) document::write_sort(object, {.field = flags.sort, .descending = flags.descending});
  });
}

void print_page(const ObjectView& response) {
  const auto documents = response.list("documents").value_or(std::vector<std::string_view>());
  for (const std::string_view document : documents) fmt::print("{}\n", document);
  const std::string cursor = response.shown("cursor");
  fmt::print(stderr, "{}{}\n", counted(documents.size(), "document", "documents"),
             cursor.empty() ? "" : "; continue with --cursor " + cursor);
}

int query(const ActionFlags& flags) { return call(flags, "QueryDocuments", question(flags), print_page); }

int list(const ActionFlags& flags) {
  const std::string request = request_for(flags.ref, [&](ObjectWriter& object) {
    if (flags.limit) object.number("limit", *flags.limit);
    if (!flags.cursor.empty()) object.text("cursor", flags.cursor);
  });
  return call(flags, "ListDocuments", request, print_page);
}

int explain(const ActionFlags& flags) { return print_response(flags, "ExplainQuery", question(flags)); }

std::string request_for_index(const ActionFlags& flags) {
  return request_for(flags.ref, [&](ObjectWriter& object) { object.text("field", flags.argument); });
}

int create_index(const ActionFlags& flags) {
  return call(flags, "CreateIndex", request_for_index(flags),
              [&](const ObjectView&) { fmt::print("declared and built the index on {}\n", flags.argument); });
}

int rebuild_index(const ActionFlags& flags) {
  return call(flags, "RebuildIndex", request_for_index(flags),
              [&](const ObjectView&) { fmt::print("built the index on {} again\n", flags.argument); });
}

int drop_index(const ActionFlags& flags) {
  return call(flags, "DropIndex", request_for_index(flags), [&](const ObjectView& response) {
    const bool dropped = response.flag("dropped").value_or(false);
    fmt::print("{} on {}\n", dropped ? "dropped the index" : "there is no index", flags.argument);
  });
}

int indexes(const ActionFlags& flags) { return print_response(flags, "ListIndexes", request_for(flags.ref)); }

/// What is wrong with the text of a filter, as far as it is not about fields.
std::string filter_problem(const std::string& filter) {
  const config::Reading reading = config::read_json(filter, {.bytes = limits::kDocumentTextBytes});
  if (!reading.problems.empty()) return fmt::format("\"{}\" is not JSON: {}", filter, problems_text(reading.problems));
  const bool is_map = reading.root && reading.root->kind == config::Node::Kind::kMap;
  return is_map ? "" : fmt::format("\"{}\" is not a JSON object", filter);
}

struct Added {
  Verb verb;
  std::shared_ptr<ActionFlags> flags;
};

Added add(const Verb& parent, const char* name, const char* help, int (*run)(const ActionFlags&)) {
  auto flags = std::make_shared<ActionFlags>();
  const Verb verb = parent.verb(name, help);
  add_ref_flags(verb, flags->ref);
  add_store_flags(verb, flags->store);
  verb.flag("--json", flags->json, "Print JSON");
  verb.runs([flags, run] { return run(*flags); });
  return {verb, flags};
}

void add_input(const Added& added) {
  added.verb.text("DOCUMENT", added.flags->argument, "The document, as JSON; - or nothing reads the standard input");
  added.verb.text("--file", added.flags->file, "File that holds the document").shown_as("FILE");
}

void add_expected_revision(const Added& added) {
  added.verb
      .text("--expected-revision", added.flags->expected_revision,
            "Do it only if this is the document's revision; every answer has one")
      .shown_as("REVISION")
      .not_empty();
}

void add_cursor(const Added& added) {
  added.verb.text("--cursor", added.flags->cursor, "Continue after the previous page, which printed the cursor");
}

void add_question(const Added& added) {
  added.verb
      .text("--filter", added.flags->filter,
            R"(Conditions on indexed fields, such as {"age": 30} or {"age": {"$gte": 18, "$lt": 65}})")
      .shown_as("JSON")
      .checked_by(filter_problem);
  added.verb.text("--sort", added.flags->sort, "Field to sort by; it must have an index").shown_as("FIELD");
  added.verb.flag("--descending", added.flags->descending, "Sort in descending order");
  added.verb.number("--limit", added.flags->limit, "Largest number of documents, 1 to 1000; required", {1, 1000});
  add_cursor(added);
}

void add_import(const Verb& parent) {
  auto flags = std::make_shared<ImportFlags>();
  const Verb verb =
      parent.verb("import", "Insert every line of a file; rejected lines are written to another file with the reasons");
  add_ref_flags(verb, flags->ref);
  add_store_flags(verb, flags->store);
  verb.text("FILE", flags->file, "File with a document on each line").required();
  verb.text("--rejected", flags->rejected, "File for rejected lines; FILE.rejected.jsonl without this option")
      .shown_as("FILE");
  verb.flag("--all-or-none", flags->all_or_none,
            "Check all lines first, and import nothing if a line is invalid or its _id is taken");
  verb.flag("--json", flags->json, "Print JSON");
  verb.runs([flags] { return import_documents(*flags); });
}

void add_index(const Verb& parent, const char* name, const char* help, int (*run)(const ActionFlags&)) {
  const Added index = add(parent, name, help, run);
  index.verb.text("FIELD", index.flags->argument, "Scalar field, such as age or address.city").required();
}

void add_export(const Verb& parent) {
  auto flags = std::make_shared<ExportFlags>();
  const Verb verb = parent.verb("export", "Write all documents of a version, or of all, each on a line");
  add_ref_flags(verb, flags->ref);
  add_store_flags(verb, flags->store);
  verb.text("--to", flags->to, "New file for the documents, or folder with --all; the standard output without it")
      .shown_as("PATH");
  verb.flag("--all", flags->all, "All schemas and their documents, each version in a file of its own");
  verb.flag("--json", flags->json, "Print JSON");
  verb.runs([flags] { return export_documents(*flags); });
}

void add_migrate(const Verb& parent) {
  auto flags = std::make_shared<MigrateFlags>();
  const Verb verb =
      parent.verb("migrate", "Move all documents of a version to another; interrupted, the same command goes on");
  add_ref_flags(verb, flags->ref);
  add_store_flags(verb, flags->store);
  verb.text("--to", flags->to, "Version that the documents move to").shown_as("VERSION").required();
  const Option mapping =
      verb.text("--mapping", flags->mapping, "File that says how documents change: rename, remove, convert, add")
          .shown_as("FILE");
  verb.text("--command", flags->command,
            "Shell command that reads a document on each line and prints what it becomes on one line, such as "
            "\"jq -c '.nick = .name'\"")
      .shown_as("COMMAND")
      .not_with(mapping);
  verb.text("--rejected", flags->rejected,
            "File for documents that do not fit; ID_VERSION_to_VERSION.rejected.jsonl without this option")
      .shown_as("FILE");
  verb.flag("--dry-run", flags->dry_run, "Only check what all documents would become");
  verb.flag("--json", flags->json, "Print JSON");
  verb.runs([flags] { return migrate_documents(*flags); });
}

}  // namespace

void add_document(const Verb& program) {
  const Verb verb = program.verb("document", "Write, read, query and import documents that fit a schema");
  add_input(add(verb, "insert", "Insert a document", insert));
  const Added updating = add(verb, "update", "Replace a whole document", update);
  add_input(updating);
  add_expected_revision(updating);
  const Added moving = add(verb, "move", "Move a document to another version of its schema", move);
  add_input(moving);
  moving.verb.text("--to", moving.flags->to, "Version that the document moves to").shown_as("VERSION").required();
  add_expected_revision(moving);
  add_input(add(verb, "validate", "Check a document against a published schema", validate));
  const Added getting = add(verb, "get", "Print a document", get);
  getting.verb.text("ID", getting.flags->argument, "The _id of the document").required();
  const Added deleting = add(verb, "delete", "Delete a document", remove);
  deleting.verb.text("ID", deleting.flags->argument, "The _id of the document").required();
  add_expected_revision(deleting);
  const Added listing = add(verb, "list", "Print all documents of a version, page by page", list);
  listing.verb.number("--limit", listing.flags->limit, "Largest number of documents; 100 without this option",
                      {1, 1000});
  add_cursor(listing);
  add_question(add(verb, "query", "Find documents by indexed fields", query));
  add_question(add(verb, "explain", "Show how a query would be carried out, or why it cannot be", explain));
  add_index(verb, "create-index", "Declare an index and build it; refused when a document cannot be in it",
            create_index);
  add_index(verb, "rebuild-index", "Build an index again from the documents, also one that has failed", rebuild_index);
  add_index(verb, "drop-index", "Remove an index, also one that has failed", drop_index);
  add(verb, "indexes", "List the indexes of a schema", indexes);
  add_import(verb);
  add_export(verb);
  add_migrate(verb);
}

}  // namespace dolmen::cli
