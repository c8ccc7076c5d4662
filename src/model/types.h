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

/// A list of so many numbers. There is no empty one.
inline bool is_vector(const ModelAttribute& attribute) { return attribute.format == AttributeFormat::kVector; }

/// Whether NULL may be written for the attribute: it stands for an empty set, a JSON null, or no value where none is
/// needed.
inline bool may_be_null(const Model& model, const ModelAttribute& attribute) {
  if (attribute.type == Type::kNull) return true;
  return !attribute.required && !is_vector(attribute) && !model.is_key(attribute.name) &&
         !model.is_index_key(attribute.name) && !model.is_searched(attribute.name);
}

/// Whether a stored NULL is read. Empty sets and JSON nulls are NULL in what others have written, required or not.
inline bool null_is_read(const Model& model, const ModelAttribute& attribute) {
  return attribute.json || is_set(attribute.type) || may_be_null(model, attribute) ||
         (!attribute.required && !model.is_key(attribute.name));
}

/// A moment as a whole number of seconds.
inline bool holds_seconds(const ModelAttribute& attribute) {
  return attribute.format == AttributeFormat::kUnixSeconds || attribute.has_role(Role::kTtl);
}

/// Stored as the text of a JSON value.
inline bool is_json_text(const ModelAttribute& attribute) { return attribute.json && attribute.type == Type::kString; }

/// A list or map that is stored as such, so that its parts can be named.
inline bool is_document(const ModelAttribute& attribute) {
  return attribute.type == Type::kList || attribute.type == Type::kMap;
}

}  // namespace dolmen
