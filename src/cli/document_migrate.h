#pragma once

#include <string>

#include "cli/document_flags.h"

namespace dolmen::cli {

struct MigrateFlags : DocumentFlags {
  /// The version that the documents move to.
  std::string to;
  /// How they change: a mapping file (document/mapping.h), or a shell command. They move as they are when both are
  /// empty.
  std::string mapping;
  std::string command;
  /// Where documents that do not fit the new version are written to.
  std::string rejected;
  bool dry_run = false;
};

/// Moves all documents of one version of a schema to another, each in one write and only if nobody has changed it since
/// it was read. Those that have moved are no longer in the old version, so a migration that was interrupted is simply
/// repeated. Documents that do not fit stay where they are, and are written to a file with the reasons. Returns the
/// exit code: 1 when there are any.
int migrate_documents(const MigrateFlags& flags);

}  // namespace dolmen::cli
