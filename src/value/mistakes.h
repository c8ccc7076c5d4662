#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "dolmen/error.h"

/// What errors about values carry, for a caller that words them in its own way.
namespace dolmen {

/// Carried by kValidation: a value of a request that breaks a rule.
struct ValueMistake final : ErrorPayload {
  enum class Kind : std::uint8_t {
    kNumber,            ///< not a number, or not one that can be stored; `texts` is the text that was sent
    kRepeatedStrings,   ///< a member of a string set repeats; `texts` are all members, as sent
    kRepeatedBinaries,  ///< the same for a binary set; the members are in base64
    kRepeatedNumbers,
    kEmptyNumberSet,
  };

  ValueMistake(Kind mistake, std::vector<std::string> sent) : kind(mistake), texts(std::move(sent)) {}

  Kind kind;
  std::vector<std::string> texts;
};

/// Carried by kValidation: an item is larger than an item may be.
struct ItemTooLarge final : ErrorPayload {};

}  // namespace dolmen
