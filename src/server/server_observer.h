#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <string>

#include "base/metrics.h"
#include "server/log.h"
#include "server/request_metrics.h"
#include "service/store_monitor.h"
#include "wire/observer.h"

namespace dolmen {

/// Counts and logs the requests of a server, and says how the server is.
///
/// Every request has a line at the level debug. Those that failed or were slow have theirs at info; conditions that did
/// not hold are no failures, because programs use them on purpose.
class ServerObserver final : public wire::Observer {
 public:
  /// `log` must outlive this object. Requests that take longer than `slow` are slow; zero: none is.
  ServerObserver(Log& log, std::chrono::milliseconds slow) : log_(log), slow_(slow) {}

  /// Sources of metrics are added before the server serves.
  metrics::Registry& registry() { return registry_; }
  /// The store whose writes count for `ready`; it must live as long as requests are served.
  void watch(const StoreMonitor& store);
  void set_slow(std::chrono::milliseconds slow) { slow_.store(slow, std::memory_order_relaxed); }

  void answered(const wire::AnsweredView& request) override;
  void refused(int status) override;
  [[nodiscard]] std::string metrics() const override { return registry_.text(); }
  [[nodiscard]] Result<void> ready() const override;

  /// Describes the requests.
  void describe(metrics::Report& report) const;

 private:
  static constexpr std::array<int, 6> kStatuses{400, 408, 413, 417, 503, 505};

  void log_failure_of_store(const wire::AnsweredView& request);

  Log& log_;
  std::atomic<std::chrono::milliseconds> slow_;
  metrics::Registry registry_;
  RequestMetrics requests_;
  /// Of requests that are not HTTP, by their statuses; the last one of all others.
  std::array<metrics::Counter, kStatuses.size() + 1> refusals_;
  std::atomic<std::uint64_t> store_failures_ = 0;
  const StoreMonitor* store_ = nullptr;
};

}  // namespace dolmen
