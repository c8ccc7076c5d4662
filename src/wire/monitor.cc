#include "wire/monitor.h"

#include <fmt/format.h>
#include <memory>
#include <optional>
#include <utility>

#include "wire/answer.h"

namespace dolmen::wire {
namespace {

constexpr std::string_view kMetrics = "/metrics";
constexpr std::string_view kHealth = "/health";
constexpr std::string_view kReady = "/ready";

HttpResponse plain_text(int status, std::string body, std::string_view type = "text/plain; charset=utf-8") {
  return {.status = status, .headers = fmt::format("Content-Type: {}\r\n", type), .body = std::move(body)};
}

HttpResponse metrics_response(const Observer& observer) {
  return plain_text(200, observer.metrics(), "text/plain; version=0.0.4; charset=utf-8");
}

HttpResponse ready_response(const Observer& observer) {
  const Result<void> ready = observer.ready();
  if (ready) return plain_text(200, "ready\n");
  return plain_text(503, fmt::format("not ready: {}\n", told(ready.error()).message()));
}

}  // namespace

bool is_about_server(const HttpRequest& request) {
  if (request.method() != "GET" && request.method() != "HEAD") return false;
  const std::string_view path = request.path();
  return path == kMetrics || path == kHealth || path == kReady;
}

void answer_about_server(const HttpRequest& request, const Observer& observer, const Elsewhere& elsewhere,
                         HttpHandler::Respond respond) {
  if (request.method() == "HEAD") {
    // The response to HEAD must not have a body.
    HttpResponse response = request.path() == kReady ? ready_response(observer) : plain_text(200, "");
    response.body.clear();
    return respond(std::move(response));
  }
  if (request.path() == kHealth) return respond(plain_text(200, "healthy\n"));
  if (request.path() == kReady) return respond(ready_response(observer));
  if (!elsewhere) return respond(metrics_response(observer));
  // Shared, because the refusal below needs it too.
  auto answer = std::make_shared<HttpHandler::Respond>(std::move(respond));
  const bool taken = elsewhere([&observer, answer] { (*answer)(metrics_response(observer)); });
  if (!taken) (*answer)(plain_text(503, "too many requests are waiting\n"));
}

void MonitorHandler::handle(const HttpRequest& request, Respond respond) {
  if (const auto own = browsers_.check(request.header("host").value_or(""), request.header("origin")); !own)
    return respond(plain_text(403, own.error().message() + "\n"));
  if (!is_about_server(request)) return respond(plain_text(404, "this port has /metrics, /health and /ready\n"));
  answer_about_server(request, observer_, elsewhere_, std::move(respond));
}

}  // namespace dolmen::wire
