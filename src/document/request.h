#pragma once

#include <initializer_list>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "dolmen/documents.h"

namespace dolmen::document {

/// A request of the document protocol: the members of a JSON object, each as it was written. Refers to the text that it
/// was read from.
class RequestView {
 public:
  /// Fails with kSerialization when the text is not a JSON object, and with kQueryInvalid for a member that is not
  /// among `allowed`.
  static Result<RequestView> read(std::string_view text, std::initializer_list<std::string_view> allowed);

  /// `schema_id` and `schema_version`. Fails with kSchemaRequired unless both are strings.
  [[nodiscard]] Result<SchemaRef> ref() const;

  /// The value as it was written.
  [[nodiscard]] Result<std::string_view> json(std::string_view name) const;
  /// A string. Fails with kQueryInvalid when it is missing or something else.
  [[nodiscard]] Result<std::string> text(std::string_view name) const;
  /// The same for a member that may be missing.
  [[nodiscard]] Result<std::optional<std::string>> optional_text(std::string_view name) const;

  /// filter, sort, limit and cursor.
  [[nodiscard]] Result<DocumentQuery> query() const;

 private:
  [[nodiscard]] std::optional<std::string_view> find(std::string_view name) const;
  [[nodiscard]] Result<std::optional<DocumentSort>> sort() const;

  std::map<std::string, std::string_view, std::less<>> members_;
};

}  // namespace dolmen::document
