#include "fuzz/reference/agreement.h"

#include <fmt/format.h>

#include "expr/binding.h"
#include "expr/condition.h"
#include "expr/key_condition.h"
#include "expr/parser.h"
#include "expr/projection.h"
#include "expr/update.h"
#include "fuzz/reference/meaning.h"
#include "value/item_rules.h"
#include "value/json.h"

namespace dolmen::reference {
namespace {

std::string described(std::string_view what, const Request& request, const Item& item, std::string_view detail = "") {
  std::string names;
  for (const auto& [placeholder, name] : request.names) names += placeholder + "=" + name + " ";
  return fmt::format("{} {}\nexpression: {}\nnames: {}\nvalues: {}\nitem: {}", what, detail, request.text, names,
                     json::to_text(request.values), json::to_text(item));
}

expr::Placeholders placeholders_of(const Request& request) {
  return {.names = {request.names.begin(), request.names.end()}, .values = request.values};
}

/// Parses and binds with src/expr, as service/expressions.cc does.
template <class Tree, class Parse, class Bind>
Result<Tree> bound(const Request& request, const expr::Placeholders& placeholders, Parse parse, Bind bind) {
  expr::Binder binder(placeholders);
  Result<Tree> parsed = parse(request.text, expr::TextLimits::kDynamoDb);
  if (!parsed) return parsed;
  Result<Tree> tree = (binder.*bind)(std::move(*parsed));
  if (!tree) return tree;
  if (const Result<void> used = binder.check_all_used(); !used) return std::unexpected(used.error());
  return tree;
}

/// The problem, when one accepts and the other refuses, or when a refusal has no message.
template <class Ours, class Theirs>
std::optional<std::string> verdict_disagreement(const Ours& ours, const Theirs& theirs, const Request& request,
                                                const Item& item) {
  if (ours && !theirs) return described("only the reference refuses", request, item);
  if (!ours && theirs) return described("only src/expr refuses:", request, item, ours.error().message());
  if (!ours && (ours.error().code() != Code::kValidation || ours.error().message().empty()))
    return described("refused without an explanation", request, item);
  return std::nullopt;
}

std::vector<Steps> steps_of(const std::vector<expr::Path>& paths) {
  std::vector<Steps> all;
  for (const expr::Path& path : paths) {
    Steps& steps = all.emplace_back();
    for (const auto& part : path.parts) {
      const auto* name = std::get_if<std::string>(&part);
      steps.push_back(name != nullptr ? Step{.text = *name}
                                      : Step{.is_index = true, .text = std::to_string(std::get<std::uint32_t>(part))});
    }
  }
  return all;
}

std::string operator_name(expr::KeyOperator op) {
  switch (op) {
    case expr::KeyOperator::kEqual: return "=";
    case expr::KeyOperator::kLess: return "<";
    case expr::KeyOperator::kLessOrEqual: return "<=";
    case expr::KeyOperator::kGreater: return ">";
    case expr::KeyOperator::kGreaterOrEqual: return ">=";
    case expr::KeyOperator::kBetween: return "BETWEEN";
    case expr::KeyOperator::kBeginsWith: return "begins_with";
    case expr::KeyOperator::kNotIndexable: break;  // no expression has it
  }
  return "";
}

bool same_bound(const expr::KeyCondition& ours, const KeyBound& theirs) {
  return ours.attribute == theirs.attribute && operator_name(ours.op) == theirs.what &&
         ours.value == theirs.values[0] && (theirs.values.size() == 1 || ours.upper == theirs.values[1]);
}

}  // namespace

std::optional<std::string> condition_disagreement(const Request& request, const Item& item) {
  const expr::Placeholders placeholders = placeholders_of(request);
  const auto ours = bound<expr::Node>(request, placeholders, expr::parse_condition, &expr::Binder::condition);
  const auto theirs = read_condition(request);
  if (auto problem = verdict_disagreement(ours, theirs, request, item)) return problem;
  if (ours && expr::holds(*ours, item) != holds(*theirs, item))
    return described("outcomes differ: only one of them says that the condition holds;", request, item,
                     holds(*theirs, item) ? "the reference" : "src/expr");
  return std::nullopt;
}

std::optional<std::string> projection_disagreement(const Request& request, const Item& item) {
  const expr::Placeholders placeholders = placeholders_of(request);
  const auto ours =
      bound<std::vector<expr::Path>>(request, placeholders, expr::parse_projection, &expr::Binder::projection);
  const auto theirs = read_projection(request);
  if (auto problem = verdict_disagreement(ours, theirs, request, item)) return problem;
  if (!ours) return std::nullopt;
  if (steps_of(*ours) != *theirs) return described("the paths differ", request, item);
  if (const Item part = expr::project(item, *ours); part != projected(*theirs, item))
    return described("projections differ; src/expr:", request, item, json::to_text(part));
  return std::nullopt;
}

std::optional<std::string> update_disagreement(const Request& request, const Item& item) {
  const expr::Placeholders placeholders = placeholders_of(request);
  const auto ours =
      bound<std::vector<expr::UpdateAction>>(request, placeholders, expr::parse_update, &expr::Binder::update);
  const auto theirs = read_update(request);
  if (auto problem = verdict_disagreement(ours, theirs, request, item)) return problem;
  if (!ours) return std::nullopt;

  std::vector<Steps> touched;
  for (const Term& action : *theirs) touched.push_back(action.path);
  if (steps_of(expr::updated_paths(*ours)) != touched) return described("the paths differ", request, item);

  const Result<Item> after = expr::apply(*ours, item);
  const std::optional<Item> expected = updated(*theirs, item);
  if (auto problem = verdict_disagreement(after, expected, request, item)) return problem;
  if (!after) return std::nullopt;
  if (*after != *expected) return described("updated items differ; src/expr:", request, item, json::to_text(*after));
  for (const Item* state : {&item, &*after}) {
    const Item part = expr::project(*state, expr::updated_paths(*ours));
    if (part != projected(touched, *state))
      return described("what was updated differs; src/expr:", request, item, json::to_text(part));
  }
  if (check_item_rules(item) && !check_item_rules(*after))
    return described("a good item becomes a bad one:", request, item, json::to_text(*after));
  return std::nullopt;
}

std::optional<std::string> key_condition_disagreement(const Request& request) {
  const expr::Placeholders placeholders = placeholders_of(request);
  const auto condition = bound<expr::Node>(request, placeholders, expr::parse_condition, &expr::Binder::condition);
  const auto read = read_condition(request);
  if (auto problem = verdict_disagreement(condition, read, request, {})) return problem;
  if (!condition) return std::nullopt;
  const auto ours = expr::key_conditions_of(*condition);
  const auto theirs = key_bounds(*read);
  if (auto problem = verdict_disagreement(ours, theirs, request, {})) return problem;
  if (ours && !std::equal(ours->begin(), ours->end(), theirs->begin(), theirs->end(), same_bound))
    return described("the bounds differ", request, {});
  return std::nullopt;
}

}  // namespace dolmen::reference
