#pragma once

#include <map>
#include <memory>
#include <typeindex>
#include <utility>

namespace dolmen::detail {

/// What a store has beside DynamoDB's operations, found by its type. A store in this process has a place for gates and
/// schema files, one behind a Dolmen server has Dolmen's own operations, one at AWS has nothing.
class Companions {
 public:
  /// Replaces the one of the same type.
  template <class T>
  void add(std::shared_ptr<T> companion) {
    all_.insert_or_assign(std::type_index(typeid(T)), std::move(companion));
  }

  /// Null when there is none.
  template <class T>
  [[nodiscard]] T* find() const {
    const auto found = all_.find(std::type_index(typeid(T)));
    return found == all_.end() ? nullptr : static_cast<T*>(found->second.get());
  }

 private:
  std::map<std::type_index, std::shared_ptr<void>> all_;
};

}  // namespace dolmen::detail
