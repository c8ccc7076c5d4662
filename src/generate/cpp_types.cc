#include "generate/cpp_types.h"

#include <fmt/format.h>
#include <utility>

#include "generate/member_shape.h"

namespace dolmen::generate {

namespace {

/// The type of a value that is there. `dimensions` is that of a vector.
CppType value_type(MemberKind kind, std::int64_t dimensions) {
  switch (kind) {
    case MemberKind::kText:
    // A text keeps all digits of a moment, and the zero time of other languages, which no clock here has.
    case MemberKind::kTime: return {.name = "std::string"};
    case MemberKind::kNumber: return {.name = "dolmen::Number"};
    case MemberKind::kInteger:
    case MemberKind::kVersion: return {.name = "std::int64_t", .initializer = " = 0"};
    case MemberKind::kSeconds: return {.name = "std::chrono::sys_seconds", .initializer = "{}", .as_seconds = true};
    case MemberKind::kBytes: return {.name = "dolmen::Bytes"};
    case MemberKind::kBool: return {.name = "bool", .initializer = " = false"};
    case MemberKind::kNull: return {.name = "std::monostate"};
    case MemberKind::kList: return {.name = "dolmen::List"};
    case MemberKind::kVector: return {.name = fmt::format("std::array<float, {}>", dimensions), .initializer = "{}"};
    case MemberKind::kMap: return {.name = "dolmen::Item"};
    case MemberKind::kTextSet: return {.name = "std::set<std::string>"};
    case MemberKind::kNumberSet: return {.name = "std::set<dolmen::Number>"};
    case MemberKind::kByteSet: return {.name = "std::set<dolmen::Bytes>"};
    case MemberKind::kJson: return {.name = "dolmen::AttributeValue"};
  }
  std::unreachable();
}

}  // namespace

CppType cpp_type(const Model& model, const ModelAttribute& attribute) {
  const MemberShape shape = member_shape(model, attribute);
  CppType type = value_type(shape.kind, attribute.dimensions);
  if (!shape.nullable) return type;
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
    case AttributeFormat::kVector: return "dolmen::AttributeFormat::kVector";
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

std::string_view cpp_enumerator(VectorDistance distance) {
  switch (distance) {
    case VectorDistance::kCosine: return "dolmen::VectorDistance::kCosine";
    case VectorDistance::kDotProduct: return "dolmen::VectorDistance::kDotProduct";
    case VectorDistance::kEuclidean: return "dolmen::VectorDistance::kEuclidean";
  }
  std::unreachable();
}

std::string_view cpp_enumerator(SearchRole role) {
  return role == SearchRole::kHash ? "dolmen::SearchRole::kHash" : "dolmen::SearchRole::kInlineFilter";
}

std::string_view cpp_enumerator(ProjectionType type) {
  switch (type) {
    case ProjectionType::kAll: return "dolmen::ProjectionType::kAll";
    case ProjectionType::kKeysOnly: return "dolmen::ProjectionType::kKeysOnly";
    case ProjectionType::kInclude: return "dolmen::ProjectionType::kInclude";
  }
  std::unreachable();
}

}  // namespace dolmen::generate
