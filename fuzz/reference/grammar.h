#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dolmen/value.h"

/// A second reading of DynamoDB's expressions, written apart from src/expr to be compared with it: it tries one form
/// after the other where src/expr decides by the next token, and says only yes or no where src/expr explains. All it
/// takes from there is the list of reserved words, which is data of AWS.
namespace dolmen::reference {

/// An expression with what its placeholders stand for.
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

/// Each is nothing when DynamoDB would refuse the request whatever the item, because of syntax, names, placeholders, or
/// operands.
std::optional<Term> read_condition(const Request& request);
std::optional<std::vector<Steps>> read_projection(const Request& request);
std::optional<std::vector<Term>> read_update(const Request& request);

}  // namespace dolmen::reference
