#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dolmen/error.h"
#include "dolmen/schema.h"
#include "protocol/object_view.h"
#include "protocol/object_writer.h"

namespace dolmen::contract {

/// A file of models, kept as it was given.
struct ModelFile {
  std::string name;
  std::string text;
};

/// One kind of item in a table, and how it is told from the others: by all that is given of prefixes and value.
struct Kind {
  /// Either a model or a schema.
  std::string model;
  SchemaRef schema;
  std::string partition_prefix;
  std::string sort_prefix;
  /// Of the discriminator.
  std::optional<std::string> value;
};

/// What a version of a contract says, as it was published. Never changes.
struct Definition {
  std::vector<ModelFile> models;
  /// Texts of document schemas.
  std::vector<std::string> schemas;
  /// The attribute that says which kind an item is; may be empty.
  std::string discriminator;
  /// An item is of the first kind that it matches. Without any, every model and schema is a kind. With a discriminator,
  /// a kind that is given neither value nor prefix has the name of the model, or the id of the schema, as its value.
  std::vector<Kind> kinds;

  [[nodiscard]] bool empty() const {
    return models.empty() && schemas.empty() && discriminator.empty() && kinds.empty();
  }
};

/// The text of a published schema; fails with kSchemaRequired, kUnknownSchema or kUnknownSchemaVersion.
using SchemaText = std::function<Result<std::string>(const SchemaRef& ref)>;

/// Reads the members models, schemas, discriminator and kinds of a request, which names schemas; other members are not
/// looked at. Fails with kQueryInvalid, and as `schema_text` does.
Result<Definition> definition_in(const ObjectView& request, const SchemaText& schema_text);

/// The same text for the same definition: a JSON object without what is empty.
std::string text_of(const Definition& definition);
/// Writes the members of that object.
void write_definition(ObjectWriter& object, const Definition& definition);
/// Reads the text of `text_of`, which holds the schemas themselves. Fails with kQueryInvalid.
Result<Definition> stored_definition(std::string_view text);

}  // namespace dolmen::contract
