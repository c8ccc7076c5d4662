#include "service/cancelable.h"

#include <utility>

namespace dolmen {
namespace {

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
    return until_stopped(*this, std::move(stop));
  }

 private:
  Service& service_;
  const std::stop_token stop_;
};

}  // namespace

std::unique_ptr<Service> until_stopped(Service& service, std::stop_token stop) {
  return std::make_unique<CancelableService>(service, std::move(stop));
}

}  // namespace dolmen
