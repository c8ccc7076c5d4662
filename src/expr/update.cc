#include "expr/update.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "base/fail.h"
#include "base/limits.h"
#include "expr/condition.h"
#include "expr/document.h"
#include "value/value_size.h"

namespace dolmen::expr {
namespace {

std::unexpected<Error> no_such_attribute() {
  return fail(Code::kValidation, "The provided expression refers to an attribute that does not exist in the item");
}

std::unexpected<Error> wrong_operand(UpdateForm form) {
  return fail(Code::kValidation, "{}",
              form == UpdateForm::kExpression ? "An operand in the update expression has an incorrect data type"
                                              : "Type mismatch for attribute to update");
}

std::unexpected<Error> wrong_path() {
  return fail(Code::kValidation, "The document path provided in the update expression is invalid for update");
}

}  // namespace

std::unexpected<Error> update_too_large() {
  return fail(Code::kValidation, "Item size to update has exceeded the maximum allowed size");
}

namespace {

/// Whether a value at a path of `level` parts stays within the nesting limit of an item.
bool fits_at(std::size_t level, const AttributeValue& value) {
  if (level > limits::kNestingLevels) return false;
  const auto fits_below = [level](const AttributeValue& inner) { return fits_at(level + 1, inner); };
  if (const List* list = value.get_if<List>()) return std::ranges::all_of(*list, fits_below);
  if (const Item* map = value.get_if<Item>())
    return std::ranges::all_of(*map, [&](const auto& member) { return fits_below(member.second); });
  return true;
}

/// The source from which the operands of an update are computed.
struct Source {
  const Item& old;
  UpdateForm form;
};

Result<AttributeValue> evaluate(const Node& node, const Source& source);

Result<AttributeValue> evaluate_sum(const Node& node, const Source& source) {
  DOLMEN_TRY(const AttributeValue left, evaluate(node.children[0], source));
  DOLMEN_TRY(const AttributeValue right, evaluate(node.children[1], source));
  if (left.type() != Type::kNumber || right.type() != Type::kNumber) return wrong_operand(source.form);
  const bool plus = node.kind == NodeKind::kPlus;
  DOLMEN_TRY(const Number sum, plus ? add(left.number(), right.number()) : subtract(left.number(), right.number()));
  return sum;
}

Result<AttributeValue> evaluate_function(const Node& node, const Source& source) {
  if (node.text == "if_not_exists") {
    if (const AttributeValue* existing = find(source.old, node.children[0].path)) return *existing;
    return evaluate(node.children[1], source);
  }
  DOLMEN_TRY(AttributeValue first, evaluate(node.children[0], source));
  DOLMEN_TRY(AttributeValue second, evaluate(node.children[1], source));
  List* list = first.get_if<List>();
  List* tail = second.get_if<List>();
  if (list == nullptr || tail == nullptr) return wrong_operand(source.form);
  std::ranges::move(*tail, std::back_inserter(*list));
  return first;
}

Result<AttributeValue> evaluate(const Node& node, const Source& source) {
  switch (node.kind) {
    case NodeKind::kValue: return *node.value;
    case NodeKind::kPath: {
      const AttributeValue* found = find(source.old, node.path);
      if (found == nullptr) return no_such_attribute();
      return *found;
    }
    case NodeKind::kFunction: return evaluate_function(node, source);
    case NodeKind::kEqual: return AttributeValue(holds(node, source.old));
    default: return evaluate_sum(node, source);
  }
}

/// Calls `change(existing set, operand set)` for operands that are sets of one type.
template <class Set, class Change>
bool change_set(AttributeValue& existing, const AttributeValue& operand, Change change) {
  Set* set = existing.get_if<Set>();
  const Set* members = operand.get_if<Set>();
  if (set == nullptr || members == nullptr) return false;
  change(*set, *members);
  return true;
}

template <class Change>
bool change_any_set(AttributeValue& existing, const AttributeValue& operand, Change change) {
  return change_set<StringSet>(existing, operand, change) || change_set<NumberSet>(existing, operand, change) ||
         change_set<BinarySet>(existing, operand, change);
}

/// ADD: the sum of two numbers or the union of two sets; the operand itself when nothing exists yet.
Result<AttributeValue> added(const AttributeValue* existing, const AttributeValue& operand, UpdateForm form) {
  if (existing == nullptr) return operand;
  if (existing->type() == Type::kNumber && operand.type() == Type::kNumber) {
    DOLMEN_TRY(const Number sum, add(existing->number(), operand.number()));
    return sum;
  }
  AttributeValue result = *existing;
  const auto unite = [](auto& set, const auto& members) { set.insert(members.begin(), members.end()); };
  if (!change_any_set(result, operand, unite)) return wrong_operand(form);
  return result;
}

/// DELETE: the set without the members. Nothing when no member is left.
Result<std::optional<AttributeValue>> without(const AttributeValue& existing, const AttributeValue& operand,
                                              UpdateForm form) {
  AttributeValue result = existing;
  bool empty = false;
  const auto subtract_members = [&empty](auto& set, const auto& members) {
    for (const auto& member : members) set.erase(member);
    empty = set.empty();
  };
  if (!change_any_set(result, operand, subtract_members)) return wrong_operand(form);
  if (empty) return std::nullopt;
  return result;
}

class Updater {
 public:
  Updater(Item old, UpdateForm form) : item_(std::move(old)), source_{item_, form} {}
  Updater(const Updater&) = delete;
  Updater& operator=(const Updater&) = delete;

  Result<Item> run(const std::vector<UpdateAction>& actions) {
    // Nothing changes before all actions have read what they need.
    for (const UpdateAction& action : actions) DOLMEN_TRY_VOID(prepare(action));
    if (is_too_large()) return update_too_large();
    for (auto& [path, value] : sets_) DOLMEN_TRY_VOID(set(*path, std::move(value)));
    append_all();
    remove_all();
    return std::move(item_);
  }

 private:
  struct Change {
    const Path* path;
    AttributeValue value;
  };

  /// Computes what an action will do, from the old item alone.
  Result<void> prepare(const UpdateAction& action) {
    const AttributeValue* existing = find(source_.old, action.path);
    switch (action.section) {
      case Section::kSet: {
        DOLMEN_TRY_VOID(check_parent(action.path));
        // A given value has nothing that could be wrong.
        if (is_too_large() && action.operand.kind == NodeKind::kValue) return {};
        DOLMEN_TRY(AttributeValue value, evaluate(action.operand, source_));
        will_set(action.path, std::move(value));
        return {};
      }
      case Section::kAdd: {
        DOLMEN_TRY(AttributeValue value, added(existing, *action.operand.value, source_.form));
        will_set(action.path, std::move(value));
        return {};
      }
      case Section::kDelete: {
        if (existing == nullptr) return check_parent(action.path);
        DOLMEN_TRY(auto rest, without(*existing, *action.operand.value, source_.form));
        if (rest) {
          will_set(action.path, std::move(*rest));
        } else {
          removes_.push_back(&action.path);
        }
        return {};
      }
      case Section::kRemove:
        // Elements that this update appends are not removed.
        if (existing != nullptr) removes_.push_back(&action.path);
        return check_parent(action.path);
    }
    return {};
  }

  /// Values that would not fit into an item are not kept: a short expression can name a large value hundreds of times.
  void will_set(const Path& path, AttributeValue value) {
    set_bytes_ += value_size(value);
    if (!is_too_large()) sets_.push_back({&path, std::move(value)});
  }

  [[nodiscard]] bool is_too_large() const { return set_bytes_ > limits::kItemBytes; }

  Result<void> check_parent(const Path& path) {
    if (path.is_nested() && !holds_part(find_parent(item_, path), path.parts.back())) return wrong_path();
    return {};
  }

  static bool holds_part(const AttributeValue* parent, const Path::Part& part) {
    if (parent == nullptr) return false;
    return parent->type() == (std::holds_alternative<std::string>(part) ? Type::kMap : Type::kList);
  }

  Result<void> set(const Path& path, AttributeValue value) {
    // A value, copied or given, can be too deep for its place.
    if (!fits_at(path.parts.size(), value))
      return fail(Code::kValidation, "Nesting Levels have exceeded supported limits");
    if (!path.is_nested()) {
      item_.set(path.attribute(), std::move(value));
      return {};
    }
    DOLMEN_TRY_VOID(check_parent(path));
    AttributeValue* parent = find_parent(item_, path);
    if (const auto* name = std::get_if<std::string>(&path.parts.back())) {
      parent->get_if<Item>()->set(*name, std::move(value));
    } else if (AttributeValue* element = find(item_, path)) {
      *element = std::move(value);
    } else {
      appends_.push_back({&path, std::move(value)});
    }
    return {};
  }

  /// Appends elements that were set beyond the end of their list, in the order of their indexes.
  void append_all() {
    const auto index = [](const Change& change) { return std::get<std::uint32_t>(change.path->parts.back()); };
    std::ranges::stable_sort(appends_, {}, index);
    for (Change& change : appends_)
      find_parent(item_, *change.path)->get_if<List>()->push_back(std::move(change.value));
  }

  void remove_all() {
    // From the last index to the first, so that the remaining indexes stay valid.
    std::ranges::sort(removes_, [](const Path* a, const Path* b) { return b->parts < a->parts; });
    for (const Path* path : removes_) remove(*path);
  }

  void remove(const Path& path) {
    if (!path.is_nested()) {
      item_.erase(path.attribute());
      return;
    }
    AttributeValue& parent = *find_parent(item_, path);
    if (const auto* name = std::get_if<std::string>(&path.parts.back())) {
      parent.get_if<Item>()->erase(*name);
      return;
    }
    List& list = *parent.get_if<List>();
    list.erase(list.begin() + std::get<std::uint32_t>(path.parts.back()));
  }

  Item item_;
  Source source_;  // Refers to `item_`, and is valid until that changes.
  std::vector<Change> sets_;
  std::size_t set_bytes_ = 0;  // of all values that are to be set, kept or not
  std::vector<Change> appends_;
  std::vector<const Path*> removes_;
};

}  // namespace

Result<Item> apply(const std::vector<UpdateAction>& actions, Item old, UpdateForm form) {
  return Updater(std::move(old), form).run(actions);
}

std::vector<Path> updated_paths(const std::vector<UpdateAction>& actions) {
  std::vector<Path> paths;
  paths.reserve(actions.size());
  for (const UpdateAction& action : actions) paths.push_back(action.path);
  return paths;
}

}  // namespace dolmen::expr
