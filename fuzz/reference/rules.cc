#include "fuzz/reference/rules.h"

#include <algorithm>
#include <set>

#include "fuzz/reference/decimal.h"

namespace dolmen::reference {
namespace {

/// The type of an operand that is known without an item: S, N and so on; empty when it is unknown.
std::string known_type(const Term& term) {
  if (term.what == "value") return std::string(type_name(term.value.type()));
  return term.what == "size" ? "N" : "";
}

/// True when no operand is known to be of another type.
bool may_be(const Term& term, const std::set<std::string>& types) {
  return std::ranges::all_of(term.parts, [&](const Term& part) {
    const std::string type = known_type(part);
    return type.empty() || types.contains(type);
  });
}

bool repeats_first(const Term& term) {
  if (term.parts[0].what != "path") return false;
  for (std::size_t i = 1; i < term.parts.size(); ++i)
    if (term.parts[i].what == "path" && term.parts[i].path == term.parts[0].path) return true;
  return false;
}

bool good_bounds(const Term& between) {
  const Term& lower = between.parts[1];
  const Term& upper = between.parts[2];
  if (lower.what != "value" || upper.what != "value") return true;
  const std::optional<int> order = compare_values(lower.value, upper.value);
  return order && *order <= 0;
}

bool good_function(const Term& term) {
  const std::size_t count = term.parts.size();
  const bool one_path = count == 1 && term.parts[0].what == "path";
  if (term.what == "attribute_exists" || term.what == "attribute_not_exists") return one_path;
  if (term.what == "size") return count == 1 && may_be(term, {"S", "B", "L", "M", "SS", "NS", "BS"});
  if (count != 2) return false;
  if (term.what == "list_append") return may_be(term, {"L"});
  if (repeats_first(term)) return false;
  if (term.what == "if_not_exists") return term.parts[0].what == "path";
  if (term.what == "begins_with") return may_be(term, {"S", "B"});
  if (term.what == "attribute_type") {
    static const std::set<std::string> kTypes = {"S", "N", "B", "BOOL", "NULL", "L", "M", "SS", "NS", "BS"};
    return known_type(term.parts[1]) == "S" && kTypes.contains(term.parts[1].value.string());
  }
  return term.what == "contains";
}

bool is_prefix(const Steps& whole, const Steps& start) {
  return start.size() <= whole.size() && std::equal(start.begin(), start.end(), whole.begin());
}

}  // namespace

bool is_condition_function(const std::string& name) {
  static const std::set<std::string> kFunctions = {"attribute_exists", "attribute_not_exists", "attribute_type",
                                                   "begins_with", "contains"};
  return kFunctions.contains(name);
}

bool is_function(const std::string& name) {
  static const std::set<std::string> kOthers = {"size", "if_not_exists", "list_append"};
  return is_condition_function(name) || kOthers.contains(name);
}

bool good_operands(const Term& term) {
  const std::string& what = term.what;
  if (what == "SET") return true;
  if (what == "ADD") return may_be(term, {"N", "SS", "NS", "BS"});
  if (what == "DELETE") return may_be(term, {"SS", "NS", "BS"});
  if (what == "+" || what == "-") return may_be(term, {"N"});
  if (what == "=" || what == "<>") return !repeats_first(term);
  if (what == "IN") return term.parts.size() <= 101 && !repeats_first(term);
  if (what == "BETWEEN") return !repeats_first(term) && may_be(term, {"S", "N", "B"}) && good_bounds(term);
  if (what == "<" || what == "<=" || what == ">" || what == ">=")
    return !repeats_first(term) && may_be(term, {"S", "N", "B"});
  return good_function(term);
}

bool all_apart(const std::vector<Steps>& paths) {
  for (std::size_t i = 0; i < paths.size(); ++i)
    for (std::size_t j = 0; j < i; ++j) {
      if (is_prefix(paths[i], paths[j]) || is_prefix(paths[j], paths[i])) return false;
      std::size_t same = 0;
      while (paths[i][same] == paths[j][same]) ++same;
      if (paths[i][same].is_index != paths[j][same].is_index) return false;
    }
  return true;
}

std::optional<int> compare_values(const AttributeValue& a, const AttributeValue& b) {
  if (a.type() != b.type()) return std::nullopt;
  if (a.type() == Type::kNumber) return compare_decimals(a.number().to_string(), b.number().to_string());
  if (a.type() != Type::kString && a.type() != Type::kBinary) return std::nullopt;
  const std::string_view left = a.type() == Type::kString ? a.string() : a.binary().view();
  const std::string_view right = b.type() == Type::kString ? b.string() : b.binary().view();
  for (std::size_t i = 0; i < std::min(left.size(), right.size()); ++i) {
    const auto x = static_cast<unsigned char>(left[i]);
    const auto y = static_cast<unsigned char>(right[i]);
    if (x != y) return x < y ? -1 : 1;
  }
  return left.size() == right.size() ? 0 : left.size() < right.size() ? -1 : 1;
}

}  // namespace dolmen::reference
