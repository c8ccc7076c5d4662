#pragma once

#include <cstddef>
#include <string>

#include "cli/document_flags.h"

namespace dolmen::cli {

struct ImportFlags : DocumentFlags {
  std::string file;
  /// Where rejected lines go; FILE.rejected.jsonl when it is empty.
  std::string rejected;
  /// Looks at all lines first and imports none if one does not fit.
  bool all_or_none = false;
};

/// Imports a file with a document on each line. Each is there as a whole, with its index entries, or not at all; a line
/// that is there already, as it is, is left alone, so an import that was interrupted is simply repeated. Rejected lines
/// are written to a file with their reasons. Returns the exit code: 1 when there are any.
int import_documents(const ImportFlags& flags);

}  // namespace dolmen::cli
