#pragma once

#include <utility>

#include "api/service.h"
#include "wire/http.h"
#include "wire/operations.h"

namespace dolmen::wire {

/// The AWS JSON protocol over HTTP: `POST /` with the operation in `X-Amz-Target`, as every AWS SDK speaks it.
/// Signatures are not checked.
class AwsProtocol final : public HttpHandler {
 public:
  /// `service` must outlive this.
  explicit AwsProtocol(Service& service, Account account = {}) : backend_{service, std::move(account)} {}

  void handle(const HttpRequest& request, Respond respond) override;

 private:
  const Backend backend_;
};

}  // namespace dolmen::wire
