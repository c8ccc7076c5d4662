#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "dolmen/relation/relations.h"
#include "dolmen/store.h"
#include "dump.h"
#include "fault_service.h"
#include "model.h"
#include "steps.h"

namespace dolmen::torture {

struct RunOptions {
  std::uint64_t operations = 100'000;
  std::uint64_t seed = 0;
  /// Of a store; empty: in memory.
  std::string endpoint = {};
};

/// Random operations on a relational store and on a model of it. The process "crashes" now and then between two calls
/// to the store, or between a call and its answer, and what it left must hang together and be carried to its end.
class Run {
 public:
  explicit Run(const RunOptions& options);
  ~Run();

  /// False at the first violation, or when it cannot start.
  bool go();
  [[nodiscard]] std::uint64_t operations() const { return operations_; }
  [[nodiscard]] const std::optional<std::string>& violation() const { return violation_; }
  [[nodiscard]] bool started() const { return started_; }
  [[nodiscard]] std::uint64_t crashes() const { return crashes_; }
  [[nodiscard]] std::uint64_t resumed() const { return resumed_; }

 private:
  bool open();
  /// A new table, with nothing in it.
  bool begin_table();
  /// Relations as a process that has just started has them.
  bool reopen();
  bool step();
  bool plain(const Step& step, const Observed& expected, const Observed& observed);
  bool after_crash(const Step& step, const Model& before);
  /// Other operations while a delete is only half done.
  bool meddle(Model& model);
  /// In the middle of a delete or of a change of accounts nothing is found that is not so.
  bool no_false_findings(const Dump& dump);
  bool resume();
  bool check(const Dump& dump, const Model& model);
  bool read(Dump& dump);
  bool fail(std::string what);
  bool made_ids_are_in_order();
  Timestamp now();

  RunOptions options_;
  Steps steps_;
  std::string table_;
  std::unique_ptr<Store> below_;
  FaultService* faults_ = nullptr;
  std::unique_ptr<Store> store_;
  std::optional<Relations> current_;
  std::optional<Relations> old_;
  Model model_;
  Dump last_;
  std::int64_t clock_ms_ = 1'750'000'000'000;
  std::string last_made_urn_;
  std::uint64_t operations_ = 0;
  std::uint64_t crashes_ = 0;
  std::uint64_t resumed_ = 0;
  bool started_ = false;
  std::optional<std::string> violation_;
};

/// Invariants 27 and 28, and deletes that meet other operations, with real threads. The first violation.
std::optional<std::string> run_races(Store& store, const std::string& table, std::uint64_t seed, unsigned rounds);

}  // namespace dolmen::torture
