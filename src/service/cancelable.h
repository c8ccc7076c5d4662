#pragma once

#include <memory>
#include <stop_token>
#include <utility>

#include "service/service.h"

namespace dolmen {

/// Passes operations on to another service until `stop` is requested, and then fails them with kCanceled. Operations
/// that have started are not interrupted, so this suits services that answer quickly.
class CancelableService final : public AlikeService<CancelableService> {
 public:
  CancelableService(Service& service, std::stop_token stop) : service_(service), stop_(std::move(stop)) {}

  template <class Op>
  void perform(typename Op::Request request, Done<typename Op::Response> done) {
    if (stop_.stop_requested())
      return done(std::unexpected(Error(Code::kCanceled, "The call was canceled before it began")));
    service_.start(Op{}, std::move(request), std::move(done));
  }

  std::unique_ptr<Service> cancelable(std::stop_token stop, detail::Companions& /*companions*/) override {
    return std::make_unique<CancelableService>(*this, std::move(stop));
  }

 private:
  Service& service_;
  const std::stop_token stop_;
};

}  // namespace dolmen
