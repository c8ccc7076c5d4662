#pragma once

#include <memory>
#include <string>

#include "dolmen/store.h"
#include "service/service.h"

namespace dolmen {

/// A store without the operations of a family, as some implementations of DynamoDB are. It fails as a remote store does
/// there.
template <OperationFamily kFamily>
class Lacking final : public AlikeService<Lacking<kFamily>> {
 public:
  /// `below` must outlive it.
  static std::unique_ptr<Store> make(Store& below) {
    return std::make_unique<Store>(std::make_unique<Lacking>(below.service()));
  }

  explicit Lacking(Service& below) : below_(below) {}

  template <class Op>
  void perform(typename Op::Request request, Done<typename Op::Response> done) {
    if constexpr (Op::kInfo.family == kFamily) {
      done(std::unexpected(Error(Code::kUnsupported, "the endpoint does not support " + std::string(Op::kInfo.name))));
    } else {
      below_.start(Op{}, std::move(request), std::move(done));
    }
  }

  std::unique_ptr<Service> cancelable(std::stop_token stop, detail::Companions& companions) override {
    return below_.cancelable(std::move(stop), companions);
  }

 private:
  Service& below_;
};

using WithoutTransactions = Lacking<OperationFamily::kTransactions>;
using WithoutTimeToLive = Lacking<OperationFamily::kTimeToLive>;

}  // namespace dolmen
