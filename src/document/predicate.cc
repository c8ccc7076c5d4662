#include "document/predicate.h"

#include <algorithm>
#include <fmt/format.h>

#include "config/read.h"
#include "document/invalid.h"
#include "document/ordered_value.h"
#include "value/json.h"

namespace dolmen::document {
namespace {

using config::Node;

constexpr std::size_t kFilterBytesMax = 64 * 1024;
constexpr std::size_t kPredicatesMax = 32;

std::string json_of(const Node& node) {
  std::string out;
  switch (node.kind) {
    case Node::Kind::kBoolean: return node.boolean ? "true" : "false";
    case Node::Kind::kNumber: return node.text;
    case Node::Kind::kString: json::append_string(out, node.text); return out;
    default: return "null";
  }
}

std::string part_of(const Predicate& predicate) { return "filter." + predicate.field; }

class FilterReader {
 public:
  explicit FilterReader(const Schema& schema) : schema_(schema) {}

  Result<Predicate> read(const Node::Entry& entry) const {
    const std::optional<std::size_t> scalar = schema_.find_scalar(entry.name);
    if (!scalar)
      return invalid_part("filter." + entry.name,
                          "{} has no scalar field {}; a filter names fields such as \"age\" or \"address.city\"",
                          to_string(schema_.ref), entry.name);
    Predicate predicate{.field = entry.name, .scalar = *scalar};
    if (entry.value.kind != Node::Kind::kMap) {
      DOLMEN_TRY(predicate.equal, value(predicate, entry.value));
      predicate.text = fmt::format("{} = {}", entry.name, json_of(entry.value));
      return predicate;
    }
    if (entry.value.entries.empty()) return invalid_part("filter." + entry.name, "the condition has no operator");
    for (const Node::Entry& part : entry.value.entries) DOLMEN_TRY_VOID(add(predicate, part));
    return predicate;
  }

 private:
  Result<void> add(Predicate& predicate, const Node::Entry& part) const {
    const bool is_lower = part.name == "$gt" || part.name == "$gte";
    const bool is_upper = part.name == "$lt" || part.name == "$lte";
    if (part.name != "$eq" && !is_lower && !is_upper)
      return invalid_part(part_of(predicate), "{} is not an operator; use $eq, $gt, $gte, $lt or $lte", part.name);
    if (part.name != "$eq" && schema_.scalars[predicate.scalar].type == FieldType::kBool)
      return invalid_part(part_of(predicate), "a bool can only be compared for equality");
    std::optional<std::string>& place = is_lower ? predicate.lower : is_upper ? predicate.upper : predicate.equal;
    if (place) return invalid_part(part_of(predicate), "the condition has two {} bounds", is_lower ? "lower" : "upper");
    DOLMEN_TRY(place, value(predicate, part.value));
    if (is_lower) predicate.lower_included = part.name == "$gte";
    if (is_upper) predicate.upper_included = part.name == "$lte";
    if (predicate.equal && (predicate.lower || predicate.upper))
      return invalid_part(part_of(predicate), "the condition must be either $eq or a range");
    const std::string_view sign = part.name == "$eq"    ? "="
                                  : part.name == "$gt"  ? ">"
                                  : part.name == "$gte" ? ">="
                                  : part.name == "$lt"  ? "<"
                                                        : "<=";
    if (!predicate.text.empty()) predicate.text += " and ";
    predicate.text += fmt::format("{} {} {}", predicate.field, sign, json_of(part.value));
    return {};
  }

  /// Checks a document with only this value, so that values are as strict as in documents.
  Result<std::string> value(const Predicate& predicate, const Node& node) const {
    const FieldType type = schema_.scalars[predicate.scalar].type;
    const Schema one{.ref = schema_.ref,
                     .description = std::nullopt,
                     .fields = {{.name = predicate.field,
                                 .required = true,
                                 .type = {.type = type, .fields = {}, .element = {}, .scalar = std::nullopt}}},
                     .scalars = {}};
    std::string document = "{";
    json::append_string(document, predicate.field);
    const std::string json = json_of(node);
    document.append(":")
        .append(node.kind == Node::Kind::kList || node.kind == Node::Kind::kMap ? "[]" : json)
        .append("}");
    if (const auto checked = validate_document(one, document); !checked)
      return invalid_part(part_of(predicate), "{}", checked.error().details().front().message);
    std::string ordered = ordered_value(type, json);
    if (const std::string problem = ordered_value_problem(ordered); !problem.empty())
      return invalid_part(part_of(predicate), "the value is too long: {}", problem);
    return ordered;
  }

  const Schema& schema_;
};

}  // namespace

bool Predicate::holds(std::string_view value) const {
  if (equal) return value == *equal;
  if (lower && (lower_included ? value < *lower : value <= *lower)) return false;
  return !upper || (upper_included ? value <= *upper : value < *upper);
}

Result<std::vector<Predicate>> read_filter(const Schema& schema, std::string_view filter) {
  const config::Reading reading = config::read_json(filter, {.bytes = kFilterBytesMax, .depth = 4});
  if (!reading.root) return invalid_part("filter", "it is not JSON: {}", reading.problems.front().message);
  if (reading.root->kind != Node::Kind::kMap)
    return invalid_part("filter", "it must be a JSON object of fields and values");
  if (reading.root->entries.empty())
    return invalid_part("filter", "it is empty; a query needs a condition on an indexed field");
  if (reading.root->entries.size() > kPredicatesMax)
    return invalid_part("filter", "it has {} conditions, and the limit is {}", reading.root->entries.size(),
                        kPredicatesMax);
  std::vector<Predicate> predicates;
  for (const Node::Entry& entry : reading.root->entries) {
    DOLMEN_TRY(Predicate predicate, FilterReader(schema).read(entry));
    predicates.push_back(std::move(predicate));
  }
  std::ranges::sort(predicates, {}, &Predicate::field);
  return predicates;
}

}  // namespace dolmen::document
