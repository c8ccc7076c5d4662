#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "scenario/child_process.h"
#include "scenario/driver.h"

namespace dolmen::scenario {

struct ProcessDriverOptions {
  /// For the shell.
  std::string command;
  /// The store, which the driver reaches by itself.
  std::string endpoint;
  /// All models as DMS has them, by which the driver encodes.
  std::vector<LogicalItem> models;
  /// How long an answer may take.
  std::chrono::milliseconds timeout{60'000};
};

/// An implementation in another language: a program that is told each step in a line of JSON and answers with a line of
/// JSON. docs/drivers.md describes the protocol.
class ProcessDriver final : public Driver {
 public:
  /// Starts the program and greets it. Fails with kIo, kTimeout, and kUnexpectedResponse for an answer that is not in
  /// the protocol.
  static Result<std::unique_ptr<ProcessDriver>> start(ProcessDriverOptions options);

  [[nodiscard]] const std::vector<std::string>& capabilities() const override { return capabilities_; }
  Result<void> begin(const Scenario& scenario, const World& world) override;
  Result<Outcome> carry_out(const LogicalItem& step, World& world) override;

  /// What it calls itself.
  [[nodiscard]] const std::string& name() const { return name_; }

 private:
  ProcessDriver(ProcessDriverOptions options, std::unique_ptr<ChildProcess> process)
      : options_(std::move(options)), process_(std::move(process)) {}

  Result<void> greet();
  /// Sends a request and returns its answer.
  Result<LogicalItem> ask(LogicalItem request);

  const ProcessDriverOptions options_;
  const std::unique_ptr<ChildProcess> process_;
  std::int64_t last_id_ = 0;
  std::string name_;
  std::vector<std::string> capabilities_;
};

}  // namespace dolmen::scenario
