#pragma once

#include <memory>
#include <stop_token>

#include "faults/capacities.h"
#include "service/service.h"

namespace dolmen::faults {

/// Refuses requests that use more than the provisioned throughput of a table or a global index, as AWS does: unused
/// capacity is kept for five minutes, a batch does what it can, and a transaction is canceled. Tables that are billed
/// by requests are not limited.
///
/// What a request uses is known only afterwards. It is let in when something is left, and may leave a debt.
class ThrottledService final : public AlikeService<ThrottledService> {
 public:
  /// The service must answer DescribeTable before `start` returns, as the engine does. An empty clock is the machine's.
  ThrottledService(std::unique_ptr<Service> service, Now now);

  template <class Op>
  void perform(typename Op::Request request, Done<typename Op::Response> done);

  std::unique_ptr<Service> cancelable(std::stop_token stop, detail::Companions& companions) override;

 private:
  template <class Op>
  void pass_item(typename Op::Request request, Charge charge, Done<typename Op::Response> done);
  void pass(BatchWriteRequest request, Done<BatchWriteResponse> done);
  void pass(BatchGetRequest request, Done<BatchGetResponse> done);
  template <class Op>
  void pass_transaction(typename Op::Request request, std::vector<Charge> charges, Done<typename Op::Response> done);
  Charge charge_of(const WriteRequest& write);

  // Destroyed in the opposite order: the last operations end with the service, and are settled.
  Capacities capacities_;
  std::unique_ptr<Service> service_;
};

}  // namespace dolmen::faults
