#include "dolmen/model/update.h"

#include <algorithm>
#include <optional>

#include "base/fail.h"
#include "model/attribute_codec.h"
#include "model/field_place.h"
#include "model/guarded_update.h"
#include "model/types.h"
#include "model/write_policy.h"

namespace dolmen {

namespace {

using Change = FieldUpdate::Change;
using UpdateKind = FieldUpdate::Kind;

std::string_view needed_type(UpdateKind kind) {
  switch (kind) {
    case UpdateKind::kAdd: return "a number or a set";
    case UpdateKind::kErase: return "a set";
    default: return "a list";
  }
}

bool fits(UpdateKind kind, Type type) {
  switch (kind) {
    case UpdateKind::kSet:
    case UpdateKind::kSetIfNotExists:
    case UpdateKind::kRemove: return true;
    case UpdateKind::kAdd: return type == Type::kNumber || is_set(type);
    case UpdateKind::kErase: return is_set(type);
    default: return type == Type::kList;
  }
}

bool is_whole(UpdateKind kind) {
  return kind == UpdateKind::kSet || kind == UpdateKind::kSetIfNotExists || kind == UpdateKind::kRemove;
}

bool is_of_element(UpdateKind kind) { return kind == UpdateKind::kSetElement || kind == UpdateKind::kRemoveElement; }

/// Whether the attribute is there afterwards, whatever was before.
bool makes_sure_of_attribute(const FieldPlace& place, UpdateKind kind) {
  return !place.is_part() &&
         (kind == UpdateKind::kSet || kind == UpdateKind::kSetIfNotExists || kind == UpdateKind::kAdd);
}

class UpdateCompiler {
 public:
  UpdateCompiler(const Model& model, const UpdateEncodeOptions& options) : model_(model), options_(options) {}

  Result<GuardedUpdate> compile(const FieldUpdate& update) && {
    DOLMEN_TRY_VOID(check_mutable(model_, "an update"));
    if (update.changes().empty()) return fail(Code::kInvalidOperator, "the update changes nothing");
    for (const Change& change : update.changes()) {
      DOLMEN_TRY(const FieldPlace place, checked(change));
      DOLMEN_TRY_VOID(take_place(change, place));
      DOLMEN_TRY_VOID(apply(change, place));
    }
    if (lacks_required(update)) compiled_.guard = compiled_.guard && attr(model_.partition_key.name).exists();
    return std::move(compiled_);
  }

 private:
  Result<FieldPlace> checked(const Change& change) const {
    DOLMEN_TRY(FieldPlace place, place_of(model_, change.field));
    const ModelAttribute& attribute = *place.attribute;
    if (model_.is_key(attribute.name))
      return fail(Code::kInvalidOperator, "\"{}\" is part of the key and cannot be changed", attribute.name);
    if (is_owned(attribute))
      return fail(Code::kInvalidModel, "\"{}\" is set by the library and cannot be written", attribute.name);
    DOLMEN_TRY_VOID(check_unprotected(model_, options_.protected_attributes, attribute.name));
    if (attribute.encrypted && (place.is_part() || !is_whole(change.kind)))
      return fail(Code::kInvalidOperator, "\"{}\" is encrypted; only its whole value can be changed", attribute.name);
    if (is_vector(attribute) && (place.is_part() || !is_whole(change.kind)))
      return fail(Code::kInvalidOperator, "\"{}\" is a vector; only its whole value can be changed", attribute.name);
    if (place.is_part()) {
      if (change.kind == UpdateKind::kErase)
        return fail(Code::kInvalidOperator, "\"{}\" is inside a list or map, which holds no sets", change.field);
    } else if (!fits(change.kind, attribute.type) || (is_json_text(attribute) && !is_whole(change.kind))) {
      return fail(Code::kInvalidOperator, "\"{}\" is of type {}; this change needs {}", change.field,
                  type_name(attribute.type), needed_type(change.kind));
    }
    return place;
  }

  /// DynamoDB takes one change of a place at a time.
  Result<void> take_place(const Change& change, FieldPlace place) {
    const bool is_element = is_of_element(change.kind);
    if (is_element) place.steps.emplace_back(change.index);
    if (std::ranges::any_of(places_, [&](const FieldPlace& other) { return other.conflicts_with(place); }))
      return is_element ? fail(Code::kInvalidOperator, "the update names element {} of \"{}\" twice", change.index,
                               change.field)
                        : fail(Code::kInvalidOperator, "the update names \"{}\" twice", change.field);
    places_.push_back(std::move(place));
    return {};
  }

  /// Whether the value is removed, or left out, instead of being stored.
  [[nodiscard]] bool is_left_out(const Change& change, const FieldPlace& place) const {
    if (change.kind == UpdateKind::kRemove) return true;
    return is_whole(change.kind) && !place.is_part() && place.attribute->omit_empty &&
           is_empty_value(*place.attribute, change.value);
  }

  Result<void> apply(const Change& change, const FieldPlace& place) {
    const Path path = place.path();
    if (is_left_out(change, place)) {
      if (!place.is_part()) DOLMEN_TRY_VOID(check_not_required(change, *place.attribute));
      // What is not there stays so without being removed.
      if (change.kind != UpdateKind::kSetIfNotExists) compiled_.update.remove(path);
      return {};
    }
    if (change.kind == UpdateKind::kRemoveElement) {
      compiled_.update.remove(path[change.index]);
      return {};
    }
    if (place.is_part()) return apply_to_part(change, place);
    DOLMEN_TRY(AttributeValue value, encode(change, *place.attribute));
    apply_value(change, path, std::move(value));
    return {};
  }

  void apply_value(const Change& change, const Path& path, AttributeValue value) {
    Update& update = compiled_.update;
    switch (change.kind) {
      case UpdateKind::kSet: update.set(path, std::move(value)); break;
      case UpdateKind::kSetIfNotExists: update.set_if_not_exists(path, std::move(value)); break;
      case UpdateKind::kAdd: update.add(path, std::move(value)); break;
      case UpdateKind::kErase:
        guard_set(change, path, value);
        update.erase_from(path, std::move(value));
        break;
      case UpdateKind::kAppend: update.append(path, value.list()); break;
      case UpdateKind::kPrepend: update.prepend(path, value.list()); break;
      default: update.set(path[change.index], value.list().front()); break;
    }
  }

  /// Inside lists and maps nothing has a declared type, and ADD knows only whole attributes.
  Result<void> apply_to_part(const Change& change, const FieldPlace& place) {
    const bool of_list = change.kind == UpdateKind::kAppend || change.kind == UpdateKind::kPrepend;
    if (of_list && change.value.get_if<LogicalValue::List>() == nullptr)
      return fail(Code::kInvalidModel, "\"{}\" takes a list of elements, not a {}", change.field, change.value.kind());
    DOLMEN_TRY(AttributeValue value,
               encode_part(model_, *place.attribute, change.value, options_.values.timestamp_form));
    const Path path = place.path();
    if (change.kind == UpdateKind::kSetElement) {
      compiled_.update.set(path[change.index], std::move(value));
    } else if (change.kind == UpdateKind::kAdd) {
      const Number* number = value.get_if<Number>();
      if (number == nullptr)
        return fail(Code::kInvalidModel, "\"{}\" takes a number to add, not a {}", change.field, change.value.kind());
      compiled_.update.increment_or_start(path, *number, 0);
    } else {
      apply_value(change, path, std::move(value));
    }
    return {};
  }

  [[nodiscard]] Result<void> check_not_required(const Change& change, const ModelAttribute& attribute) const {
    if (!attribute.required || !options_.check_required) return {};
    return fail(Code::kInvalidModel, "the required attribute \"{}\" cannot be {}", attribute.name,
                change.kind == UpdateKind::kRemove ? "removed" : "empty");
  }

  /// A set without members is no attribute at all. Of one member it is known which set it would empty; of more, only
  /// how many must be stored.
  void guard_set(const Change& change, const Path& path, const AttributeValue& members) {
    if (!model_.find(change.field)->required || !options_.check_required) return;
    const auto* list = change.value.get_if<LogicalValue::List>();
    const std::size_t count = list == nullptr ? 1 : list->size();
    compiled_.guard = compiled_.guard && (count == 1 ? path != members : path.size() > AttributeValue(count));
  }

  /// Whether an item that the update makes would lack something.
  [[nodiscard]] bool lacks_required(const FieldUpdate& update) const {
    if (!options_.check_required) return false;
    return std::ranges::any_of(model_.attributes, [&](const ModelAttribute& attribute) {
      if (!attribute.required || model_.is_key(attribute.name) || is_owned(attribute)) return false;
      for (std::size_t i = 0; i < places_.size(); ++i)
        if (places_[i].attribute == &attribute && makes_sure_of_attribute(places_[i], update.changes()[i].kind))
          return false;
      return true;
    });
  }

  /// A single member of a set is taken for a set of one, and an element of a list for a list of one.
  Result<AttributeValue> encode(const Change& change, const ModelAttribute& attribute) const {
    const bool members =
        (change.kind == UpdateKind::kAdd || change.kind == UpdateKind::kErase) && is_set(attribute.type);
    const bool wrapped =
        change.kind == UpdateKind::kSetElement || (members && change.value.get_if<LogicalValue::List>() == nullptr);
    const LogicalValue given = wrapped ? LogicalValue(LogicalValue::List{change.value}) : change.value;
    if (!members && is_stored_as_null(attribute, given)) DOLMEN_TRY_VOID(check_not_required(change, attribute));
    DOLMEN_TRY(AttributeValue value, encode_attribute(model_, attribute, given, options_.values));
    if (members && value.type() == Type::kNull)
      return fail(Code::kInvalidOperator, "the update names no members to add to \"{}\" or delete from it",
                  change.field);
    if (!is_whole(change.kind) && value.type() == Type::kNull)
      return fail(Code::kInvalidModel, "\"{}\" cannot be changed by null", change.field);
    return value;
  }

  const Model& model_;
  const UpdateEncodeOptions& options_;
  GuardedUpdate compiled_;
  /// Of the changes so far, in their order.
  std::vector<FieldPlace> places_;
};

}  // namespace

Result<GuardedUpdate> compile_guarded_update(const Model& model, const FieldUpdate& update,
                                             const UpdateEncodeOptions& options) {
  return UpdateCompiler(model, options).compile(update);
}

Result<Update> compile_update(const Model& model, const FieldUpdate& update, const UpdateEncodeOptions& options) {
  DOLMEN_TRY(GuardedUpdate compiled, compile_guarded_update(model, update, options));
  return std::move(compiled.update);
}

}  // namespace dolmen
