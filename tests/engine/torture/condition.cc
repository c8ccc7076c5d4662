#include "condition.h"

#include <algorithm>
#include <optional>

namespace dolmen::torture {
namespace {

using Kind = Condition::Kind;

std::string text_of(const Operand& operand, Wording& wording) {
  switch (operand.kind) {
    case Operand::Kind::kPath: return wording.path(operand.path);
    case Operand::Kind::kValue: return wording.value(operand.value);
    case Operand::Kind::kSize: return "size(" + wording.path(operand.path) + ")";
  }
  return "";
}

std::string in_parentheses(const Condition& condition, Wording& wording) {
  return "(" + text_of(condition, wording) + ")";
}

std::string between_operands(const Condition& condition, Wording& wording, const std::string& separator) {
  return text_of(condition.operands[0], wording) + separator + text_of(condition.operands[1], wording);
}

std::string list_text(const Condition& condition, Wording& wording) {
  std::string text = text_of(condition.operands[0], wording) + " IN (";
  for (std::size_t i = 1; i < condition.operands.size(); ++i)
    text += (i > 1 ? ", " : "") + text_of(condition.operands[i], wording);
  return text + ")";
}

std::size_t utf16_units(const std::string& text) {
  std::size_t units = 0;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if ((byte & 0xC0U) == 0x80U) continue;  // inside a character
    units += byte >= 0xF0U ? 2 : 1;
  }
  return units;
}

std::optional<AttributeValue> size_of(const AttributeValue& value) {
  if (const auto* text = value.get_if<std::string>()) return utf16_units(*text);
  if (const auto* bytes = value.get_if<Bytes>()) return bytes->size();
  if (const auto* list = value.get_if<List>()) return list->size();
  if (const auto* map = value.get_if<Item>()) return map->size();
  if (const auto* set = value.get_if<StringSet>()) return set->size();
  if (const auto* set = value.get_if<NumberSet>()) return set->size();
  if (const auto* set = value.get_if<BinarySet>()) return set->size();
  return std::nullopt;
}

std::optional<AttributeValue> value_of(const Operand& operand, const Item& item) {
  if (operand.kind == Operand::Kind::kValue) return operand.value;
  const AttributeValue* found = look(item, operand.path);
  if (found == nullptr) return std::nullopt;
  return operand.kind == Operand::Kind::kPath ? std::optional(*found) : size_of(*found);
}

bool is_ordered(const AttributeValue& a, const AttributeValue& b) {
  return a.type() == b.type() && (a.type() == Type::kString || a.type() == Type::kNumber || a.type() == Type::kBinary);
}

bool contains(const AttributeValue& whole, const AttributeValue& part) {
  if (const auto* list = whole.get_if<List>()) return std::ranges::count(*list, part) > 0;
  if (part.type() == Type::kString) {
    if (const auto* text = whole.get_if<std::string>()) return text->find(part.string()) != std::string::npos;
    if (const auto* set = whole.get_if<StringSet>()) return set->contains(part.string());
  }
  if (part.type() == Type::kNumber)
    if (const auto* set = whole.get_if<NumberSet>()) return set->contains(part.number());
  if (part.type() == Type::kBinary) {
    if (const auto* bytes = whole.get_if<Bytes>())
      return bytes->view().find(part.binary().view()) != std::string_view::npos;
    if (const auto* set = whole.get_if<BinarySet>()) return set->contains(part.binary());
  }
  return false;
}

bool begins_with(const AttributeValue& whole, const AttributeValue& start) {
  if (whole.type() == Type::kString && start.type() == Type::kString)
    return whole.string().substr(0, start.string().size()) == start.string();
  if (whole.type() == Type::kBinary && start.type() == Type::kBinary)
    return whole.binary().view().substr(0, start.binary().size()) == start.binary().view();
  return false;
}

bool compares(Kind kind, const AttributeValue& a, const AttributeValue& b) {
  if (kind == Kind::kEqual) return a == b;
  if (kind == Kind::kNotEqual) return !(a == b);
  if (!is_ordered(a, b)) return false;
  const int difference = order(a, b);
  switch (kind) {
    case Kind::kLess: return difference < 0;
    case Kind::kLessOrEqual: return difference <= 0;
    case Kind::kGreater: return difference > 0;
    default: return difference >= 0;
  }
}

bool leaf_holds(Kind kind, const std::vector<std::optional<AttributeValue>>& values) {
  if (kind == Kind::kExists) return values[0].has_value();
  if (kind == Kind::kNotExists) return !values[0].has_value();
  if (kind == Kind::kIn)
    return values[0] && std::any_of(values.begin() + 1, values.end(), [&](const auto& v) { return v == values[0]; });
  // What is not there differs from everything and is in no other relation to anything.
  if (!std::ranges::all_of(values, [](const auto& v) { return v.has_value(); })) return kind == Kind::kNotEqual;
  switch (kind) {
    case Kind::kBetween:
      return compares(Kind::kGreaterOrEqual, *values[0], *values[1]) &&
             compares(Kind::kLessOrEqual, *values[0], *values[2]);
    case Kind::kType: return type_name(values[0]->type()) == values[1]->string();
    case Kind::kBeginsWith: return begins_with(*values[0], *values[1]);
    case Kind::kContains: return contains(*values[0], *values[1]);
    default: return compares(kind, *values[0], *values[1]);
  }
}

}  // namespace

int order(const AttributeValue& a, const AttributeValue& b) {
  if (a.type() == Type::kNumber) return a.number() < b.number() ? -1 : b.number() < a.number() ? 1 : 0;
  if (a.type() == Type::kString) return a.string().compare(b.string());
  return a.binary().view().compare(b.binary().view());
}

std::string text_of(const Condition& condition, Wording& wording) {
  switch (condition.kind) {
    case Kind::kAnd:
      return in_parentheses(condition.parts[0], wording) + " AND " + in_parentheses(condition.parts[1], wording);
    case Kind::kOr:
      return in_parentheses(condition.parts[0], wording) + " OR " + in_parentheses(condition.parts[1], wording);
    case Kind::kNot: return "NOT " + in_parentheses(condition.parts[0], wording);
    case Kind::kEqual: return between_operands(condition, wording, " = ");
    case Kind::kNotEqual: return between_operands(condition, wording, " <> ");
    case Kind::kLess: return between_operands(condition, wording, " < ");
    case Kind::kLessOrEqual: return between_operands(condition, wording, " <= ");
    case Kind::kGreater: return between_operands(condition, wording, " > ");
    case Kind::kGreaterOrEqual: return between_operands(condition, wording, " >= ");
    case Kind::kBetween:
      return between_operands(condition, wording, " BETWEEN ") + " AND " + text_of(condition.operands[2], wording);
    case Kind::kIn: return list_text(condition, wording);
    case Kind::kExists: return "attribute_exists(" + text_of(condition.operands[0], wording) + ")";
    case Kind::kNotExists: return "attribute_not_exists(" + text_of(condition.operands[0], wording) + ")";
    case Kind::kType: return "attribute_type(" + between_operands(condition, wording, ", ") + ")";
    case Kind::kBeginsWith: return "begins_with(" + between_operands(condition, wording, ", ") + ")";
    case Kind::kContains: return "contains(" + between_operands(condition, wording, ", ") + ")";
  }
  return "";
}

bool holds(const Condition& condition, const Item& item) {
  if (condition.kind == Kind::kAnd) return holds(condition.parts[0], item) && holds(condition.parts[1], item);
  if (condition.kind == Kind::kOr) return holds(condition.parts[0], item) || holds(condition.parts[1], item);
  if (condition.kind == Kind::kNot) return !holds(condition.parts[0], item);
  std::vector<std::optional<AttributeValue>> values;
  for (const Operand& operand : condition.operands) values.push_back(value_of(operand, item));
  return leaf_holds(condition.kind, values);
}

}  // namespace dolmen::torture
