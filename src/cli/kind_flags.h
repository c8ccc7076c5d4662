#pragma once

#include <string>
#include <vector>

#include "cli/command_line.h"
#include "contract/definition.h"
#include "dolmen/error.h"

namespace dolmen::cli {

/// Which kinds of items a table has, and how they are told apart.
struct KindFlags {
  std::vector<std::string> model_files;
  /// Names of models; all of the files when there are none.
  std::vector<std::string> models;
  /// ID:VERSION of published schemas.
  std::vector<std::string> schemas;
  std::string discriminator;
  /// KIND=TEXT, where KIND is the name of a model or ID:VERSION of a schema.
  std::vector<std::string> values;
  std::vector<std::string> prefixes;
  std::vector<std::string> sort_prefixes;
};

/// Adds --discriminator, --value, --prefix and --sort-prefix.
void add_kind_flags(const Verb& verb, KindFlags& flags);

/// Adds --model for files, --only for names of models, and what `add_kind_flags` adds.
void add_model_flags(const Verb& verb, KindFlags& flags);

/// The texts of the files, and a kind for each model and schema, without the texts of schemas. With `table` and without
/// names, only the models of that table count, unless no model of the files is of it. Fails as `parse_models` does and
/// with kInvalidArgument.
Result<contract::Definition> definition_of(const KindFlags& flags, const std::string& table = {});

/// The schemas that the flags name.
Result<std::vector<SchemaRef>> schemas_of(const KindFlags& flags);

}  // namespace dolmen::cli
