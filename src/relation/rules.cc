#include "relation/rules.h"

#include <fmt/format.h>

#include "base/fail.h"
#include "base/limits.h"
#include "model/types.h"
#include "relation/reserved.h"
#include "value/encoded_item.h"

namespace dolmen::relation {
namespace {

/// Keeps the update expression within what DynamoDB takes.
constexpr std::size_t kAttributesChangedMax = 100;
/// A parent's URN, the mark of a delete and counters that grow take less than what is left of an item.
constexpr std::size_t kRecordBytesMax = limits::kItemBytes - 1024;
/// Between a unique key and the account in which it is unique.
constexpr char kAccountMark = '@';

/// Attributes of a model that the relational store has its own form of.
bool is_kept_elsewhere(const Model& model, const ModelAttribute& attribute) {
  return model.is_key(attribute.name) || is_owned(attribute);
}

Result<void> check_model_attributes(const Model& model, const Item& attributes) {
  std::vector<ErrorDetail> details;
  for (const auto& [name, value] : attributes) {
    const ModelAttribute* attribute = model.find(name);
    if (attribute == nullptr || is_kept_elsewhere(model, *attribute))
      details.push_back({name, "unknown", fmt::format("{} is not an attribute of the model {}", name, model.name)});
    else if (attribute->type != value.type() && value.type() != Type::kNull)
      details.push_back(
          {name, "type",
           fmt::format("{}: expected {}, found {}", name, type_name(attribute->type), type_name(value.type()))});
  }
  for (const ModelAttribute& attribute : model.attributes) {
    if (!attribute.required || is_kept_elsewhere(model, attribute)) continue;
    const AttributeValue* value = attributes.find(attribute.name);
    if (value == nullptr || value->type() == Type::kNull)
      details.push_back({attribute.name, "required", fmt::format("{}: missing", attribute.name)});
  }
  if (details.empty()) return {};
  std::string message = fmt::format("the attributes do not fit the model {}: {}", model.name, details.front().message);
  return std::unexpected(Error(Code::kInvalidResource, std::move(message), std::move(details)));
}

Result<std::string> unique_text(const std::string& key, const AttributeValue& value) {
  if (const auto* text = value.get_if<std::string>()) return *text;
  if (const auto* number = value.get_if<Number>()) return number->to_string();
  return fail(Code::kInvalidResource, "{} is unique, so it must be text or a number, not {}", key,
              type_name(value.type()));
}

/// Whether the stored value is the attribute as it is, and unique in the whole store: all that is known of a key
/// without a declaration.
bool is_exact_and_global(const Row& stored, const std::string& key) {
  const AttributeValue* value = stored.attributes.find(key);
  if (value == nullptr) return false;
  const Result<std::string> text = unique_text(key, *value);
  return text && *text == stored.unique.at(key);
}

bool is_unchanged(const Row& stored, const Row& changed, const std::string& attribute) {
  const AttributeValue* before = stored.attributes.find(attribute);
  const AttributeValue* after = changed.attributes.find(attribute);
  return before == nullptr || after == nullptr ? before == after : *before == *after;
}

Result<std::string> record_key(const UniqueKey& unique, const std::optional<std::string>& account) {
  if (!unique.per_account) return unique.key;
  if (!account) return fail(Code::kInvalidResource, "{} is unique per account; name the account", unique.key);
  return account_unique_key(unique.key, *account);
}

}  // namespace

Result<void> check_attributes(const ResourceType& type, const Item& attributes) {
  for (const auto& [name, value] : attributes) DOLMEN_TRY_VOID(check_attribute_of_user(name));
  if (type.model) return check_model_attributes(*type.model, attributes);
  return {};
}

Result<std::map<std::string, std::string>> unique_values_of(const ResourceType& type, const Row& row,
                                                            const std::set<std::string>& others) {
  std::vector<UniqueKey> keys = type.unique;
  for (const std::string& other : others)
    if (type.find_unique(other) == nullptr) keys.push_back({.key = other});
  std::map<std::string, std::string> values;
  for (const UniqueKey& unique : keys) {
    const AttributeValue* value = row.attributes.find(unique.key);
    if (value == nullptr) continue;
    DOLMEN_TRY(const std::string text, unique_text(unique.key, *value));
    DOLMEN_TRY(std::string normal, normalise(unique.normaliser, text));
    DOLMEN_TRY(std::string key, record_key(unique, row.account));
    DOLMEN_TRY_VOID(check_key_lengths(unique_key({.type = row.type, .key = key, .value = normal})));
    values.emplace(std::move(key), std::move(normal));
  }
  if (values.size() > kUniqueKeysMax)
    return fail(Code::kLimitExceeded, "the resource has {} unique values; at most {} are allowed", values.size(),
                kUniqueKeysMax);
  return values;
}

Result<std::map<std::string, std::string>> unique_values_after(const ResourceTypes& types, const Row& stored,
                                                               const Row& changed) {
  DOLMEN_TRY(const ResourceType type, types.get(stored.type));
  if (types.find(stored.type) != nullptr) return unique_values_of(type, changed);
  std::map<std::string, std::string> kept;
  std::set<std::string> made_anew;
  for (const auto& [key, value] : stored.unique) {
    const std::string attribute = attribute_of_unique(key);
    if (is_unchanged(stored, changed, attribute))
      kept.emplace(key, value);
    else if (key == attribute && is_exact_and_global(stored, key))
      made_anew.insert(key);
    else
      return fail(Code::kInvalidResource,
                  "{} of {} is unique by a rule that the declaration of {} holds; declare the type to change it",
                  attribute, stored.urn, stored.type);
  }
  DOLMEN_TRY(auto values, unique_values_of(type, changed, made_anew));
  values.merge(kept);
  return values;
}

Result<void> check_size(const Row& row) {
  const std::size_t bytes = item_size(resource_record(row));
  if (bytes > kRecordBytesMax)
    return fail(Code::kLimitExceeded, "{} would have {} bytes; at most {} are allowed", row.urn, bytes,
                kRecordBytesMax);
  return {};
}

std::string attribute_of_unique(const std::string& key) { return key.substr(0, key.find(kAccountMark)); }

std::string account_unique_key(const std::string& attribute, const std::string& account) {
  return fmt::format("{}{}{}", attribute, kAccountMark, account);
}

Result<UniqueName> unique_name(const ResourceTypes& types, const UniqueValue& value) {
  DOLMEN_TRY_VOID(check_resource_type(value.type));
  DOLMEN_TRY(const ResourceType type, types.get(value.type));
  UniqueKey unique{.key = value.key};
  if (const UniqueKey* declared = type.find_unique(value.key))
    unique = *declared;
  else if (!types.takes_undeclared())
    return fail(Code::kInvalidResource, "{} has no unique key \"{}\"", value.type, value.key);
  DOLMEN_TRY_VOID(check_attribute_of_user(unique.key));
  if (unique.key.find_first_of("#@") != std::string::npos)
    return fail(Code::kInvalidResource, "a unique key must not contain # or @");
  UniqueName name{.type = value.type};
  DOLMEN_TRY(name.key, record_key(unique, value.account));
  // Asked for without a value when all values of a key are wanted.
  if (!value.value.empty()) {
    DOLMEN_TRY(name.value, normalise(unique.normaliser, value.value));
  }
  DOLMEN_TRY_VOID(check_key_lengths(unique_key(name)));
  return name;
}

Error unique_violation(const UniqueName& name, const std::optional<std::string>& owner) {
  auto conflict = std::make_shared<UniqueConflict>();
  const std::size_t mark = name.key.find(kAccountMark);
  conflict->value = {.type = name.type, .key = attribute_of_unique(name.key), .value = name.value};
  if (mark != std::string::npos) conflict->value.account = name.key.substr(mark + 1);
  conflict->owner = owner;
  return {Code::kUniqueViolation,
          fmt::format("{} \"{}\" of {} is taken by {}", conflict->value.key, name.value, name.type,
                      owner ? *owner : std::string("a reservation")),
          std::shared_ptr<const ErrorPayload>(std::move(conflict))};
}

void plan_claim(Plan& plan, const UniqueName& name, const std::string& owner, const std::string& time) {
  Item record = unique_record(name, {.value = name.value, .owner = owner, .created_at = time, .updated_at = time});
  plan.create(std::move(record), [name](const std::optional<Item>& found) -> std::optional<Error> {
    if (!found) return std::nullopt;
    std::string taken_by = text_of(*found, "associatedRecordUrn");
    return unique_violation(name, taken_by.empty() ? std::nullopt : std::optional(std::move(taken_by)));
  });
}

void plan_release(Plan& plan, const UniqueName& name, const std::string& owner) {
  plan.erase(unique_key(name), attr("PK").not_exists() || attr("associatedRecordUrn") == owner);
}

void plan_unique_changes(Plan& plan, const Row& before, const Row& after) {
  for (const auto& [key, value] : before.unique) {
    const auto kept = after.unique.find(key);
    if (kept == after.unique.end() || kept->second != value)
      plan_release(plan, {.type = before.type, .key = key, .value = value}, before.urn);
  }
  for (const auto& [key, value] : after.unique) {
    const auto kept = before.unique.find(key);
    if (kept == before.unique.end() || kept->second != value)
      plan_claim(plan, {.type = after.type, .key = key, .value = value}, after.urn, after.updated_at);
  }
}

Result<void> plan_attributes(RowChange& change, const Row& before, const Row& after) {
  const Item old_record = resource_record(before);
  const Item new_record = resource_record(after);
  std::size_t changed = 0;
  for (const auto& [name, value] : new_record) {
    const AttributeValue* old = old_record.find(name);
    if (old != nullptr && *old == value) continue;
    change.set(name, value);
    ++changed;
  }
  for (const auto& [name, value] : old_record) {
    if (new_record.contains(name)) continue;
    change.remove(name);
    ++changed;
  }
  if (changed > kAttributesChangedMax)
    return fail(Code::kLimitExceeded, "the update changes {} attributes; at most {} are allowed", changed,
                kAttributesChangedMax);
  return {};
}

}  // namespace dolmen::relation
