#pragma once

#include <memory>
#include <optional>
#include <stop_token>

#include "faults/core.h"
#include "faults/plan.h"
#include "service/service.h"

namespace dolmen::faults {

/// Passes operations on to another service, and does to them what a lab decides. Operations on internal tables pass
/// unharmed.
class FaultyService final : public AlikeService<FaultyService> {
 public:
  struct Options {
    std::shared_ptr<FaultLab> lab;
    /// Null when the service remembers no moments; then no index lags.
    Moments* moments = nullptr;
    /// Decides instead of the rules of the lab.
    std::optional<Plan> plan = std::nullopt;
    /// A server tells its clients: a broken connection is not worded here (`decision`), and an internal error is one of
    /// the server. Such an object carries out one operation.
    bool at_server = false;
  };

  /// Owns the service.
  FaultyService(std::unique_ptr<Service> service, Options options);
  /// The service must outlive the operations that are passed on.
  FaultyService(Service& service, Options options);
  /// The owned service is destroyed after the operations that wait have been done.
  ~FaultyService() override;

  template <class Op>
  void perform(typename Op::Request request, Done<typename Op::Response> done);

  std::unique_ptr<Service> cancelable(std::stop_token stop, detail::Companions& companions) override;

  /// At a server: what was decided, once the operation has begun.
  [[nodiscard]] const std::optional<Decision>& decision() const { return decision_; }
  /// At a server: the client must not get an answer.
  [[nodiscard]] bool cuts() const;

 private:
  template <class Op>
  void carry_out(const Decision& decision, typename Op::Request request, Done<typename Op::Response> done);
  /// Why the request is refused without an effect; nothing when it is not.
  [[nodiscard]] std::optional<Error> refusal(const Decision& decision, const Subject& subject) const;
  [[nodiscard]] Error broken(const Decision& decision, const OperationInfo& operation) const;

  std::unique_ptr<Service> owned_;
  Service& service_;
  const Options options_;
  std::optional<Decision> decision_;
};

}  // namespace dolmen::faults
