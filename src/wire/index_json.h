#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "dolmen/error.h"
#include "dolmen/table.h"
#include "wire/parameters.h"

/// The keys and projections of tables and indexes in requests.
namespace dolmen::wire {

struct KeyElement {
  std::string name;
  bool is_hash = false;
};

/// KeySchema of a table or an index.
std::vector<KeyElement> read_key_schema(const Parameters& parameters);

/// AttributeDefinitions; an empty list when they are missing.
using Definitions = std::vector<KeyAttribute>;
Result<Definitions> read_attribute_definitions(const Parameters& parameters);
/// Null when the attribute is not defined.
const KeyAttribute* find_definition(const Definitions& definitions, std::string_view name);

/// What an index carries besides its keys.
struct IndexProjection {
  ProjectionType type = ProjectionType::kAll;
  std::vector<std::string> included = {};
};
Result<IndexProjection> read_index_projection(const Parameters& parameters);

/// The name, keys and projection of an index that has up to `each_max` partition and sort attributes.
Result<IndexDefinition> read_index(const Parameters& parameters, const Definitions& definitions, std::size_t each_max);

}  // namespace dolmen::wire
