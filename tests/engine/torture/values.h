#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "dolmen/table.h"
#include "dolmen/value.h"
#include "path.h"
#include "random.h"
#include "value/test_items.h"

namespace dolmen::torture {

/// The attribute with the time at which an item expires, when its table has a time to live. No expression names it.
inline constexpr std::string_view kExpiryAttribute = "expires";

/// Tables, items and values out of a small world: few attributes, few key values, so that operations meet each other.
/// Each attribute usually has one type, and now and then another.
class Values {
 public:
  explicit Values(Random& random) : random_(random), odd_(random.below(1U << 30U)) {}

  TableDefinition table(const std::string& name);
  IndexDefinition index(const std::string& name, const TableDefinition& table, bool local);
  AttributeValue key_value(KeyType type);
  Item key(const TableDefinition& table);
  Item item(const TableDefinition& table);

  /// A value that suits what usually lies at the path.
  AttributeValue value_at(const Path& path);
  /// The same, but sometimes one of any other type.
  AttributeValue nearly_value_at(const Path& path);
  AttributeValue list();
  AttributeValue small_number();
  AttributeValue scalar();
  AttributeValue set();

  /// Every path that expressions use, besides the attributes of keys.
  static const std::vector<Path>& paths();
  /// The attributes that indexes have as keys.
  static const std::vector<KeyAttribute>& index_attributes();

 private:
  std::string text();
  Bytes bytes();
  AttributeValue document();

  Random& random_;
  RandomItems odd_;
};

}  // namespace dolmen::torture
