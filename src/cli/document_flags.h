#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "cli/command_line.h"
#include "cli/store_flags.h"
#include "dolmen/documents.h"
#include "dolmen/schema.h"

namespace dolmen::cli {

/// What the verbs about schemas and documents have in common.
struct DocumentFlags {
  StoreFlags store;
  SchemaRef ref;
  bool json = false;
};

/// Adds --schema and --version.
void add_ref_flags(const Verb& verb, SchemaRef& ref);

/// An open store and the operations of documents on it.
struct OpenedDocuments {
  std::unique_ptr<Store> store;
  Documents documents;

  /// An operation of the document protocol (document/operations.h).
  Result<std::string> call(std::string_view operation, const std::string& body);
};

/// The documents of a store that was opened, or the reason why it was not.
Result<OpenedDocuments> documents_in(Result<std::unique_ptr<Store>> opened);

/// The bytes of a file, or of the standard input for "-". Fails with kIo.
Result<std::string> read_input(const std::string& file, std::size_t bytes_max);

}  // namespace dolmen::cli
