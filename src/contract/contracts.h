#pragma once

#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "contract/definition.h"
#include "contract/gate.h"
#include "contract/rows.h"
#include "dolmen/store.h"
#include "service/write_gate.h"

namespace dolmen::contract {

struct BindRequest {
  std::string table;
  /// Published permanently with the definition when it is new; otherwise the definition may be empty.
  std::string version;
  Mode mode = Mode::kEnforce;
  Definition definition;
  /// Enforce it although stored items break it.
  bool accept_violations = false;
  /// Only look at the stored items.
  bool dry_run = false;
};

/// What the items that are stored already would say to a contract.
struct StoredItems {
  std::uint64_t checked = 0;
  std::uint64_t violating = 0;
  /// What would be said about the first few of them.
  std::vector<std::string> examples;
};

struct ContractStatus {
  std::string table;
  /// Nothing when the table is not bound.
  std::optional<ActiveRow> active;
  /// "model Note", "schema users v1".
  std::vector<std::string> kinds;
  /// All that are published.
  std::vector<std::string> versions;
  /// Since the store was opened or the contract was bound, whichever came later.
  GateFindings findings;
};

/// Contracts of the tables of an embedded store: which items may be written to them, by whichever client. Thread-safe;
/// a call returns when what it did is durable. Of several for one store only one may change anything.
class Contracts {
 public:
  /// The store must be in this process (it has WriteGates), and outlive this. The gates that are put up from here call
  /// `warn`, which may be empty, for as long as the store lives.
  explicit Contracts(Store& store, Warn warn = {});

  /// Puts the gates of all bound tables up. Part of opening a store; fails with kCorruption when what was published
  /// cannot be read.
  Result<void> load();

  /// Looks at every stored item, then publishes and switches. Writes go on meanwhile, under what was bound before; from
  /// the switch on, which is durable, none that breaks the contract enters the log. Fails with kValidation when the
  /// contract is to be enforced and stored items break it, or such items were written meanwhile; with kSchemaImmutable
  /// when the version was published with another definition, with kUnknownSchemaVersion when there is neither, with
  /// kQueryInvalid, kInvalidModel or kSchemaInvalid when the definition cannot be checked, and with kTableNotFound.
  Result<StoredItems> bind(const BindRequest& request);
  /// False when the table was not bound. What is published stays.
  Result<bool> unbind(const std::string& table);
  Result<ContractStatus> status(const std::string& table);
  /// What a version says, as JSON. Fails with kUnknownSchemaVersion when it is not published.
  Result<std::string> published(const std::string& table, const std::string& version) const;
  /// Of all bound tables.
  Result<std::vector<ContractStatus>> status();

 private:
  /// What a table is about to be bound to.
  struct Switch {
    ActiveRow row;
    std::string text;
    std::shared_ptr<const Rules> rules;
    std::shared_ptr<const Watch> watch;
  };

  [[nodiscard]] Result<TableDescription> describe(const std::string& table) const;
  /// The table that the row is about; nothing when it is gone.
  [[nodiscard]] Result<std::optional<TableDescription>> table_of(const ActiveRow& row) const;
  [[nodiscard]] Result<Definition> definition_for(const BindRequest& request, const std::string& table_id) const;
  [[nodiscard]] Result<StoredItems> examine(const BindRequest& request, const Rules& rules) const;
  [[nodiscard]] Result<std::shared_ptr<const Rules>> published_rules(const ActiveRow& row,
                                                                     const TableDefinition& table) const;
  [[nodiscard]] std::shared_ptr<const WriteGate> make_gate(const ActiveRow& row,
                                                           std::shared_ptr<const Rules> rules) const;
  /// The gate at work.
  [[nodiscard]] Result<std::shared_ptr<const WriteGate>> gate_of(const std::string& table) const;
  [[nodiscard]] Result<void> change(GateChange change) const;
  [[nodiscard]] Result<StoredItems> switch_to(Switch target, const BindRequest& request) const;
  [[nodiscard]] Result<void> forget_lost_tables() const;
  [[nodiscard]] Result<ContractStatus> status_of(const TableDescription& table) const;

  Service& service_;
  WriteGates& gates_;
  const Rows rows_;
  const Warn warn_;
  std::mutex switch_mutex_;  ///< Held while a binding changes, so that what is stored and what is enforced agree.
};

}  // namespace dolmen::contract
