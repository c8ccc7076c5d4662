#pragma once

#include <string>
#include <string_view>
#include <utility>

#include "service/service.h"
#include "wire/http.h"
#include "wire/operations.h"

namespace dolmen::wire {

/// A second family of operations in the same protocol, with its own prefix in `X-Amz-Target`. Thread-safe.
class Extension {
 public:
  virtual ~Extension() = default;

  /// For example "Dolmen_20261115.".
  [[nodiscard]] virtual std::string_view prefix() const = 0;
  /// Fails with kUnknownOperation.
  [[nodiscard]] virtual Result<void> check_operation(std::string_view operation) const = 0;
  /// Must not block; `body` lives until it returns.
  virtual void execute(std::string_view operation, std::string_view body, Done<std::string> done) = 0;
};

/// The AWS JSON protocol over HTTP: `POST /` with the operation in `X-Amz-Target`, as every AWS SDK speaks it. A
/// request is checked in DynamoDB's order:
///
///   1. it is an HTTP request                               plain text, and the connection closes
///   2. its body is not too long                            RequestEntityTooLargeException (413)
///   3. method, path and content type                       404
///   4. its body, if compressed, is gzip (protocol/compression.h)    InternalServerError (500)
///   5. its body is JSON                                    SerializationException
///   6. the operation is known (operations.h)               UnknownOperationException
///   7. it is signed (authorization.h)                      MissingAuthenticationTokenException, ...
///   8. everything else (operations.h)
///
/// Signatures are not verified.
class AwsProtocol final : public HttpHandler {
 public:
  /// `service` and `extension`, if there is one, must outlive this object.
  explicit AwsProtocol(Service& service, Account account = {}, Extension* extension = nullptr)
      : backend_{service, std::move(account)}, extension_(extension) {}

  void handle(const HttpRequest& request, Respond respond) override;
  [[nodiscard]] HttpResponse refusal(const HttpParser::Problem& problem) const override;

 private:
  const Backend backend_;
  Extension* const extension_;
};

}  // namespace dolmen::wire
