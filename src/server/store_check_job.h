#pragma once

#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

#include "base/workers.h"
#include "dolmen/error.h"
#include "dolmen/store.h"
#include "service/store_check.h"

namespace dolmen {

/// Checks the store of a server while it is in use. One check at a time; the last one is remembered. Any thread.
class StoreCheckJob {
 public:
  static constexpr std::string_view kStart = "StartStoreCheck";
  static constexpr std::string_view kDescribe = "DescribeStoreCheck";

  /// The store must outlive this object.
  explicit StoreCheckJob(Store& store) : store_(store), worker_({.threads = 1, .waiting = 1, .name = "check"}) {}

  static bool has_operation(std::string_view operation) { return operation == kStart || operation == kDescribe; }

  /// StartStoreCheck: {} gives {"CheckId"}. DescribeStoreCheck: {"CheckId"} gives its Status, RUNNING, DONE or FAILED,
  /// what it is looking at, and what it has found. Fails with kResourceInUse while a check runs, and with
  /// kResourceNotFound for a check that is not the last one.
  Result<std::string> execute(std::string_view operation, std::string_view body);

  /// Ends the check that is running, and waits for that.
  void stop();

 private:
  Result<std::string> start();
  [[nodiscard]] Result<std::string> describe(std::string_view body) const;
  void run();

  Store& store_;
  mutable std::mutex state_mutex_;  ///< Guards all members below, but for the worker.
  std::uint64_t id_ = 0;
  bool running_ = false;
  bool stopping_ = false;
  std::string doing_;
  std::uint64_t rows_ = 0;
  std::optional<Result<StoreCheckReport>> result_;
  Workers worker_;  ///< Ends first.
};

}  // namespace dolmen
