#include "cli/document_flags.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fstream>
#include <iostream>
#include <iterator>

#include "base/fail.h"
#include "config/read.h"
#include "document/operations.h"
#include "protocol/errors.h"
#include "value/json.h"

namespace dolmen::cli {

void add_ref_flags(CLI::App& verb, SchemaRef& ref) {
  verb.add_option("--schema,--schema-id", ref.id, "Id of the schema")->type_name("ID");
  verb.add_option("--version,--schema-version", ref.version, "Version of the schema; there is no default")
      ->type_name("VERSION");
}

Result<OpenedDocuments> open_documents(const StoreFlags& flags) {
  DOLMEN_TRY(std::unique_ptr<Store> store, open_store(flags, "./data"));
  DOLMEN_TRY(Documents documents, Documents::open(*store));
  return OpenedDocuments{.store = std::move(store), .documents = std::move(documents)};
}

Result<std::string> OpenedDocuments::call(std::string_view operation, const std::string& body) {
  return document::execute(documents, operation, body);
}

Result<std::string> read_input(const std::string& file, std::size_t bytes_max) {
  if (file != "-") return config::read_file(file, {.bytes = bytes_max});
  std::string text{std::istreambuf_iterator<char>(std::cin), {}};
  if (text.size() > bytes_max) return fail(Code::kIo, "the input is larger than the limit of {} bytes", bytes_max);
  return text;
}

std::string request_for(const SchemaRef& ref) {
  std::string request = "{";
  add_member(request, "schema_id", ref.id);
  add_member(request, "schema_version", ref.version);
  return request;
}

void add_member(std::string& request, std::string_view name, std::string_view text) {
  std::string json;
  json::append_string(json, text);
  add_json_member(request, name, json);
}

void add_json_member(std::string& request, std::string_view name, std::string_view json) {
  if (request.back() != '{') request.push_back(',');
  json::append_string(request, name);
  request.append(":").append(json);
}

int report(const Error& error, bool json) {
  if (json) {
    fmt::print("{}\n", error_body(error));
    return 1;
  }
  fmt::print(stderr, "dolmen: {}: {}\n", code_name(error.code()), error.message());
  for (const ErrorDetail& detail : error.details())
    fmt::print(stderr, "  {}: {} ({})\n", detail.path, detail.message, detail.rule);
  return 1;
}

}  // namespace dolmen::cli
