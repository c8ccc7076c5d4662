#pragma once

#include <mutex>
#include <string>
#include <string_view>

#include "base/workers.h"
#include "contract/operations.h"
#include "dolmen/documents.h"
#include "entity/operations.h"
#include "relation/operations.h"
#include "wire/aws_protocol.h"

namespace dolmen {

/// The operations of documents, of contracts, of entities, of relations, on the store and on the use of keys over the
/// wire
/// (`Dolmen_20261115.*`).
class DocumentTarget final : public wire::Extension {
 public:
  struct Options {
    /// Receives the warnings of the gates that are set up here, and lines about deletes that go on.
    contract::Warn warn;
    /// Go on with interrupted deletes of relations, from the start on.
    bool resume_deletes = true;
    /// Where backups of the whole store go; empty when nobody may make any.
    std::string backups = {};
  };

  /// The store must outlive this object.
  DocumentTarget(Documents documents, Store& store, const Options& options);

  [[nodiscard]] std::string_view prefix() const override;
  [[nodiscard]] access::Role role_needed(std::string_view operation) const override;
  [[nodiscard]] Result<void> check_operation(std::string_view operation) const override;
  [[nodiscard]] static bool has_operation(std::string_view operation);
  /// Fails with kThrottled when too many operations are waiting.
  void execute(std::string_view operation, std::string_view body, Done<std::string> done) override;

  /// Finishes the operations in progress and drops those that have not begun; large deletes are interrupted and go on
  /// after the next start.
  void stop();

 private:
  Result<std::string> execute_here(const std::string& operation, const std::string& body);
  /// CreateStoreBackup.
  Result<std::string> back_up();
  Result<std::string> execute_on_contracts(const contract::Operation& operation);

  Store& store_;
  const std::string backups_;
  std::mutex backup_mutex_;  ///< One backup at a time.
  Documents documents_;
  contract::Contracts contracts_;
  entity::Operations entities_;
  relation::Operations relations_;
  Workers workers_;
};

}  // namespace dolmen
