#pragma once

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>

#include "dolmen/relation/relations.h"
#include "dolmen/store.h"

namespace dolmen::relation {

/// True when the protocol has an operation on relations of that name.
bool is_operation(std::string_view operation);

struct OperationsOptions {
  /// Go on with interrupted deletes of a table when it is first used, and of all tables when told to (`resume`).
  bool resume_deletes = true;
  /// Receives lines for the operator. May be called from any thread.
  std::function<void(std::string line)> log = {};
};

/// The operations on relations as JSON (docs/documents-openapi.yaml): an object in, an object out. The types of a table
/// are those that are bound to it (`Relations::bind_types`); without them every type is taken. Thread-safe.
class Operations {
 public:
  /// The store must outlive it.
  Operations(Store& store, OperationsOptions options) : store_(store), options_(std::move(options)) {}

  /// Fails as Relations does, with kSerialization when the body is not a JSON object, with kQueryInvalid for what
  /// cannot be understood in it, with kTableNotFound, and with kUnknownOperation. Waits for the store.
  Result<std::string> execute(std::string_view operation, std::string_view body);

  /// Goes on with the interrupted deletes of all tables that hold relations, in the background.
  void resume();
  /// Deletes under way, and all that come, end at their next step with kCanceled. They go on after the next start.
  void interrupt();

  [[nodiscard]] Store& store() const noexcept { return store_; }
  /// The relations of a table that exists, with its types of now.
  Result<std::shared_ptr<Relations>> relations_of(const std::string& table);

 private:
  struct Known {
    /// Of the types; nothing when there are none.
    std::optional<std::string> text;
    std::shared_ptr<Relations> relations;
  };

  void report(const std::string& table, const Result<DeleteProgress>& done) const;

  Store& store_;
  const OperationsOptions options_;
  std::mutex known_mutex_;  ///< Guards what follows.
  std::map<std::string, Known, std::less<>> known_;
  bool interrupted_ = false;
};

}  // namespace dolmen::relation
