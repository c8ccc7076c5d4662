#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dolmen/value.h"

/// A second parser of DynamoDB's expressions, written independently of src/expr and compared with it. It tries one form
/// after the other where src/expr decides by the next token, and only accepts or refuses where src/expr explains. They
/// share only the list of reserved words, which is data from AWS.
namespace dolmen::reference {

/// An expression with its placeholders.
struct Request {
  std::string text;
  std::map<std::string, std::string> names;  ///< "#a" -> attribute
  Item values;                               ///< ":v" -> value
};

/// One part of a document path: a name, or an index written in digits.
struct Step {
  bool is_index = false;
  std::string text;

  friend bool operator==(const Step&, const Step&) = default;
};
using Steps = std::vector<Step>;

struct Term {
  /// "path", "value", a function's name, an operator as it is written in upper case, or for an action of an update its
  /// section: SET (path, what it is set to), REMOVE (path), ADD and DELETE (path, value).
  std::string what;
  Steps path;
  AttributeValue value;
  std::vector<Term> parts;
  int parentheses = 0;
};

/// Each returns nothing when DynamoDB would refuse the request for every item, because of syntax, names, placeholders
/// or operands.
std::optional<Term> read_condition(const Request& request);
std::optional<std::vector<Steps>> read_projection(const Request& request);
std::optional<std::vector<Term>> read_update(const Request& request);

}  // namespace dolmen::reference
