#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "access/gatekeeper.h"
#include "access/permission.h"
#include "faults/faulty_service.h"
#include "service/service.h"
#include "wire/asides.h"
#include "wire/browser_guard.h"
#include "wire/exchange.h"
#include "wire/http.h"
#include "wire/monitor.h"
#include "wire/observer.h"
#include "wire/operations.h"

namespace dolmen::wire {

/// A second family of operations in the same protocol, with its own prefix in `X-Amz-Target`. Thread-safe.
class Extension {
 public:
  virtual ~Extension() = default;

  /// What a key must be allowed to do for an operation. Its tables are those of all.
  [[nodiscard]] virtual access::Role role_needed(std::string_view operation) const = 0;

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
///   4. its body, if compressed, is gzip or deflate (protocol/compression.h)    InternalServerError (500)
///   5. its body is JSON                                    SerializationException
///   6. the operation is known (operations.h)               UnknownOperationException
///   7. it is not of a web page (browser_guard.h)           AccessDeniedException
///   8. it is signed (access/authenticator.h)               MissingAuthenticationTokenException, ...
///   9. everything else (operations.h)
///
/// GET of /metrics, /health and /ready is answered by the observer. With keys, /metrics has to be signed by one for all
/// tables. GET of /console and what is below it is answered by `console`.
///
/// Scripts of web pages may use the server when they came from it, or when their origin is one of `shared_with`
/// (CORS): then each response tells the browser so, as DynamoDB's responses do for every origin.
class AwsProtocol final : public HttpHandler {
 public:
  /// Beside the service. `extension`, if there is one, must outlive the protocol.
  struct Options {
    Account account = {};
    /// Whether the service by itself may leave out writes of a batch (Backend::leaves_out_writes).
    bool leaves_out_writes = true;
    Extension* extension = nullptr;
    /// Origins of web pages, such as "https://example.com"; "*" is any.
    std::vector<std::string> shared_with = {};
    Texts texts = Texts::kCurrent;
    /// The limit of a body after decompression; HttpParser limits it before.
    std::size_t body_bytes_max = HttpParser::Limits{}.body_bytes_max;
    /// Runs requests with large or compressed bodies, which would keep other clients of a network thread waiting. False
    /// when too many wait. Empty: they run where they come in.
    Elsewhere elsewhere = {};
    /// What goes wrong on purpose (x-dolmen-fault). Null: such a header is refused.
    std::shared_ptr<FaultLab> faults = nullptr;
    /// Of the service, for indexes that lag; may be null.
    Moments* moments = nullptr;
    /// Where the server listens and how it is called.
    BrowserGuard::Options names = {};
    /// Hears of every request and answers /metrics, /health and /ready. Null: nobody does. Outlives the protocol and
    /// all operations of the service.
    Observer* observer = nullptr;
    /// Answers GET and HEAD of the web console's files. It does not block. Empty: there is no console.
    std::function<HttpResponse(const HttpRequest&)> console = {};
    /// Finds the policy of a table or stream; null when it has none. Empty: none has one.
    access::ResourcePolicies::Find find_policy = {};
  };

  /// `service` and `gatekeeper` must outlive this object.
  AwsProtocol(Service& service, access::Gatekeeper& gatekeeper, Options options)
      : service_(service),
        gatekeeper_(gatekeeper),
        options_(std::move(options)),
        browsers_(options_.names),
        policies_(options_.find_policy) {}

  void handle(const HttpRequest& request, Respond respond) override;
  [[nodiscard]] HttpResponse refusal(const HttpParser::Problem& problem) const override;

 private:
  [[nodiscard]] bool is_shared_with(std::string_view origin) const;

  void handle_here(const HttpRequest& request, Respond respond);
  void handle_elsewhere(const HttpRequest& request, Respond respond);
  void handle_operation(const HttpRequest& request, std::unique_ptr<Exchange> exchange);
  void handle_monitor(const HttpRequest& request, Respond respond);
  [[nodiscard]] HttpResponse console_page(const HttpRequest& request) const;
  /// Fails with kAccessDenied for a web page, when nobody needs a key.
  [[nodiscard]] Result<void> check_browser(const HttpRequest& request) const;
  void execute(Interface interface, std::string_view body, std::string_view reached_at,
               std::unique_ptr<Exchange> exchange);
  /// Fails with kInvalidArgument, and with kAccessDenied where nothing may go wrong on purpose.
  [[nodiscard]] Result<Asides> asides_of(const HttpRequest& request) const;

  Service& service_;
  access::Gatekeeper& gatekeeper_;
  const Options options_;
  const BrowserGuard browsers_;
  access::ResourcePolicies policies_;
};

}  // namespace dolmen::wire
