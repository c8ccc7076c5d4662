#pragma once

#include <string_view>

#include "service/elsewhere.h"
#include "wire/browser_guard.h"
#include "wire/http.h"
#include "wire/observer.h"

namespace dolmen::wire {

/// Whether a request is about the server itself: GET or HEAD of /metrics, /health or /ready.
bool is_about_server(const HttpRequest& request);

/// Answers such a request, which has been found to be allowed: the metrics on another thread, if there is one.
void answer_about_server(const HttpRequest& request, const Observer& observer, const Elsewhere& elsewhere,
                         HttpHandler::Respond respond);

/// Answers only such requests, for a port that no client of the data reaches. Web pages are refused (browser_guard.h).
class MonitorHandler final : public HttpHandler {
 public:
  struct Options {
    BrowserGuard::Options names = {};
    Elsewhere elsewhere = {};
  };

  /// `observer` must outlive this object.
  MonitorHandler(const Observer& observer, Options options)
      : observer_(observer), browsers_(std::move(options.names)), elsewhere_(std::move(options.elsewhere)) {}

  void handle(const HttpRequest& request, Respond respond) override;

 private:
  const Observer& observer_;
  const BrowserGuard browsers_;
  const Elsewhere elsewhere_;
};

}  // namespace dolmen::wire
