#pragma once

#include <functional>
#include <memory>
#include <stop_token>

#include "dolmen/detail/companions.h"
#include "dolmen/error.h"
#include "service/operations.h"

namespace dolmen {

/// Called exactly once with the outcome of an operation: before the call that started it returns, or later on another
/// thread. It must not block.
template <class Response>
using Done = std::move_only_function<void(Result<Response>)>;

/// One function to override for each operation of a list.
template <class List>
class Carries;

template <>
class Carries<OperationList<>> {
 public:
  virtual ~Carries() = default;
  void start() = delete;
};

template <class First, class... Rest>
class Carries<OperationList<First, Rest...>> : public Carries<OperationList<Rest...>> {
 public:
  using Carries<OperationList<Rest...>>::start;
  virtual void start(First operation, typename First::Request request, Done<typename First::Response> done) = 0;
};

/// The operations of DynamoDB, carried out by the embedded engine or a remote endpoint.
///
///     service.start(GetItem{}, std::move(request), [](Result<GetItemResponse> response) { ... });
///
/// May be called from any thread at any time; no call blocks on the disk or the network to make a write durable.
class Service : public Carries<Operations> {
 public:
  /// The same operations, which end with kCanceled when `stop` is requested. This service must outlive the returned
  /// one. `companions` are those of this service, and are changed to those of the returned one.
  virtual std::unique_ptr<Service> cancelable(std::stop_token stop, detail::Companions& companions) = 0;
};

/// Carries out every operation by `Derived::perform<Op>(request, done)`, for services that treat them alike.
template <class Derived, class List = Operations>
class AlikeService;

template <class Derived>
class AlikeService<Derived, OperationList<>> : public Service {
 public:
  using Service::start;
};

template <class Derived, class First, class... Rest>
class AlikeService<Derived, OperationList<First, Rest...>> : public AlikeService<Derived, OperationList<Rest...>> {
 public:
  using AlikeService<Derived, OperationList<Rest...>>::start;
  void start(First /*operation*/, typename First::Request request, Done<typename First::Response> done) final {
    static_cast<Derived&>(*this).template perform<First>(std::move(request), std::move(done));
  }
};

}  // namespace dolmen
