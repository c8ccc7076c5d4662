#include "model/record_codec.h"

#include <algorithm>
#include <fmt/format.h>

#include "base/fail.h"
#include "model/attribute_codec.h"
#include "model/types.h"
#include "value/item_parts.h"

namespace dolmen::detail {

namespace {

using mapping::Context;
using mapping::Member;

/// In DMS 0.1 a record is empty when all of its members are; in 0.2 its members are entries, and only a map without
/// entries is empty. Everything else as `is_empty` says.
bool is_empty_member(const Member& member, const AttributeValue& value, DmsVersion version) {
  const Item* map = value.get_if<Item>();
  if (member.type->members == nullptr || map == nullptr) return is_empty(value);
  if (version != DmsVersion::k0_1) return member.type->members().empty();
  return std::ranges::all_of(member.type->members(), [&](const Member& inner) {
    const AttributeValue* found = map->find(inner.attribute);
    return found == nullptr || is_empty_member(inner, *found, version);
  });
}

/// What a record has written for an attribute, as the rules of a put see it.
struct WrittenPutValue {
  const ModelAttribute& attribute;
  /// Null when the record has none for the attribute.
  const Member* member;
  const AttributeValue& value;
  DmsVersion version;

  /// An empty set is written as NULL too, and is stored as such.
  [[nodiscard]] bool is_missing() const {
    return member == nullptr || (is_null() && member->type->left_out_when_null && !is_set(attribute.type));
  }
  [[nodiscard]] bool is_null() const { return value.type() == Type::kNull; }
  [[nodiscard]] bool is_blank() const {
    const std::string* text = value.get_if<std::string>();
    const Bytes* bytes = value.get_if<Bytes>();
    return (text != nullptr && text->empty()) || (bytes != nullptr && bytes->empty());
  }
  [[nodiscard]] bool is_empty() const {
    return is_empty_member(*member, value, version) || is_zero_time(attribute, value);
  }
};

/// The empty value of a type; NULL where there is none.
AttributeValue empty_value(Type type) {
  switch (type) {
    case Type::kString: return "";
    case Type::kNumber: return 0;
    case Type::kBinary: return Bytes();
    case Type::kBool: return false;
    case Type::kList: return List();
    case Type::kMap: return Item();
    default: return nullptr;
  }
}

Error joined(std::string_view record, Code code, std::vector<ErrorDetail> problems) {
  std::string message;
  for (const ErrorDetail& problem : problems)
    fmt::format_to(std::back_inserter(message), "{}{}.{}: {}", message.empty() ? "" : "; ", record, problem.path,
                   problem.message);
  return {code, std::move(message), std::move(problems)};
}

}  // namespace

// ---- Writing ----

Result<Item> RecordTable::Encoder::item() {
  const ModelSource& source = *table_.source();
  DOLMEN_TRY_VOID(check_encryption(source.model, source.keys));
  // A value that is written where it will stand, because a move of it costs as much as its making.
  struct InPlace {
    Encoder& encoder;
    const Slot& slot;
    operator AttributeValue() const { return encoder.written(slot); }  // NOLINT(google-explicit-constructor)
  };
  Item stored;
  // The slots have the order of an item's attributes.
  std::vector<Item::Attribute>& attributes = ItemParts::of(stored);
  attributes.reserve(table_.slots_.size());
  for (const Slot& slot : table_.slots_) {
    attributes.emplace_back(slot.attribute->name, InPlace{*this, slot});
    if (!store(slot, attributes.back().second)) attributes.pop_back();
    if (rules_.error()) break;
  }
  DOLMEN_TRY_VOID(verdict());
  return stored;
}

std::optional<AttributeValue> RecordTable::Encoder::value(const Slot& slot) {
  AttributeValue value = written(slot);
  if (!store(slot, value)) return std::nullopt;
  return value;
}

Result<void> RecordTable::Encoder::verdict() const {
  if (rules_.error()) return std::unexpected(*rules_.error());
  if (rules_.problems().empty() && context_.problems().empty()) return {};
  std::vector<ErrorDetail> problems = context_.problems();
  problems.insert(problems.end(), rules_.problems().begin(), rules_.problems().end());
  return std::unexpected(joined(table_.type_.name, Code::kInvalidModel, std::move(problems)));
}

AttributeValue RecordTable::Encoder::now() {
  if (now_.empty()) {
    Result<std::string> text =
        format_timestamp(Timestamp::from(table_.items_.options_.now()), table_.source()->timestamp_form);
    if (!text) {
      rules_.fail_with(Error(Code::kInvalidModel, text.error().message()));
      return nullptr;
    }
    now_ = std::move(*text);
  }
  return now_;
}

AttributeValue RecordTable::Encoder::written(const Slot& slot) {
  refused_ = false;
  if (slot.is_time) return now();
  if (slot.member == nullptr) return nullptr;
  const Context::Step step(context_, Context::Step::Kind::kMember, slot.member->name);
  const std::size_t problems = context_.problems().size();
  // Only read through, so the record stays as it is.
  AttributeValue value = slot.member->type->write(context_, slot.member->locate(const_cast<void*>(record_)));
  refused_ = context_.problems().size() > problems;
  return value;
}

bool RecordTable::Encoder::store(const Slot& slot, AttributeValue& value) {
  if (refused_) return false;
  const Model& model = table_.source()->model;
  const ModelAttribute& attribute = *slot.attribute;
  const PutAttribute rule{.attribute = &attribute,
                          .path = slot.member == nullptr ? attribute.name : slot.member->name,
                          .is_key = slot.is_key,
                          .is_time = slot.is_time,
                          .is_version = slot.is_version};
  switch (rules_.step(rule, WrittenPutValue{attribute, slot.member, value, model.dms_version})) {
    case PutStep::kLeaveOut: return false;
    case PutStep::kStore: break;
    case PutStep::kStoreNow: return true;  // `written` has given it.
    case PutStep::kStoreZero: value = 0; break;
  }
  if (slot.stored_as_written && value.type() == attribute.type) return true;
  const Result<void> stored = store_form(model, attribute, table_.source()->encoding(), value);
  if (!stored) rules_.refuse(rule, stored.error());
  return stored.has_value();
}

// ---- Reading ----

Result<void> RecordTable::Decoder::item(const Item& item) {
  const ModelSource& source = *table_.source();
  DOLMEN_TRY_VOID(check_encryption(source.model, source.keys));
  auto attribute = item.begin();
  // Slots and attributes have the same order.
  const auto next = [&](const std::string& name) -> const AttributeValue* {
    for (; attribute != item.end(); ++attribute)
      if (const int order = compare_names(attribute->first, name); order >= 0)
        return order == 0 ? &attribute->second : nullptr;
    return nullptr;
  };
  bool good = true;
  for (const Slot& slot : table_.slots_) {
    if (slot.member == nullptr) continue;
    const AttributeValue* stored = next(slot.attribute->name);
    const Context::Step step(context_, Context::Step::Kind::kMember, slot.member->name);
    good = read(slot, stored) && good;
    if (error_) return std::unexpected(std::move(*error_));
  }
  if (good) return {};
  return std::unexpected(joined(table_.type_.name, Code::kInvalidModel, context_.problems()));
}

bool RecordTable::Decoder::read(const Slot& slot, const AttributeValue* stored) {
  if (stored == nullptr) return read_nothing(slot, false);
  void* target = slot.member->locate(record_);
  if (!slot.attribute->encrypted && !slot.attribute->json && stored->type() == slot.attribute->type)
    return slot.member->type->read(context_, *stored, target);
  const ModelSource& source = *table_.source();
  Result<AttributeValue> value = written_form(source.model, *slot.attribute, *stored, source.decoding());
  if (!value) {
    if (value.error().code() == Code::kInvalidModel) return context_.fail("type", value.error().message());
    error_ = std::move(value).error();
    return false;
  }
  if (value->type() == Type::kNull && !slot.member->type->types.contains(Type::kNull)) return read_nothing(slot, true);
  return slot.member->type->read(context_, *value, target);
}

/// What is missing or NULL is an empty member, as far as there is such a thing.
bool RecordTable::Decoder::read_nothing(const Slot& slot, bool is_null) {
  const ModelAttribute& attribute = *slot.attribute;
  void* target = slot.member->locate(record_);
  if (!partial_ && (attribute.required || slot.is_key) && !slot.member->defaulted)
    return context_.fail(
        "required", fmt::format("the required attribute \"{}\" is {}", attribute.name, is_null ? "NULL" : "missing"));
  if (slot.member->type->left_out_when_null) return slot.member->type->read(context_, AttributeValue(), target);
  if (!attribute.omit_empty || slot.member->defaulted) return true;
  // Not every member has an empty value, an enumeration for one. Then it stays as the struct makes it.
  Context ignored;
  slot.member->type->read(ignored, empty_value(attribute.json ? Type::kNull : attribute.type), target);
  return true;
}

}  // namespace dolmen::detail
