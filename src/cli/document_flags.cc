#include "cli/document_flags.h"

#include <fmt/format.h>
#include <fstream>
#include <iostream>
#include <iterator>

#include "base/fail.h"
#include "config/read.h"
#include "document/operations.h"

namespace dolmen::cli {

void add_ref_flags(const Verb& verb, SchemaRef& ref) {
  verb.text("--schema,--schema-id", ref.id, "Id of the schema; required").shown_as("ID");
  verb.text("--version,--schema-version", ref.version, "Version of the schema; required").shown_as("VERSION");
}

Result<OpenedDocuments> documents_in(Result<std::unique_ptr<Store>> opened) {
  DOLMEN_TRY(std::unique_ptr<Store> store, std::move(opened));
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

}  // namespace dolmen::cli
