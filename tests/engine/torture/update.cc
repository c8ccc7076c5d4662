#include "update.h"

#include <algorithm>

namespace dolmen::torture {
namespace {

using Form = Assignment::Form;

std::string text_of(const Assignment& assignment, Wording& wording) {
  const auto source = [&] { return wording.path(assignment.source); };
  const auto value = [&] { return wording.value(assignment.value); };
  const std::string target = wording.path(assignment.path) + " = ";
  switch (assignment.form) {
    case Form::kValue: return target + value();
    case Form::kCopy: return target + source();
    case Form::kPlus: return target + source() + " + " + value();
    case Form::kMinus: return target + value() + " - " + source();
    case Form::kAppend: return target + "list_append(" + source() + ", " + value() + ")";
    case Form::kPrepend: return target + "list_append(" + value() + ", " + source() + ")";
    case Form::kIfNotExists: return target + "if_not_exists(" + source() + ", " + value() + ")";
    case Form::kIfNotExistsPlus: return target + "if_not_exists(" + source() + ", " + value() + ") + " + value();
  }
  return "";
}

template <class Elements, class Write>
void append_clause(std::string& text, const char* clause, const Elements& elements, Write write) {
  for (std::size_t i = 0; i < elements.size(); ++i)
    text += (i > 0 ? ", " : (text.empty() ? "" : " ") + std::string(clause) + " ") + write(elements[i]);
}

std::optional<AttributeValue> sum(const AttributeValue& a, const AttributeValue& b, bool minus) {
  if (a.type() != Type::kNumber || b.type() != Type::kNumber) return std::nullopt;
  const Result<Number> result = minus ? subtract(a.number(), b.number()) : add(a.number(), b.number());
  return result ? std::optional<AttributeValue>(*result) : std::nullopt;
}

std::optional<AttributeValue> joined(const AttributeValue& a, const AttributeValue& b) {
  if (a.type() != Type::kList || b.type() != Type::kList) return std::nullopt;
  List all = a.list();
  for (const AttributeValue& element : b.list()) all.push_back(element);
  return all;
}

std::optional<AttributeValue> assigned(const Assignment& assignment, const Item& old) {
  if (assignment.form == Form::kValue) return assignment.value;
  const AttributeValue* source = look(old, assignment.source);
  const AttributeValue& value = assignment.value;
  if (assignment.form == Form::kIfNotExists) return source == nullptr ? value : *source;
  if (assignment.form == Form::kIfNotExistsPlus) return sum(source == nullptr ? value : *source, value, false);
  if (source == nullptr) return std::nullopt;
  switch (assignment.form) {
    case Form::kPlus: return sum(*source, value, false);
    case Form::kMinus: return sum(value, *source, true);
    case Form::kAppend: return joined(*source, value);
    case Form::kPrepend: return joined(value, *source);
    default: return *source;
  }
}

template <class Set>
std::optional<AttributeValue> merged(const AttributeValue& old, const AttributeValue& members, bool remove) {
  Set set = *old.get_if<Set>();
  for (const auto& member : *members.get_if<Set>()) {
    if (remove) {
      set.erase(member);
    } else {
      set.insert(member);
    }
  }
  return set;
}

/// Union or difference of two sets of one type; nothing for anything else.
std::optional<AttributeValue> merged_sets(const AttributeValue& old, const AttributeValue& members, bool remove) {
  if (old.type() != members.type()) return std::nullopt;
  switch (old.type()) {
    case Type::kStringSet: return merged<StringSet>(old, members, remove);
    case Type::kNumberSet: return merged<NumberSet>(old, members, remove);
    case Type::kBinarySet: return merged<BinarySet>(old, members, remove);
    default: return std::nullopt;
  }
}

bool is_empty_set(const AttributeValue& value) {
  return value == AttributeValue(StringSet{}) || value == AttributeValue(NumberSet{}) ||
         value == AttributeValue(BinarySet{});
}

/// Collects the changes from the old item, then makes them: values first, appended elements next, removals last.
class Application {
 public:
  explicit Application(const Item& old) : old_(old), item_(old) {}

  bool take(const Update& update) {
    for (const Assignment& assignment : update.sets)
      if (!write(assignment.path, assigned(assignment, old_))) return false;
    for (const auto& [path, value] : update.adds)
      if (!write(path, added(path, value))) return false;
    for (const auto& [path, members] : update.deletes)
      if (!take_out(path, members)) return false;
    return std::ranges::all_of(update.removes, [&](const Path& path) { return remove(path); });
  }

  Item finish() {
    for (auto& [path, value] : writes_) put(path, std::move(value));
    std::ranges::stable_sort(appends_, {}, [](const auto& a) { return std::get<std::size_t>(a.first.steps.back()); });
    for (auto& [path, value] : appends_) look_above(item_, path)->get_if<List>()->push_back(std::move(value));
    // Elements with higher indexes go first, so that lower ones still mean what they meant.
    std::ranges::sort(removals_, [](const Path& a, const Path& b) { return a.steps > b.steps; });
    for (const Path& path : removals_) erase(path);
    return std::move(item_);
  }

 private:
  using Change = std::pair<Path, AttributeValue>;

  /// Whether the last step of the path can be taken in the old item: into a map by name, into a list by index.
  bool reachable(const Path& path) {
    if (path.steps.empty()) return true;
    const AttributeValue* above = look_above(old_, path);
    if (above == nullptr) return false;
    return above->type() == (std::holds_alternative<std::string>(path.steps.back()) ? Type::kMap : Type::kList);
  }

  bool write(const Path& path, std::optional<AttributeValue> value) {
    if (!value || !reachable(path)) return false;
    writes_.emplace_back(path, std::move(*value));
    return true;
  }

  std::optional<AttributeValue> added(const Path& path, const AttributeValue& value) {
    const AttributeValue* existing = look(old_, path);
    if (existing == nullptr) return value;
    if (value.type() == Type::kNumber) return sum(*existing, value, false);
    return merged_sets(*existing, value, false);
  }

  bool take_out(const Path& path, const AttributeValue& members) {
    const AttributeValue* existing = look(old_, path);
    if (existing == nullptr) return reachable(path);
    const std::optional<AttributeValue> rest = merged_sets(*existing, members, true);
    if (!rest) return false;
    return is_empty_set(*rest) ? remove(path) : write(path, rest);
  }

  bool remove(const Path& path) {
    if (look(old_, path) != nullptr) removals_.push_back(path);
    return reachable(path);
  }

  void put(const Path& path, AttributeValue value) {
    if (path.steps.empty()) {
      item_.set(path.root, std::move(value));
    } else if (const auto* name = std::get_if<std::string>(&path.steps.back())) {
      look_above(item_, path)->get_if<Item>()->set(*name, std::move(value));
    } else {
      List& list = *look_above(item_, path)->get_if<List>();
      const std::size_t index = std::get<std::size_t>(path.steps.back());
      if (index >= list.size()) {
        appends_.emplace_back(path, std::move(value));
        return;
      }
      list[index] = std::move(value);
    }
  }

  void erase(const Path& path) {
    if (path.steps.empty()) {
      item_.erase(path.root);
    } else if (const auto* name = std::get_if<std::string>(&path.steps.back())) {
      look_above(item_, path)->get_if<Item>()->erase(*name);
    } else {
      List& list = *look_above(item_, path)->get_if<List>();
      const std::size_t index = std::get<std::size_t>(path.steps.back());
      if (index < list.size()) list.erase(list.begin() + static_cast<std::ptrdiff_t>(index));
    }
  }

  const Item& old_;
  Item item_;
  std::vector<Change> writes_;
  std::vector<Change> appends_;
  std::vector<Path> removals_;
};

}  // namespace

std::vector<Path> Update::targets() const {
  std::vector<Path> paths = removes;
  for (const Assignment& assignment : sets) paths.push_back(assignment.path);
  for (const auto& [path, value] : adds) paths.push_back(path);
  for (const auto& [path, value] : deletes) paths.push_back(path);
  return paths;
}

std::string text_of(const Update& update, Wording& wording) {
  const auto pair_text = [&](const auto& pair) { return wording.path(pair.first) + " " + wording.value(pair.second); };
  std::string text;
  append_clause(text, "SET", update.sets, [&](const Assignment& a) { return text_of(a, wording); });
  append_clause(text, "REMOVE", update.removes, [&](const Path& path) { return wording.path(path); });
  append_clause(text, "ADD", update.adds, pair_text);
  append_clause(text, "DELETE", update.deletes, pair_text);
  return text;
}

std::optional<Item> apply(const Update& update, const Item& old) {
  Application application(old);
  if (!application.take(update)) return std::nullopt;
  return application.finish();
}

}  // namespace dolmen::torture
