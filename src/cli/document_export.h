#pragma once

#include <string>

#include "cli/document_flags.h"

namespace dolmen::cli {

struct ExportFlags : DocumentFlags {
  /// Where the documents go: a file, or the standard output when it is empty; with `all` a folder.
  std::string to;
  /// All documents of all versions of all schemas, each version in a file of its own, with the schemas beside them.
  bool all = false;
};

/// Writes all documents of a version, each on a line, in the order of `_id`; `document import` reads such files.
/// Returns the exit code.
int export_documents(const ExportFlags& flags);

}  // namespace dolmen::cli
