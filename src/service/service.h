#pragma once

#include <functional>
#include <memory>
#include <stop_token>
#include <utility>

#include "dolmen/detail/companions.h"
#include "dolmen/error.h"
#include "service/operations.h"

namespace dolmen {

/// Called exactly once with the outcome of an operation: before the call that started it returns, or later on another
/// thread. It must not block.
template <class Response>
using Done = std::move_only_function<void(Result<Response>)>;

/// The operations of DynamoDB, carried out by the embedded engine or a remote endpoint.
///
///     service.start(GetItem{}, std::move(request), [](Result<GetItemResponse> response) { ... });
///
/// May be called from any thread at any time; no call blocks on the disk or the network to make a write durable.
class Service {
 public:
  Service() = default;
  Service(const Service&) = delete;
  Service& operator=(const Service&) = delete;
  virtual ~Service() = default;

#define DOLMEN_START(Op) virtual void start(Op operation, Op::Request request, Done<Op::Response> done) = 0;
  DOLMEN_OPERATIONS(DOLMEN_START)
#undef DOLMEN_START

  /// The same operations, which end with kCanceled when `stop` is requested. This service must outlive the returned
  /// one. `companions` are those of this service, and are changed to those of the returned one.
  virtual std::unique_ptr<Service> cancelable(std::stop_token stop, detail::Companions& companions) = 0;
};

/// Carries out every operation by `Derived::perform<Op>(request, done)`, for services that treat them alike.
template <class Derived>
class AlikeService : public Service {
 public:
#define DOLMEN_PERFORM(Op)                                                                  \
  void start(Op /*operation*/, Op::Request request, Done<Op::Response> done) final {        \
    static_cast<Derived&>(*this).template perform<Op>(std::move(request), std::move(done)); \
  }
  DOLMEN_OPERATIONS(DOLMEN_PERFORM)
#undef DOLMEN_PERFORM
};

}  // namespace dolmen
