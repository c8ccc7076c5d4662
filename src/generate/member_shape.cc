#include "generate/member_shape.h"

#include <utility>

#include "model/types.h"

namespace dolmen::generate {

namespace {

MemberKind number_kind(const ModelAttribute& attribute) {
  if (attribute.has_role(Role::kVersion)) return MemberKind::kVersion;
  if (holds_seconds(attribute)) return MemberKind::kSeconds;
  return attribute.format == AttributeFormat::kInt ? MemberKind::kInteger : MemberKind::kNumber;
}

MemberKind kind_of(const ModelAttribute& attribute) {
  if (attribute.json) return MemberKind::kJson;
  switch (attribute.type) {
    case Type::kString:
      return is_owned_time(attribute) || attribute.format == AttributeFormat::kRfc3339Nano ? MemberKind::kTime
                                                                                           : MemberKind::kText;
    case Type::kNumber: return number_kind(attribute);
    case Type::kBinary: return MemberKind::kBytes;
    case Type::kBool: return MemberKind::kBool;
    case Type::kNull: return MemberKind::kNull;
    case Type::kList: return is_vector(attribute) ? MemberKind::kVector : MemberKind::kList;
    case Type::kMap: return MemberKind::kMap;
    case Type::kStringSet: return MemberKind::kTextSet;
    case Type::kNumberSet: return MemberKind::kNumberSet;
    case Type::kBinarySet: return MemberKind::kByteSet;
  }
  std::unreachable();
}

/// Nothing that is empty could be stored: the beginning of time is no ttl, "" is no moment and no key of an index, and
/// a list of nothing is no vector.
bool has_no_empty_value(const Model& model, const ModelAttribute& attribute) {
  return attribute.has_role(Role::kTtl) || attribute.format == AttributeFormat::kRfc3339Nano || is_vector(attribute) ||
         model.is_index_key(attribute.name);
}

}  // namespace

MemberShape member_shape(const Model& model, const ModelAttribute& attribute) {
  const MemberKind kind = kind_of(attribute);
  const bool empty_itself = kind == MemberKind::kJson || kind == MemberKind::kNull || is_set(attribute.type);
  const bool always_there = attribute.required || model.is_key(attribute.name) || is_owned(attribute);
  const bool may_be_missing = attribute.optional || has_no_empty_value(model, attribute);
  return {.kind = kind,
          .nullable = may_be_missing && !always_there && !empty_itself,
          .given = (attribute.required || model.is_key(attribute.name)) && !is_owned(attribute) &&
                   kind != MemberKind::kNull};
}

}  // namespace dolmen::generate
