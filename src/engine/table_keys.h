#pragma once

#include <optional>
#include <string_view>

#include "storage/row_cipher.h"

namespace dolmen::engine {

/// The keys of customers, which wrap the data keys of tables (data_keys.h). Any thread may use them.
class TableKeys {
 public:
  virtual ~TableKeys() = default;

  /// The key of a name as it is at this moment; nothing when there is none. The caller wipes it.
  virtual std::optional<storage::RowCipher::Key> find(std::string_view name) = 0;
};

}  // namespace dolmen::engine
