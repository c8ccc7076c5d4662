#include "scenario/values.h"

#include <algorithm>
#include <fmt/format.h>
#include <optional>
#include <set>

#include "base/base64.h"
#include "base/fail.h"
#include "dolmen/model/item.h"
#include "scenario/fields.h"

namespace dolmen::scenario {

namespace {

/// Equal in the sense of the model.
Result<bool> equal(const Model& model, const std::string& name, const LogicalValue& wanted, const LogicalValue& found) {
  const ModelAttribute* declared = model.find(name);
  if (declared == nullptr) return fail(Code::kInvalidArgument, "model {} has no attribute {}", model.name, name);
  if (wanted.is_null() || found.is_null()) return wanted == found;
  ModelAttribute plain = *declared;
  plain.encrypted = false;
  const Result<AttributeValue> a = encode_attribute(model, plain, value_for(model, name, wanted));
  if (!a) return fail(Code::kInvalidArgument, "{}", a.error().message());
  const Result<AttributeValue> b = encode_attribute(model, plain, value_for(model, name, found));
  return b && *a == *b;
}

/// Gives each wanted item a found one that no other has: the second of two that fit may be the only one for another, so
/// that items change their partners as long as it helps.
class Pairing {
 public:
  Pairing(std::size_t count, std::vector<std::vector<std::size_t>> fitting)
      : fitting_(std::move(fitting)), owner_(count) {}

  bool is_complete() {
    for (std::size_t wanted = 0; wanted < fitting_.size(); ++wanted) {
      tried_.assign(owner_.size(), false);
      if (!find_partner(wanted)) return false;
    }
    return true;
  }

 private:
  bool find_partner(std::size_t wanted) {
    for (const std::size_t found : fitting_[wanted]) {
      if (tried_[found]) continue;
      tried_[found] = true;
      if (owner_[found] && !find_partner(*owner_[found])) continue;
      owner_[found] = wanted;
      return true;
    }
    return false;
  }

  /// For each wanted item the found ones that contain it.
  const std::vector<std::vector<std::size_t>> fitting_;
  std::vector<std::optional<std::size_t>> owner_;
  std::vector<bool> tried_;
};

/// Compares a stored value with what is wanted, by the type of the stored one.
struct StoredAs {
  const LogicalValue& wanted;

  bool operator()(std::nullptr_t) const { return wanted.is_null(); }
  bool operator()(bool value) const { return wanted.get_if<bool>() != nullptr && *wanted.get_if<bool>() == value; }
  bool operator()(const std::string& value) const {
    return wanted.get_if<std::string>() != nullptr && *wanted.get_if<std::string>() == value;
  }
  bool operator()(const Bytes& value) const {
    return wanted.get_if<std::string>() != nullptr && *wanted.get_if<std::string>() == encode_base64(value.view());
  }
  bool operator()(const Number& value) const {
    const LogicalNumber* number = wanted.get_if<LogicalNumber>();
    const std::string* text = number == nullptr ? wanted.get_if<std::string>() : &number->text;
    const Result<Number> parsed = Number::parse(text == nullptr ? "" : *text);
    return parsed && *parsed == value;
  }
  bool operator()(const List& value) const {
    const LogicalValue::List* list = wanted.get_if<LogicalValue::List>();
    return list != nullptr && std::ranges::equal(value, *list, is_stored_as);
  }
  bool operator()(const Item& value) const {
    const LogicalItem* map = wanted.get_if<LogicalItem>();
    return map != nullptr && map->size() == value.size() && std::ranges::all_of(value, [&](const auto& member) {
             const LogicalValue* wanted_member = find(*map, member.first);
             return wanted_member != nullptr && is_stored_as(member.second, *wanted_member);
           });
  }
  template <class Element, class... Rest>
  bool operator()(const std::set<Element, Rest...>& value) const {
    const LogicalValue::List* list = wanted.get_if<LogicalValue::List>();
    // The members of a set differ from each other, so that as many as are wanted are all of them.
    return list != nullptr && list->size() == value.size() && std::ranges::all_of(value, [&](const Element& member) {
             return std::ranges::any_of(*list, [&](const LogicalValue& each) { return StoredAs{each}(member); });
           });
  }
};

}  // namespace

std::string shown(const LogicalValue& value) {
  return canonical_json(value).value_or(fmt::format("({})", value.kind()));
}

Result<void> check_contains(const Model& model, const LogicalItem& item, const LogicalItem& wanted) {
  for (const auto& [name, value] : wanted) {
    const LogicalValue* found = find(item, name);
    if (found == nullptr) return fail(Code::kInvalidArgument, "{} is missing", name);
    DOLMEN_TRY(const bool same, equal(model, name, value, *found));
    if (!same) return fail(Code::kInvalidArgument, "{} is {}, not {}", name, shown(*found), shown(value));
  }
  return {};
}

bool is_stored_as(const AttributeValue& stored, const LogicalValue& wanted) { return stored.visit(StoredAs{wanted}); }

bool is_any_order(const Model& model, const std::vector<LogicalItem>& found, const std::vector<LogicalItem>& wanted) {
  if (found.size() != wanted.size()) return false;
  std::vector<std::vector<std::size_t>> fitting(wanted.size());
  for (std::size_t i = 0; i < wanted.size(); ++i)
    for (std::size_t k = 0; k < found.size(); ++k)
      if (check_contains(model, found[k], wanted[i])) fitting[i].push_back(k);
  return Pairing(found.size(), std::move(fitting)).is_complete();
}

}  // namespace dolmen::scenario
