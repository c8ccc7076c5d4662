#pragma once

#include "dolmen/model/model.h"
#include "dolmen/value.h"

namespace dolmen {

inline bool is_set(Type type) {
  return type == Type::kStringSet || type == Type::kNumberSet || type == Type::kBinarySet;
}

inline Type type_of(KeyType type) {
  switch (type) {
    case KeyType::kString: return Type::kString;
    case KeyType::kNumber: return Type::kNumber;
    case KeyType::kBinary: break;
  }
  return Type::kBinary;
}

/// Times that the library sets, whatever an item says.
inline bool is_owned_time(const ModelAttribute& attribute) {
  return attribute.has_role(Role::kCreatedAt) || attribute.has_role(Role::kUpdatedAt);
}

/// Set by the library alone: times and the version.
inline bool is_owned(const ModelAttribute& attribute) {
  return is_owned_time(attribute) || attribute.has_role(Role::kVersion);
}

/// Whether NULL may be stored for the attribute: it stands for an empty set, a JSON null, or no value where none is
/// needed.
inline bool may_be_null(const Model& model, const ModelAttribute& attribute) {
  if (attribute.type == Type::kNull || attribute.json || is_set(attribute.type)) return true;
  return !attribute.required && !model.is_key(attribute.name);
}

}  // namespace dolmen
