#pragma once

#include <optional>

#include "dolmen/expression.h"
#include "service/requests.h"

namespace dolmen {

/// Turns the expressions of one request into text, with a placeholder for each name and value that has none, and
/// gathers all placeholders of the request. What was written as text keeps its placeholders; when two expressions of a
/// request use the same one for different things, `finish` fails with kValidation.
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
  /// Made here, to be put in when all placeholders of the texts are known.
  std::map<std::string, std::string> made_names_;
  Item made_values_;
  std::optional<Error> conflict_;
};

}  // namespace dolmen
