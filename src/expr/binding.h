#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "dolmen/error.h"
#include "dolmen/value.h"
#include "expr/syntax.h"

namespace dolmen::expr {

/// What the placeholders of a request's expressions stand for.
struct Placeholders {
  std::map<std::string, std::string, std::less<>> names;  ///< "#a" -> attribute
  Item values;                                            ///< ":v" -> value
};

/// Puts a request's names and values into parsed expressions and then checks for undefined placeholders, wrong numbers
/// and types of operands, and paths that overlap. Failures are kValidation in DynamoDB's words, without a prefix such
/// as "Invalid ConditionExpression: ". Bound trees point into the placeholders, which must outlive them.
class Binder {
 public:
  explicit Binder(const Placeholders& placeholders) : placeholders_(placeholders) {}

  Result<Node> condition(Node parsed);
  Result<std::vector<UpdateAction>> update(std::vector<UpdateAction> parsed);
  Result<std::vector<Path>> projection(std::vector<Path> parsed);

  /// Fails when none of the expressions bound so far uses one of the names or values.
  [[nodiscard]] Result<void> check_all_used() const;

 private:
  Result<void> bind_conditions(Node& node);
  Result<void> bind_node(Node& node);
  Result<void> bind_path(Path& path);

  const Placeholders& placeholders_;
  std::set<std::string, std::less<>> used_names_;
  std::set<std::string, std::less<>> used_values_;
};

}  // namespace dolmen::expr
