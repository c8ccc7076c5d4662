#include "dolmen/relation/resource_types.h"

#include <algorithm>
#include <set>

#include "base/fail.h"
#include "dolmen/relation/urn.h"
#include "relation/reserved.h"

namespace dolmen {
namespace relation {

bool is_reserved_attribute(std::string_view name) {
  return name == "PK" || name == "SK" || name == "urn" || name.starts_with('_') || name.starts_with("GSI");
}

Result<void> check_attribute_of_user(std::string_view name) {
  if (name.empty()) return fail(Code::kInvalidResource, "an attribute needs a name");
  if (!is_reserved_attribute(name)) return {};
  return fail(Code::kInvalidResource,
              "the attribute \"{}\" is reserved: PK, SK, urn, and names that begin with \"_\" or \"GSI\" are", name);
}

}  // namespace relation

namespace {

Result<void> check_unique_keys(const ResourceType& type) {
  if (type.unique.size() > kUniqueKeysMax)
    return fail(Code::kInvalidArgument, "{} has {} unique keys; at most {} are allowed", type.name, type.unique.size(),
                kUniqueKeysMax);
  std::set<std::string_view> seen;
  for (const UniqueKey& unique : type.unique) {
    if (const Result<void> named = relation::check_attribute_of_user(unique.key); !named)
      return fail(Code::kInvalidArgument, "{}: {}", type.name, named.error().message());
    if (unique.key.find_first_of("#@") != std::string::npos)
      return fail(Code::kInvalidArgument, "{}: the unique key \"{}\" must not contain # or @", type.name, unique.key);
    if (!seen.insert(unique.key).second)
      return fail(Code::kInvalidArgument, "{} declares the unique key \"{}\" twice", type.name, unique.key);
    if (unique.per_account && type.account != AccountScope::kRequired)
      return fail(Code::kInvalidArgument, "{}: \"{}\" is unique per account, so every resource needs an account",
                  type.name, unique.key);
  }
  return {};
}

Result<void> check_versions(const ResourceType& type) {
  if (type.schema_version < 1)
    return fail(Code::kInvalidArgument, "{}: the schema version must be 1 or more", type.name);
  for (const auto& [from, upcaster] : type.upcasters) {
    if (from < 1 || from >= type.schema_version)
      return fail(Code::kInvalidArgument,
                  "{}: an upcaster from version {} makes no sense, because the current version is {}", type.name, from,
                  type.schema_version);
    if (!upcaster) return fail(Code::kInvalidArgument, "{}: the upcaster from version {} is empty", type.name, from);
  }
  return {};
}

}  // namespace

const UniqueKey* ResourceType::find_unique(std::string_view key) const {
  const auto found = std::ranges::find(unique, key, &UniqueKey::key);
  return found == unique.end() ? nullptr : &*found;
}

ResourceTypes ResourceTypes::undeclared() {
  ResourceTypes types;
  types.takes_undeclared_ = true;
  types.ids = IdPolicy::kAny;
  return types;
}

Result<void> ResourceTypes::add(ResourceType type) {
  if (const Result<void> named = check_resource_type(type.name); !named)
    return fail(Code::kInvalidArgument, "{}", named.error().message());
  if (type.name.starts_with(relation::kReservedTypePrefix))
    return fail(Code::kInvalidArgument, "{}: types that begin with \"{}\" are reserved", type.name,
                relation::kReservedTypePrefix);
  DOLMEN_TRY_VOID(check_unique_keys(type));
  DOLMEN_TRY_VOID(check_versions(type));
  for (const std::string& parent : type.parents)
    if (const Result<void> named = check_resource_type(parent); !named)
      return fail(Code::kInvalidArgument, "{}: {}", type.name, named.error().message());
  if (type.model && type.model->has_encrypted_attributes())
    return fail(Code::kInvalidArgument, "{}: the model \"{}\" has encrypted attributes, which resources cannot have",
                type.name, type.model->name);
  std::string name = type.name;
  if (!types_.emplace(name, std::move(type)).second)
    return fail(Code::kInvalidArgument, "the resource type {} is declared twice", name);
  return {};
}

const ResourceType* ResourceTypes::find(std::string_view name) const {
  const auto found = types_.find(name);
  return found == types_.end() ? nullptr : &found->second;
}

Result<ResourceType> ResourceTypes::get(std::string_view name) const {
  if (const ResourceType* type = find(name)) return *type;
  if (takes_undeclared_) return ResourceType{.name = std::string(name)};
  return fail(Code::kInvalidResource, "\"{}\" is not a declared resource type", name);
}

}  // namespace dolmen
