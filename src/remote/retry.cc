#include "remote/retry.h"

#include <algorithm>

#include "expr/parser.h"
#include "partiql/statement.h"

namespace dolmen::remote {
namespace {

bool has_element(const expr::Path& path) {
  return std::ranges::any_of(path.parts, [](const auto& part) { return std::holds_alternative<std::uint32_t>(part); });
}

/// A given value, or `if_not_exists` of the attribute that is set, which keeps the value that the first time set.
bool sets_the_same(const expr::UpdateAction& action) {
  const expr::Node& operand = action.operand;
  if (operand.kind == expr::NodeKind::kValue) return true;
  return operand.kind == expr::NodeKind::kFunction && operand.text == "if_not_exists" && operand.children.size() == 2 &&
         operand.children[0].path == action.path && operand.children[1].kind == expr::NodeKind::kValue;
}

bool adds_to_set(const expr::UpdateAction& action, const expr::Placeholders& placeholders) {
  const AttributeValue* value = placeholders.values.find(action.operand.text);
  return value != nullptr && value->type() != Type::kNumber;
}

bool has_same_effect(const expr::UpdateAction& action, const expr::Placeholders& placeholders) {
  // Removing an element moves the others, and setting one beyond the end appends.
  if (has_element(action.path)) return false;
  switch (action.section) {
    case expr::Section::kSet: return sets_the_same(action);
    case expr::Section::kAdd: return adds_to_set(action, placeholders);
    case expr::Section::kRemove:
    case expr::Section::kDelete: return true;
  }
  return false;
}

bool has_same_effect(const WriteRequest& request) {
  if (!request.update) return true;
  // The endpoint refuses an expression that cannot be parsed.
  const auto actions = expr::parse_update(request.update->text, expr::TextLimits::kNone);
  return actions && std::ranges::all_of(*actions, [&](const expr::UpdateAction& action) {
           return has_same_effect(action, request.placeholders);
         });
}

}  // namespace

Repeat repeat_of(const WriteRequest& request, const RetryOptions& options) {
  const bool returns_old =
      request.return_values == ReturnValues::kAllOld || request.return_values == ReturnValues::kUpdatedOld;
  if (!options.repeat_writes || returns_old || !has_same_effect(request)) return Repeat::kNever;
  return Repeat::kSame;
}

Repeat repeat_of(const ExecuteStatementRequest& request) {
  return partiql::begins_as_read(request.statement.text) ? Repeat::kRead : Repeat::kNever;
}

Repeat repeat_of(const BatchExecuteRequest& request) {
  const auto reads = [](const StatementRequest& statement) { return partiql::begins_as_read(statement.text); };
  return std::ranges::all_of(request.statements, reads) ? Repeat::kRead : Repeat::kNever;
}

std::chrono::milliseconds backoff(const RetryOptions& options, int attempts, std::uint64_t random) {
  auto longest = std::min(options.first_delay, options.delay_max);
  for (int i = 1; i < attempts && longest < options.delay_max; ++i) longest = std::min(longest * 2, options.delay_max);
  const auto choices = static_cast<std::uint64_t>(std::max<std::int64_t>(longest.count(), 0)) + 1;
  return std::chrono::milliseconds(random % choices);
}

bool RetryBudget::take(int cost) {
  const std::lock_guard lock(left_mutex_);
  if (left_ < cost) return false;
  left_ -= cost;
  return true;
}

void RetryBudget::give_back(int amount) {
  const std::lock_guard lock(left_mutex_);
  left_ = std::min(capacity_, left_ + amount);
}

}  // namespace dolmen::remote
