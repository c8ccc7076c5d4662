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

}  // namespace dolmen
