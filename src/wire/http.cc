#include "wire/http.h"

#include <chrono>
#include <ctime>
#include <fmt/format.h>
#include <utility>

#include "base/clock.h"
#include "wire/send_buffer.h"

namespace dolmen::wire {
namespace {

/// "Sun, 06 Nov 1994 08:49:37 GMT", formatted once per second and thread.
std::string_view http_date() {
  thread_local std::time_t written_at = 0;
  thread_local char text[32];
  thread_local std::size_t length = 0;
  const std::time_t now = std::chrono::system_clock::to_time_t(system_clock().now());
  if (now != written_at) {
    std::tm parts{};
    gmtime_r(&now, &parts);
    length = std::strftime(text, sizeof(text), "%a, %d %b %Y %H:%M:%S GMT", &parts);
    written_at = now;
  }
  return {text, length};
}

}  // namespace

std::string_view status_reason(int status) {
  switch (status) {
    case 200: return "OK";
    case 304: return "Not Modified";
    case 308: return "Permanent Redirect";
    case 400: return "Bad Request";
    case 403: return "Forbidden";
    case 404: return "Not Found";
    case 408: return "Request Timeout";
    case 413: return "Content Too Large";
    case 417: return "Expectation Failed";
    case 500: return "Internal Server Error";
    case 501: return "Not Implemented";
    case 503: return "Service Unavailable";
    case 505: return "HTTP Version Not Supported";
    default: return "Unknown";
  }
}

HttpResponse HttpHandler::refusal(const HttpParser::Problem& problem) const {
  return {
      .status = problem.status, .headers = "Content-Type: text/plain\r\n", .body = fmt::format("{}\n", problem.reason)};
}

void append_response(SendBuffer& to, HttpResponse response, bool keep_alive) {
  std::string& out = to.end();
  const fmt::format_int status(response.status);
  const fmt::format_int length(response.length.value_or(response.body.size()));
  out.append("HTTP/1.1 ").append(status.data(), status.size()).append(" ").append(status_reason(response.status));
  out.append("\r\nServer: Dolmen\r\nDate: ").append(http_date());
  out.append("\r\n");
  // It would be that of the response which the client has already.
  constexpr int kNotModified = 304;
  if (response.status != kNotModified)
    out.append("Content-Length: ").append(length.data(), length.size()).append("\r\n");
  if (!keep_alive) out.append("Connection: close\r\n");
  out.append(response.headers).append("\r\n");
  to.append(std::move(response.body));
}

}  // namespace dolmen::wire
