#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "dolmen/store.h"
#include "service/service.h"

namespace dolmen::torture {

/// Where the process under test "crashes": at the so many-th call from now, before it is carried out or when its answer
/// is on the way. From then on every call fails, until `revive`.
struct CrashPoint {
  std::uint64_t calls = 0;
  bool carried_out = false;
};

/// A service that passes everything on to another store, crashes when told to, and looks at every transaction for what
/// DynamoDB would refuse: more than 100 actions, more than 4 MB, two actions on one item; and for scans, which the
/// library has no business with. May be called from any thread; `arm`, `meanwhile` and `revive` only while nobody else
/// calls.
class FaultService final : public AlikeService<FaultService> {
 public:
  explicit FaultService(Store& store);
  ~FaultService() override;

  void arm(CrashPoint point);
  void revive();
  /// Somebody else does something between two calls: before the so many-th from now.
  void meanwhile(std::uint64_t calls, std::function<void()> what);
  /// The next so many queries of the inverted index do not see the newest record, as on AWS.
  void lag(unsigned queries) { lagging_queries_ = queries; }
  [[nodiscard]] bool crashed() const { return crashed_; }
  [[nodiscard]] std::uint64_t calls() const { return calls_; }
  /// What was wrong with requests.
  [[nodiscard]] std::vector<std::string> complaints();

  template <class Op>
  void perform(typename Op::Request request, Done<typename Op::Response> done);
  std::unique_ptr<Service> cancelable(std::stop_token stop, detail::Companions& companions) override;

 private:
  enum class Fate : std::uint8_t { kCarryOut, kLose, kRefuse };
  Fate next_fate();
  void complain(std::string what);
  void check(const TransactWriteRequest& request);

  Service& below_;
  std::atomic<std::uint64_t> calls_ = 0;
  std::atomic<std::uint64_t> crash_at_ = 0;
  std::atomic<std::uint64_t> meanwhile_at_ = 0;
  std::function<void()> meanwhile_;
  bool carried_out_ = false;
  std::atomic<bool> crashed_ = false;
  std::atomic<unsigned> lagging_queries_ = 0;
  std::mutex complaints_mutex_;
  std::vector<std::string> complaints_;
};

}  // namespace dolmen::torture
