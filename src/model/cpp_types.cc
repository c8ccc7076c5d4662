#include "model/cpp_types.h"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

#include "model/types.h"

namespace dolmen {

namespace {

CppType number_type(const ModelAttribute& attribute) {
  if (attribute.has_role(Role::kTtl) || attribute.format == AttributeFormat::kUnixSeconds)
    return {.name = "std::chrono::sys_seconds", .initializer = "{}", .as_seconds = true};
  if (attribute.has_role(Role::kVersion) || attribute.format == AttributeFormat::kInt)
    return {.name = "std::int64_t", .initializer = " = 0"};
  return {.name = "dolmen::Number"};
}

/// The type of a value that is there.
CppType value_type(const ModelAttribute& attribute) {
  if (attribute.json) return {.name = "dolmen::AttributeValue"};
  switch (attribute.type) {
    // Also a moment: a text keeps all of its digits, and the zero time of other languages, which no clock here has.
    case Type::kString: return {.name = "std::string"};
    case Type::kNumber: return number_type(attribute);
    case Type::kBinary: return {.name = "dolmen::Bytes"};
    case Type::kBool: return {.name = "bool", .initializer = " = false"};
    case Type::kNull: return {.name = "std::monostate"};
    case Type::kList: return {.name = "dolmen::List"};
    case Type::kMap: return {.name = "dolmen::Item"};
    case Type::kStringSet: return {.name = "std::set<std::string>"};
    case Type::kNumberSet: return {.name = "std::set<dolmen::Number>"};
    case Type::kBinarySet: return {.name = "std::set<dolmen::Bytes>"};
  }
  std::unreachable();
}

bool can_be_empty_itself(const ModelAttribute& attribute) {
  return attribute.json || attribute.type == Type::kNull || attribute.type == Type::kStringSet ||
         attribute.type == Type::kNumberSet || attribute.type == Type::kBinarySet;
}

/// Nothing that is empty could be stored: the beginning of time is no ttl, "" is no moment and no key of an index.
bool has_no_empty_value(const Model& model, const ModelAttribute& attribute) {
  return attribute.has_role(Role::kTtl) || attribute.format == AttributeFormat::kRfc3339Nano ||
         model.is_index_key(attribute.name);
}

bool is_always_there(const Model& model, const ModelAttribute& attribute) {
  return attribute.required || model.is_key(attribute.name) || is_owned(attribute);
}

}  // namespace

CppType cpp_type(const Model& model, const ModelAttribute& attribute) {
  CppType type = value_type(attribute);
  const bool may_be_missing = attribute.optional || has_no_empty_value(model, attribute);
  if (!may_be_missing || is_always_there(model, attribute) || can_be_empty_itself(attribute)) return type;
  return {.name = fmt::format("std::optional<{}>", type.name), .as_seconds = type.as_seconds};
}

std::string_view cpp_enumerator(Type type) {
  switch (type) {
    case Type::kString: return "dolmen::Type::kString";
    case Type::kNumber: return "dolmen::Type::kNumber";
    case Type::kBinary: return "dolmen::Type::kBinary";
    case Type::kBool: return "dolmen::Type::kBool";
    case Type::kNull: return "dolmen::Type::kNull";
    case Type::kList: return "dolmen::Type::kList";
    case Type::kMap: return "dolmen::Type::kMap";
    case Type::kStringSet: return "dolmen::Type::kStringSet";
    case Type::kNumberSet: return "dolmen::Type::kNumberSet";
    case Type::kBinarySet: return "dolmen::Type::kBinarySet";
  }
  std::unreachable();
}

std::string_view cpp_enumerator(KeyType type) {
  switch (type) {
    case KeyType::kString: return "dolmen::KeyType::kString";
    case KeyType::kNumber: return "dolmen::KeyType::kNumber";
    case KeyType::kBinary: return "dolmen::KeyType::kBinary";
  }
  std::unreachable();
}

std::string_view cpp_enumerator(Role role) {
  switch (role) {
    case Role::kPartitionKey: return "dolmen::Role::kPartitionKey";
    case Role::kSortKey: return "dolmen::Role::kSortKey";
    case Role::kCreatedAt: return "dolmen::Role::kCreatedAt";
    case Role::kUpdatedAt: return "dolmen::Role::kUpdatedAt";
    case Role::kVersion: return "dolmen::Role::kVersion";
    case Role::kTtl: return "dolmen::Role::kTtl";
    case Role::kIndexPartitionKey: return "dolmen::Role::kIndexPartitionKey";
    case Role::kIndexSortKey: return "dolmen::Role::kIndexSortKey";
  }
  std::unreachable();
}

std::string_view cpp_enumerator(AttributeFormat format) {
  switch (format) {
    case AttributeFormat::kNone: return "dolmen::AttributeFormat::kNone";
    case AttributeFormat::kRfc3339Nano: return "dolmen::AttributeFormat::kRfc3339Nano";
    case AttributeFormat::kUnixSeconds: return "dolmen::AttributeFormat::kUnixSeconds";
    case AttributeFormat::kInt: return "dolmen::AttributeFormat::kInt";
    case AttributeFormat::kDecimalString: return "dolmen::AttributeFormat::kDecimalString";
  }
  std::unreachable();
}

std::string_view cpp_enumerator(NamingConvention convention) {
  switch (convention) {
    case NamingConvention::kNone: return "dolmen::NamingConvention::kNone";
    case NamingConvention::kCamelCase: return "dolmen::NamingConvention::kCamelCase";
    case NamingConvention::kSnakeCase: return "dolmen::NamingConvention::kSnakeCase";
    case NamingConvention::kDynamorm: return "dolmen::NamingConvention::kDynamorm";
  }
  std::unreachable();
}

std::string_view cpp_enumerator(WriteMode mode) {
  return mode == WriteMode::kWriteOnce ? "dolmen::WriteMode::kWriteOnce" : "dolmen::WriteMode::kMutable";
}

std::string_view cpp_enumerator(DmsVersion version) {
  switch (version) {
    case DmsVersion::k0_1: return "dolmen::DmsVersion::k0_1";
    case DmsVersion::k0_2: return "dolmen::DmsVersion::k0_2";
  }
  std::unreachable();
}

std::string_view cpp_enumerator(IndexType type) {
  switch (type) {
    case IndexType::kGlobal: return "dolmen::IndexType::kGlobal";
    case IndexType::kLocal: return "dolmen::IndexType::kLocal";
  }
  std::unreachable();
}

std::string_view cpp_enumerator(ProjectionType type) {
  switch (type) {
    case ProjectionType::kAll: return "dolmen::ProjectionType::kAll";
    case ProjectionType::kKeysOnly: return "dolmen::ProjectionType::kKeysOnly";
    case ProjectionType::kInclude: return "dolmen::ProjectionType::kInclude";
  }
  std::unreachable();
}

}  // namespace dolmen
