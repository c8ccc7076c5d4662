#pragma once

#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>

#include "dolmen/entity/manager.h"
#include "dolmen/store.h"

namespace dolmen::entity {

/// True when the protocol has an operation on entities of that name.
bool is_operation(std::string_view operation);

/// The operations on entities as JSON (docs/documents-openapi.yaml): an object in, an object out. The config of a table
/// is in the table, since BindEntities has put it there or a program's `EntityClient::ensure_table`. Thread-safe.
class Operations {
 public:
  /// The store must outlive it.
  explicit Operations(Store& store) : store_(store) {}

  /// Fails as EntityClient does, with kSerialization when the body is not a JSON object, with kQueryInvalid for what
  /// cannot be understood in it, with kTableNotFound, with kItemNotFound when the table has no config, and with
  /// kUnknownOperation. Waits for the store.
  Result<std::string> execute(std::string_view operation, std::string_view body);

  [[nodiscard]] Store& store() const noexcept { return store_; }
  /// The config of a table.
  Result<EntityManager> entities_of(const std::string& table);

 private:
  Store& store_;
  std::mutex known_mutex_;
  /// By table: the text of a config, and what was made of it.
  std::map<std::string, std::pair<std::string, EntityManager>, std::less<>> known_;
};

}  // namespace dolmen::entity
