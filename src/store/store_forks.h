#pragma once

#include <memory>
#include <string>

#include "dolmen/error.h"
#include "dolmen/store.h"

namespace dolmen {

/// Makes writable copies of the store of this process. A companion of an embedded Store.
class StoreForks {
 public:
  virtual ~StoreForks() = default;
  /// As Store::fork.
  virtual Result<std::unique_ptr<Store>> fork(const std::string& directory) = 0;
};

}  // namespace dolmen
