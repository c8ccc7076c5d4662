#include "cli/document.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>

#include "cli/document_flags.h"
#include "cli/document_import.h"
#include "document/request.h"
#include "schema/json_scanner.h"
#include "schema/limits.h"

namespace dolmen::cli {
namespace {

struct ActionFlags : DocumentFlags {
  std::string argument;  ///< The document, the _id or the field.
  std::string file;
  std::string filter;
  std::string sort;
  std::string limit;
  std::string cursor;
  bool descending = false;
};

/// Calls an operation and prints its response by `print(response)`.
template <class Print>
int call(const ActionFlags& flags, std::string_view operation, std::string request, Print print) {
  auto opened = open_documents(flags.store);
  if (!opened) return report(opened.error(), flags.json);
  const Result<std::string> response = opened->call(operation, std::move(request));
  if (!response) return report(response.error(), flags.json);
  if (const Result<void> built = opened->documents.wait_for_indexes(); !built) return report(built.error(), flags.json);
  if (flags.json)
    fmt::print("{}\n", *response);
  else
    print(*response);
  return 0;
}

/// The document of the command line, of a file, or of the standard input.
Result<std::string> document_of(const ActionFlags& flags) {
  if (!flags.file.empty()) return read_input(flags.file, limits::kDocumentTextBytes);
  if (flags.argument == "-" || flags.argument.empty()) return read_input("-", limits::kDocumentTextBytes);
  return flags.argument;
}

int write(const ActionFlags& flags, std::string_view operation, std::string_view done) {
  const Result<std::string> document = document_of(flags);
  if (!document) return report(document.error(), flags.json);
  std::string request = request_for(flags.ref);
  add_member(request, "text", *document);
  return call(flags, operation, request + "}", [&](const std::string&) { fmt::print("{}\n", done); });
}

int insert(const ActionFlags& flags) { return write(flags, "InsertDocument", "inserted"); }
int update(const ActionFlags& flags) { return write(flags, "UpdateDocument", "updated"); }
int validate(const ActionFlags& flags) { return write(flags, "ValidateDocument", "valid"); }

int get(const ActionFlags& flags) {
  std::string request = request_for(flags.ref);
  add_member(request, "_id", flags.argument);
  return call(flags, "GetDocument", request + "}", [](const std::string& response) {
    constexpr std::size_t kBefore = 12;  // {"document":
    fmt::print("{}\n", response.substr(kBefore, response.size() - kBefore - 1));
  });
}

int remove(const ActionFlags& flags) {
  std::string request = request_for(flags.ref);
  add_member(request, "_id", flags.argument);
  return call(flags, "DeleteDocument", request + "}", [](const std::string& response) {
    fmt::print("{}\n", response == R"({"deleted":true})" ? "deleted" : "there was no such document");
  });
}

std::string question(const ActionFlags& flags) {
  std::string request = request_for(flags.ref);
  add_json_member(request, "filter", flags.filter.empty() ? "{}" : flags.filter);
  if (!flags.limit.empty()) add_json_member(request, "limit", flags.limit);
  if (!flags.cursor.empty()) add_member(request, "cursor", flags.cursor);
  if (!flags.sort.empty()) {
    std::string sort = "{";
    add_member(sort, "field", flags.sort);
    add_member(sort, "order", flags.descending ? "desc" : "asc");
    add_json_member(request, "sort", "[" + sort + "}]");
  }
  return request + "}";
}

/// Prints each element of the list that `documents` holds on a line; how many there are.
std::size_t print_elements(std::string_view documents) {
  schema::JsonScanner scanner(documents);
  scanner.expect('[', "");
  std::size_t count = 0;
  for (scanner.peek(); !scanner.failed() && !scanner.accept(']'); scanner.accept(','), scanner.peek(), ++count) {
    const std::size_t start = scanner.position();
    scanner.skip(limits::kDocumentNesting);
    fmt::print("{}\n", documents.substr(start, scanner.position() - start));
  }
  return count;
}

int query(const ActionFlags& flags) {
  return call(flags, "QueryDocuments", question(flags), [](const std::string& response) {
    const auto page = document::RequestView::read(response, {"documents", "cursor"});
    if (!page) return;
    const std::size_t count = print_elements(page->json("documents").value_or("[]"));
    const std::optional<std::string> cursor = page->optional_text("cursor").value_or(std::nullopt);
    fmt::print(stderr, "{} documents{}\n", count, cursor ? "; go on with --cursor " + *cursor : "");
  });
}

int explain(const ActionFlags& flags) {
  return call(flags, "ExplainQuery", question(flags),
              [](const std::string& response) { fmt::print("{}\n", response); });
}

int create_index(const ActionFlags& flags) {
  std::string request = request_for(flags.ref);
  add_member(request, "field", flags.argument);
  return call(flags, "CreateIndex", request + "}",
              [&](const std::string&) { fmt::print("the index on {} is declared\n", flags.argument); });
}

int indexes(const ActionFlags& flags) {
  return call(flags, "ListIndexes", request_for(flags.ref) + "}",
              [](const std::string& response) { fmt::print("{}\n", response); });
}

struct Added {
  CLI::App* action;
  std::shared_ptr<ActionFlags> flags;
};

Added add(CLI::App& verb, int& exit_code, const char* name, const char* help, int (*run)(const ActionFlags&)) {
  auto flags = std::make_shared<ActionFlags>();
  CLI::App* action = verb.add_subcommand(name, help);
  add_ref_flags(*action, flags->ref);
  add_store_flags(*action, flags->store);
  action->add_flag("--json", flags->json, "Print JSON");
  action->callback([flags, run, &exit_code] { exit_code = run(*flags); });
  return {action, flags};
}

void add_question(const Added& added) {
  added.action->add_option("--filter", added.flags->filter,
                           R"(Conditions on indexed fields, such as {"age": 30} or {"age": {"$gte": 18, "$lt": 65}})");
  added.action->add_option("--sort", added.flags->sort, "Field to sort by, which has an index");
  added.action->add_flag("--descending", added.flags->descending, "The other way round");
  added.action->add_option("--limit", added.flags->limit, "1 to 1000 documents; there is no default");
  added.action->add_option("--cursor", added.flags->cursor, "Where the page before has ended");
}

void add_import(CLI::App& verb, int& exit_code) {
  auto flags = std::make_shared<ImportFlags>();
  CLI::App* action = verb.add_subcommand("import", "Insert every line of a file; rejected lines are kept with reasons");
  add_ref_flags(*action, flags->ref);
  add_store_flags(*action, flags->store);
  action->add_option("FILE", flags->file, "A document on each line")->required();
  action->add_option("--rejected", flags->rejected, "Where rejected lines go; FILE.rejected.jsonl");
  action->add_flag("--all-or-none", flags->all_or_none,
                   "Check all lines first, and import none if one does not fit or has an _id that is taken");
  action->add_flag("--json", flags->json, "Print JSON");
  action->callback([flags, &exit_code] { exit_code = import_documents(*flags); });
}

}  // namespace

void add_document(CLI::App& app, int& exit_code) {
  CLI::App* verb = app.add_subcommand("document", "Write, read, query and import documents that fit a schema");
  verb->require_subcommand(1);
  for (const auto& [name, help, run] :
       {std::tuple("insert", "Insert a document", &insert),
        std::tuple("update", "Replace a document as a whole", &update),
        std::tuple("validate", "Check a document against a published schema", &validate)}) {
    const Added added = add(*verb, exit_code, name, help, run);
    added.action->add_option("DOCUMENT", added.flags->argument, "The document, as JSON; - is the standard input");
    added.action->add_option("--file", added.flags->file, "A file that holds it");
  }
  for (const auto& [name, help, run] :
       {std::tuple("get", "Print a document", &get), std::tuple("delete", "Delete a document", &remove)}) {
    const Added added = add(*verb, exit_code, name, help, run);
    added.action->add_option("ID", added.flags->argument, "Its _id")->required();
  }
  add_question(add(*verb, exit_code, "query", "Find documents by indexed fields", query));
  add_question(add(*verb, exit_code, "explain", "Say how a query would be carried out, or why not", explain));
  const Added index = add(*verb, exit_code, "create-index", "Declare an index, for good, and build it", create_index);
  index.action->add_option("FIELD", index.flags->argument, "A scalar field such as age or address.city")->required();
  add(*verb, exit_code, "indexes", "List the indexes of a schema", indexes);
  add_import(*verb, exit_code);
}

}  // namespace dolmen::cli
