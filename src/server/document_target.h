#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "base/workers.h"
#include "contract/operations.h"
#include "dolmen/documents.h"
#include "entity/operations.h"
#include "relation/operations.h"
#include "server/fault_switches.h"
#include "server/store_backup_operations.h"
#include "server/store_check_job.h"
#include "wire/aws_protocol.h"

namespace dolmen {

/// The operations of documents, of contracts, of entities, of relations, on backups of the store, on the fault lab and
/// on the use of keys over the wire (`Dolmen_20261115.*`).
class DocumentTarget final : public wire::Extension {
 public:
  struct Options {
    /// Receives the warnings of the gates that are set up here, and lines about deletes that go on.
    contract::Warn warn;
    /// Go on with interrupted deletes of relations, from the start on.
    bool resume_deletes = true;
    /// Where backups of the whole store go; empty when nobody may make any.
    std::string backups = {};
    /// What goes wrong on purpose; null where nothing may.
    std::shared_ptr<FaultLab> faults = nullptr;
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
  Result<std::string> execute_on_contracts(const contract::Operation& operation);

  Store& store_;
  StoreBackupOperations backups_;
  FaultSwitches faults_;
  Documents documents_;
  contract::Contracts contracts_;
  entity::Operations entities_;
  relation::Operations relations_;
  StoreCheckJob check_;
  Workers workers_;
};

}  // namespace dolmen
