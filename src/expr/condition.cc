#include "expr/condition.h"

#include <algorithm>
#include <cstring>
#include <optional>
#include <string_view>

#include "base/check.h"
#include "base/unicode.h"
#include "expr/compare.h"
#include "expr/document.h"

namespace dolmen::expr {
namespace {

/// What size() gives: UTF-16 units of text, as Java counts them, bytes of binary, elements of everything else.
std::optional<std::size_t> size_of(const AttributeValue& value) {
  switch (value.type()) {
    case Type::kString: return utf16_length(value.string());
    case Type::kBinary: return value.binary().size();
    case Type::kList: return value.list().size();
    case Type::kMap: return value.map().size();
    case Type::kStringSet: return value.string_set().size();
    case Type::kNumberSet: return value.number_set().size();
    case Type::kBinarySet: return value.binary_set().size();
    default: return std::nullopt;
  }
}

/// Takes time for both lengths together; that of std::string_view::find is for their product.
bool has_part(std::string_view whole, std::string_view part) {
  return part.empty() || ::memmem(whole.data(), whole.size(), part.data(), part.size()) != nullptr;
}

bool contains(const AttributeValue& whole, const AttributeValue& part) {
  switch (whole.type()) {
    case Type::kString: {
      const auto* text = part.get_if<std::string>();
      return text != nullptr && has_part(whole.string(), *text);
    }
    case Type::kBinary: {
      const auto* bytes = part.get_if<Bytes>();
      return bytes != nullptr && has_part(whole.binary().view(), bytes->view());
    }
    case Type::kList: return std::ranges::find(whole.list(), part) != whole.list().end();
    case Type::kStringSet: return part.type() == Type::kString && whole.string_set().contains(part.string());
    case Type::kNumberSet: return part.type() == Type::kNumber && whole.number_set().contains(part.number());
    case Type::kBinarySet: return part.type() == Type::kBinary && whole.binary_set().contains(part.binary());
    default: return false;
  }
}

bool begins_with(const AttributeValue& whole, const AttributeValue& start) {
  if (whole.type() != start.type()) return false;
  if (whole.type() == Type::kString) return whole.string().starts_with(start.string());
  if (whole.type() == Type::kBinary) return whole.binary().view().starts_with(start.binary().view());
  return false;
}

class Evaluator {
 public:
  Evaluator(const Item& item, std::uint64_t& work) : item_(item), work_(work) {}

  bool holds(const Node& node) {
    switch (node.kind) {
      case NodeKind::kAnd:
        return std::ranges::all_of(node.children, [this](const Node& child) { return holds(child); });
      case NodeKind::kOr: return std::ranges::any_of(node.children, [this](const Node& child) { return holds(child); });
      case NodeKind::kNot: return !holds(node.children[0]);
      case NodeKind::kFunction: return function(node);
      case NodeKind::kIn: return in(node);
      case NodeKind::kBetween: return between(node);
      case NodeKind::kPath:
      case NodeKind::kValue:
      case NodeKind::kPlus:
      case NodeKind::kMinus: DOLMEN_UNREACHABLE("the parser does not make a condition of an operand");
      default: return comparison(node);
    }
  }

 private:
  /// The value of an operand; nothing when it has none. Computed values live in `computed`.
  const AttributeValue* operand(const Node& node, AttributeValue& computed) {
    ++work_;
    if (node.kind == NodeKind::kValue) return node.value;
    if (node.kind == NodeKind::kPath) return find(item_, node.path);
    if (is_condition(node)) {
      computed = holds(node);
      return &computed;
    }
    AttributeValue inner;
    const AttributeValue* measured = operand(node.children[0], inner);
    const std::optional<std::size_t> size = measured == nullptr ? std::nullopt : size_of(*measured);
    if (!size) return nullptr;
    if (measured->type() == Type::kString) work_ += searched_blocks(*measured);
    computed = *size;
    return &computed;
  }

  bool comparison(const Node& node) {
    AttributeValue left_space;
    AttributeValue right_space;
    const AttributeValue* left = operand(node.children[0], left_space);
    const AttributeValue* right = operand(node.children[1], right_space);
    // A missing value differs from every value.
    if (left == nullptr || right == nullptr) return node.kind == NodeKind::kNotEqual;
    if (node.kind == NodeKind::kEqual) return *left == *right;
    if (node.kind == NodeKind::kNotEqual) return *left != *right;
    const Order order = order_of(*left, *right);
    switch (node.kind) {
      case NodeKind::kLess: return order == Order::kLess;
      case NodeKind::kLessOrEqual: return order == Order::kLess || order == Order::kEqual;
      case NodeKind::kGreater: return order == Order::kGreater;
      default: return order == Order::kGreater || order == Order::kEqual;
    }
  }

  bool between(const Node& node) {
    AttributeValue spaces[3];
    const AttributeValue* value = operand(node.children[0], spaces[0]);
    const AttributeValue* lower = operand(node.children[1], spaces[1]);
    const AttributeValue* upper = operand(node.children[2], spaces[2]);
    if (value == nullptr || lower == nullptr || upper == nullptr) return false;
    const Order from_lower = order_of(*value, *lower);
    const Order from_upper = order_of(*value, *upper);
    return (from_lower == Order::kGreater || from_lower == Order::kEqual) &&
           (from_upper == Order::kLess || from_upper == Order::kEqual);
  }

  bool in(const Node& node) {
    AttributeValue space;
    const AttributeValue* value = operand(node.children[0], space);
    if (value == nullptr) return false;
    return std::any_of(node.children.begin() + 1, node.children.end(), [&](const Node& child) {
      AttributeValue member_space;
      const AttributeValue* member = operand(child, member_space);
      return member != nullptr && *member == *value;
    });
  }

  bool function(const Node& node) {
    AttributeValue first_space;
    const AttributeValue* first = operand(node.children[0], first_space);
    if (node.text == "attribute_exists") return first != nullptr;
    if (node.text == "attribute_not_exists") return first == nullptr;
    AttributeValue second_space;
    const AttributeValue* second = operand(node.children[1], second_space);
    if (first == nullptr || second == nullptr) return false;
    if (node.text == "attribute_type") return type_name(first->type()) == second->string();
    if (node.text == "begins_with") return begins_with(*first, *second);
    work_ += searched_blocks(*first);
    return contains(*first, *second);
  }

  /// How much a search through a value costs, in units of about one operand.
  static std::uint64_t searched_blocks(const AttributeValue& whole) {
    constexpr std::size_t kBlockBytes = 16;
    if (const auto* text = whole.get_if<std::string>()) return text->size() / kBlockBytes;
    if (const auto* bytes = whole.get_if<Bytes>()) return bytes->size() / kBlockBytes;
    if (const auto* list = whole.get_if<List>()) return list->size();
    return 0;
  }

  const Item& item_;
  std::uint64_t& work_;
};

}  // namespace

bool holds(const Node& condition, const Item& item) {
  std::uint64_t work = 0;
  return holds(condition, item, work);
}

bool holds(const Node& condition, const Item& item, std::uint64_t& work) {
  return Evaluator(item, work).holds(condition);
}

std::size_t part_count(const Node& condition) {
  std::size_t count = 1;
  for (const Node& child : condition.children) count += part_count(child);
  return count;
}

}  // namespace dolmen::expr
