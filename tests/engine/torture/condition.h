#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "dolmen/value.h"
#include "wording.h"

namespace dolmen::torture {

struct Operand {
  enum class Kind : std::uint8_t { kPath, kValue, kSize };
  Kind kind = Kind::kPath;
  Path path = {};
  AttributeValue value = {};
};

/// A condition as the generator makes it. `parts` belong to kAnd, kOr and kNot, `operands` to all others.
struct Condition {
  enum class Kind : std::uint8_t {
    kAnd,
    kOr,
    kNot,
    kEqual,
    kNotEqual,
    kLess,
    kLessOrEqual,
    kGreater,
    kGreaterOrEqual,
    kBetween,
    kIn,
    kExists,
    kNotExists,
    kType,
    kBeginsWith,
    kContains,
  };
  Kind kind = Kind::kExists;
  std::vector<Condition> parts = {};
  std::vector<Operand> operands = {};
};

std::string text_of(const Condition& condition, Wording& wording);

/// What DynamoDB's manual says about each of them, word by word.
bool holds(const Condition& condition, const Item& item);

/// Less than, equal to or greater than zero, for two strings, numbers or binaries; both must be of the same type.
int order(const AttributeValue& a, const AttributeValue& b);

}  // namespace dolmen::torture
