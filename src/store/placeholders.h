#pragma once

#include <optional>

#include "dolmen/expression.h"
#include "service/requests.h"

namespace dolmen {

/// Converts the expressions of one request to text, with a placeholder for each name and value that has none, and
/// collects all placeholders of the request. Expressions that were given as text keep their placeholders. `finish`
/// fails with kValidation when two expressions use the same placeholder for different names or values.
class PlaceholderWriter {
 public:
  /// Nothing for an empty expression.
  std::optional<Expression> write(const Condition& condition);
  std::optional<Expression> write(const Update& update);
  std::optional<Expression> write(const Projection& projection);

  Result<expr::Placeholders> finish();

 private:
  std::optional<Expression> text_of(const detail::ExpressionPieces& pieces);
  void take(const detail::GivenValues& values);
  void take(const detail::GivenNames& names);
  std::string placeholder_of_name(const std::string& name);
  std::string placeholder_of_value(const AttributeValue& value);

  expr::Placeholders placeholders_;
  /// Generated placeholders, which are added once all placeholders of the texts are known.
  std::map<std::string, std::string> made_names_;
  Item made_values_;
  std::optional<Error> conflict_;
};

}  // namespace dolmen
