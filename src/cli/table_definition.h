#pragma once

#include <string>
#include <vector>

#include "dolmen/error.h"
#include "dolmen/table.h"

/// Tables as the command line describes them.
namespace dolmen::cli {

/// "topic:S,written:N": attributes with their types; S when there is none. Fails with kInvalidArgument.
Result<std::vector<KeyAttribute>> parse_keys(const std::string& text);

struct IndexFlags {
  /// "NAME:PARTITION[,SORT]", each with its type, as in "by-author:author:S,written:N". A key of the table needs none.
  std::vector<std::string> global;
  /// "NAME:SORT"; the partition key is that of the table.
  std::vector<std::string> local;
  /// See vector_definition.h.
  std::vector<std::string> vectors;
  /// "INDEX=all", "INDEX=keys" or "INDEX=attribute,attribute".
  std::vector<std::string> projections;
};

/// Adds the keys and indexes to a definition. Fails with kInvalidArgument.
Result<void> add_keys(TableDefinition& table, const std::string& keys);
Result<void> add_indexes(TableDefinition& table, const IndexFlags& flags);

/// "keys-only", "new-image", "old-image" or "new-and-old-images", also as DynamoDB writes them.
Result<StreamView> parse_stream_view(const std::string& text);

}  // namespace dolmen::cli
