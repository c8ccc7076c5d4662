#include <algorithm>
#include <optional>

#include "base/fail.h"
#include "dolmen/model/update.h"
#include "model/types.h"

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

class UpdateCompiler {
 public:
  UpdateCompiler(const Model& model, const EncodeOptions& options) : model_(model), options_(options) {}

  Result<Update> compile(const FieldUpdate& update) && {
    if (update.changes().empty()) return fail(Code::kInvalidOperator, "the update changes nothing");
    for (const Change& change : update.changes()) {
      DOLMEN_TRY(const ModelAttribute* attribute, checked(change));
      DOLMEN_TRY_VOID(check_alone(change, update));
      DOLMEN_TRY_VOID(apply(change, *attribute));
    }
    return std::move(update_);
  }

 private:
  Result<const ModelAttribute*> checked(const Change& change) const {
    const ModelAttribute* attribute = model_.find(change.field);
    if (attribute == nullptr)
      return fail(Code::kInvalidOperator, "model \"{}\" has no attribute \"{}\"", model_.name, change.field);
    if (model_.is_key(change.field))
      return fail(Code::kInvalidOperator, "\"{}\" is part of the key and cannot be changed", change.field);
    if (is_owned_time(*attribute))
      return fail(Code::kInvalidOperator, "\"{}\" is set by the library and cannot be written", change.field);
    if (attribute->encrypted && !is_whole(change.kind))
      return fail(Code::kInvalidOperator, "\"{}\" is encrypted; only its whole value can be changed", change.field);
    if (!fits(change.kind, attribute->type) || (attribute->json && !is_whole(change.kind)))
      return fail(Code::kInvalidOperator, "\"{}\" is of type {}; this change needs {}", change.field,
                  type_name(attribute->type), needed_type(change.kind));
    return attribute;
  }

  /// DynamoDB takes one change of a place at a time: an attribute, or an element of a list.
  static Result<void> check_alone(const Change& change, const FieldUpdate& update) {
    for (const Change& other : update.changes()) {
      if (&other == &change) return {};
      if (other.field != change.field) continue;
      if (!is_of_element(change.kind) || !is_of_element(other.kind))
        return fail(Code::kInvalidOperator, "the update names \"{}\" twice", change.field);
      if (other.index == change.index)
        return fail(Code::kInvalidOperator, "the update names element {} of \"{}\" twice", change.index, change.field);
    }
    return {};
  }

  Result<void> apply(const Change& change, const ModelAttribute& attribute) {
    const Path path = attr(change.field);
    if (change.kind == UpdateKind::kRemove) {
      update_.remove(path);
      return {};
    }
    if (change.kind == UpdateKind::kRemoveElement) {
      update_.remove(path[change.index]);
      return {};
    }
    DOLMEN_TRY(AttributeValue value, encode(change, attribute));
    switch (change.kind) {
      case UpdateKind::kSet: update_.set(path, std::move(value)); break;
      case UpdateKind::kSetIfNotExists: update_.set_if_not_exists(path, std::move(value)); break;
      case UpdateKind::kAdd: update_.add(path, std::move(value)); break;
      case UpdateKind::kErase: update_.erase_from(path, std::move(value)); break;
      case UpdateKind::kAppend: update_.append(path, value.list()); break;
      case UpdateKind::kPrepend: update_.prepend(path, value.list()); break;
      default: update_.set(path[change.index], value.list().front()); break;
    }
    return {};
  }

  /// A single member of a set is taken for a set of one, and an element of a list for a list of one.
  Result<AttributeValue> encode(const Change& change, const ModelAttribute& attribute) const {
    const bool members =
        (change.kind == UpdateKind::kAdd || change.kind == UpdateKind::kErase) && is_set(attribute.type);
    const bool wrapped =
        change.kind == UpdateKind::kSetElement || (members && change.value.get_if<LogicalValue::List>() == nullptr);
    DOLMEN_TRY(AttributeValue value,
               encode_attribute(model_, attribute,
                                wrapped ? LogicalValue(LogicalValue::List{change.value}) : change.value, options_));
    if (members && value.type() == Type::kNull)
      return fail(Code::kInvalidOperator, "the update names no members to add to \"{}\" or delete from it",
                  change.field);
    return value;
  }

  const Model& model_;
  const EncodeOptions& options_;
  Update update_;
};

}  // namespace

Result<Update> compile_update(const Model& model, const FieldUpdate& update, const EncodeOptions& options) {
  return UpdateCompiler(model, options).compile(update);
}

}  // namespace dolmen
