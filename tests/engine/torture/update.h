#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "dolmen/value.h"
#include "wording.h"

namespace dolmen::torture {

/// One assignment of a SET clause; `source` and `value` are used as the form says.
struct Assignment {
  enum class Form : std::uint8_t {
    kValue,            ///< :value
    kCopy,             ///< source
    kPlus,             ///< source + :value
    kMinus,            ///< :value - source
    kAppend,           ///< list_append(source, :value)
    kPrepend,          ///< list_append(:value, source)
    kIfNotExists,      ///< if_not_exists(source, :value)
    kIfNotExistsPlus,  ///< if_not_exists(source, :value) + :value
  };
  Path path;
  Form form = Form::kValue;
  Path source = {};
  AttributeValue value = {};
};

/// An update expression as the generator makes it.
struct Update {
  std::vector<Assignment> sets = {};
  std::vector<Path> removes = {};
  std::vector<std::pair<Path, AttributeValue>> adds = {};
  std::vector<std::pair<Path, AttributeValue>> deletes = {};

  [[nodiscard]] std::vector<Path> targets() const;
  [[nodiscard]] bool only_removes() const { return sets.empty() && adds.empty(); }
};

std::string text_of(const Update& update, Wording& wording);

/// What becomes of the item; nothing when DynamoDB would refuse the update of that very item.
std::optional<Item> apply(const Update& update, const Item& old);

}  // namespace dolmen::torture
