#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "config/node.h"
#include "dolmen/error.h"
#include "dolmen/schema.h"

namespace dolmen::document {

/// How documents of one version of a schema become documents of another. A file of YAML or JSON says it:
///
///     rename: {mail: email, address.town: address.city}   # what a field is called now, and then
///     remove: [nick]                                      # fields that are left out
///     convert: [age]                                      # scalars that get the type that the new version declares
///     add: {active: true}                                 # values for documents that do not have the field
///
/// The four are applied in this order; each may be missing. Paths lead through objects, not into arrays.
class Mapping {
 public:
  /// Fails with kQueryInvalid; the details name every mistake with file, line and column: also fields that the versions
  /// do not have.
  static Result<Mapping> read(std::string_view text, std::string_view file_name, const Schema& from, const Schema& to);

  /// The document of the new version that a document of the old one becomes. Does not check it against the new version.
  /// Fails with kSchemaValidationFailed when a value cannot be converted or a new name is taken; the rules are
  /// `convert` and `rename`.
  [[nodiscard]] Result<std::string> apply(std::string_view document) const;

 private:
  friend class MappingReader;

  struct Rename {
    std::string from;
    std::string to;
  };
  struct Conversion {
    std::string path;
    FieldType type = FieldType::kString;
  };
  struct Addition {
    std::string path;
    config::Node value;
  };

  SchemaRef to_;
  std::vector<Rename> renames_;
  std::vector<std::string> removals_;
  std::vector<Conversion> conversions_;
  std::vector<Addition> additions_;
};

}  // namespace dolmen::document
