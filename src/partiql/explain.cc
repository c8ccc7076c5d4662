#include "partiql/explain.h"

#include <fmt/format.h>

#include "partiql/read_plan.h"
#include "partiql/write_plan.h"
#include "value/encoded_item.h"
#include "value/json.h"

namespace dolmen::partiql {
namespace {

std::string shown_value(const AttributeValue& value) {
  if (value.type() == Type::kString) return fmt::format("'{}'", value.string());
  if (value.type() == Type::kNumber) return value.number().to_string();
  std::string encoded;
  append_value(encoded, value);
  std::string text;
  static_cast<void>(json::append_encoded_value(text, encoded));
  return text;
}

std::string shown_path(const expr::Path& path) {
  std::string text;
  for (const expr::Path::Part& part : path.parts) {
    if (const auto* name = std::get_if<std::string>(&part)) {
      text += (text.empty() ? "" : ".") + *name;
    } else {
      text += fmt::format("[{}]", std::get<std::uint32_t>(part));
    }
  }
  return text;
}

std::string joined_texts(const expr::Node& node, std::size_t from, std::string_view between) {
  std::string text;
  for (std::size_t i = from; i < node.children.size(); ++i) {
    const expr::Node& child = node.children[i];
    if (i > from) text += between;
    const bool connective = child.kind == expr::NodeKind::kAnd || child.kind == expr::NodeKind::kOr;
    text += connective ? "(" + to_text(child) + ")" : to_text(child);
  }
  return text;
}

std::string shown_keys(const std::vector<expr::KeyCondition>& keys) {
  std::string text;
  for (const expr::KeyCondition& key : keys) {
    if (!text.empty()) text += " AND ";
    switch (key.op) {
      case expr::KeyOperator::kBetween:
        text += fmt::format("{} BETWEEN {} AND {}", key.attribute, shown_value(key.value), shown_value(key.upper));
        break;
      case expr::KeyOperator::kBeginsWith:
        text += fmt::format("begins_with({}, {})", key.attribute, shown_value(key.value));
        break;
      default: {
        constexpr std::string_view kOperators[] = {"=", "<", "<=", ">", ">="};
        text += fmt::format("{} {} {}", key.attribute, kOperators[static_cast<std::size_t>(key.op)],
                            shown_value(key.value));
      }
    }
  }
  return text;
}

std::string shown_update(const std::vector<expr::UpdateAction>& actions) {
  std::string text;
  for (const expr::UpdateAction& action : actions) {
    if (!text.empty()) text += " ";
    text += fmt::format("{} {}", expr::section_text(action.section), shown_path(action.path));
    if (action.section == expr::Section::kRemove) continue;
    text += (action.section == expr::Section::kSet ? " = " : " ") + to_text(action.operand);
  }
  return text;
}

std::string shown_item(const Item& item) {
  std::string text;
  for (const auto& [name, value] : item)
    text += fmt::format("{}{} = {}", text.empty() ? "" : " AND ", name, shown_value(value));
  return text;
}

std::string_view operation_name(WriteKind kind) {
  switch (kind) {
    case WriteKind::kPut: return "PutItem";
    case WriteKind::kUpdate: return "UpdateItem";
    case WriteKind::kDelete: return "DeleteItem";
    case WriteKind::kCheck: return "ConditionCheck";
  }
  return "";
}

Result<Explanation> explain_read(const std::shared_ptr<const Statement>& statement, const TableDefinition& table) {
  DOLMEN_TRY(const ReadPlan plan, plan_read(statement, table));
  Explanation explanation{.operation = plan.scans() ? "Scan" : "Query",
                          .table = statement->table,
                          .index = statement->index,
                          .descending = !plan.forward};
  for (const ReadStep& step : plan.steps) {
    if (step.keys) explanation.keys.push_back(shown_keys(*step.keys));
    explanation.filters.push_back(step.filter ? to_text(step.filter->condition) : "");
  }
  return explanation;
}

}  // namespace

std::string to_text(const expr::Node& node) {
  using expr::NodeKind;
  switch (node.kind) {
    case NodeKind::kPath: return shown_path(node.path);
    case NodeKind::kValue: return shown_value(*node.value);
    case NodeKind::kFunction: return fmt::format("{}({})", node.text, joined_texts(node, 0, ", "));
    case NodeKind::kNot: return fmt::format("NOT ({})", to_text(node.children[0]));
    case NodeKind::kIn: return fmt::format("{} IN ({})", to_text(node.children[0]), joined_texts(node, 1, ", "));
    case NodeKind::kBetween:
      return fmt::format("{} BETWEEN {}", to_text(node.children[0]), joined_texts(node, 1, " AND "));
    default: return joined_texts(node, 0, fmt::format(" {} ", expr::operator_text(node)));
  }
}

Result<Explanation> explain(const std::shared_ptr<const Statement>& statement, const TableDefinition& table) {
  if (statement->reads()) return explain_read(statement, table);
  DOLMEN_TRY(const WriteRequest write, plan_write(statement, table));
  DOLMEN_TRY(const Item item, decode_item(write.item.bytes));
  Explanation explanation{.operation = std::string(operation_name(write.kind)), .table = write.table};
  explanation.keys.push_back(shown_item(item));
  if (write.condition) explanation.condition = to_text(write.condition->bound->condition);
  if (write.update) explanation.update = shown_update(write.update->bound->actions);
  return explanation;
}

std::string to_text(const Explanation& explanation) {
  std::string text =
      fmt::format("{} {}{}{}\n", explanation.operation, explanation.table,
                  explanation.index ? "." + *explanation.index : "", explanation.descending ? " descending" : "");
  const std::size_t steps = std::max(explanation.keys.size(), explanation.filters.size());
  for (std::size_t i = 0; i < steps; ++i) {
    if (i < explanation.keys.size()) text += "  key " + explanation.keys[i] + "\n";
    if (i < explanation.filters.size() && !explanation.filters[i].empty())
      text += "  filter " + explanation.filters[i] + "\n";
  }
  if (explanation.condition) text += "  condition " + *explanation.condition + "\n";
  if (explanation.update) text += "  update " + *explanation.update + "\n";
  return text;
}

}  // namespace dolmen::partiql
