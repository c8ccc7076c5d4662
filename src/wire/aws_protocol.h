#pragma once

#include "api/service.h"
#include "wire/http.h"

namespace dolmen::wire {

/// The AWS JSON protocol over HTTP: `POST /` with the operation in `X-Amz-Target`, as every AWS SDK speaks it.
/// Signatures are not checked.
class AwsProtocol final : public HttpHandler {
 public:
  /// `service` must outlive this.
  explicit AwsProtocol(Service& service) : service_(service) {}

  void handle(const HttpRequest& request, Respond respond) override;

 private:
  Service& service_;
};

}  // namespace dolmen::wire
