#include "http_client/transfer.h"

#include <algorithm>
#include <cctype>
#include <cstring>
#include <string_view>
#include <utility>

#include "base/ascii.h"
#include "base/check.h"
#include "base/fail.h"

namespace dolmen::http {
namespace {

constexpr std::string_view kSpaces = " \t\r\n";

std::string lower_case(std::string_view text) {
  std::string lower(text);
  std::ranges::transform(lower, lower.begin(), ascii_lower);
  return lower;
}

}  // namespace

std::optional<std::string_view> Response::header(std::string_view lower_case_name) const {
  const auto found = std::ranges::find(headers, lower_case_name, &Header::name);
  return found == headers.end() ? std::nullopt : std::optional<std::string_view>(found->value);
}

Transfer::Transfer(Request request, Client::Completion done) : request_(std::move(request)), done_(std::move(done)) {}

Result<void> Transfer::attach(CURL* easy, const ClientOptions& options) {
  easy_ = easy;
  CURLcode failed = CURLE_OK;
  const auto set = [&](CURLoption option, auto value) {
    if (failed == CURLE_OK) failed = curl_easy_setopt(easy, option, value);
  };
  set(CURLOPT_PRIVATE, static_cast<void*>(this));
  set(CURLOPT_URL, request_.url.c_str());
  set(CURLOPT_PROTOCOLS_STR, "http,https");
  set(CURLOPT_NOSIGNAL, 1L);
  set(CURLOPT_ERRORBUFFER, message_.data());
  set(CURLOPT_CONNECTTIMEOUT_MS, static_cast<long>(request_.connect_timeout.count()));
  set(CURLOPT_TIMEOUT_MS, static_cast<long>(request_.timeout.count()));
  set(CURLOPT_MAXAGE_CONN, static_cast<long>(options.idle_timeout.count()));
  set(CURLOPT_HEADERFUNCTION, &Transfer::on_header);
  set(CURLOPT_HEADERDATA, static_cast<void*>(this));
  set(CURLOPT_WRITEFUNCTION, &Transfer::on_body);
  set(CURLOPT_WRITEDATA, static_cast<void*>(this));
  set(CURLOPT_PREREQFUNCTION, &Transfer::on_start);
  set(CURLOPT_PREREQDATA, static_cast<void*>(this));
  if (!options.ca_file.empty()) set(CURLOPT_CAINFO, options.ca_file.c_str());
  if (!request_.use_proxy) set(CURLOPT_NOPROXY, "*");
  // libcurl sends a body as POST, under the given method name.
  const bool has_body = request_.method == "POST" || request_.method == "PUT" || !request_.body.empty();
  if (has_body) {
    set(CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(request_.body.size()));
    set(CURLOPT_POSTFIELDS, request_.body.data());
  }
  if (request_.method == "HEAD") {
    set(CURLOPT_NOBODY, 1L);
  } else if (request_.method != (has_body ? "POST" : "GET")) {
    set(CURLOPT_CUSTOMREQUEST, request_.method.c_str());
  }
  // Suppresses the headers that libcurl adds by itself, so that a request has only the headers that it names.
  bool added = add_header("Expect:") && add_header("Accept:");
  for (const auto& [name, value] : request_.headers) added = added && add_header(fmt::format("{}: {}", name, value));
  if (!added) failed = CURLE_OUT_OF_MEMORY;
  set(CURLOPT_HTTPHEADER, headers_.get());
  if (failed != CURLE_OK) return fail(Code::kInvalidArgument, "{}: {}", request_.url, curl_easy_strerror(failed));
  return {};
}

bool Transfer::add_header(const std::string& line) {
  curl_slist* longer = curl_slist_append(headers_.get(), line.c_str());
  if (longer == nullptr) return false;
  static_cast<void>(headers_.release());  // It is now the start of the longer list.
  headers_.reset(longer);
  return true;
}

/// libcurl sends a request again by itself when a kept connection breaks before the first byte of the response. The
/// server may have carried the request out by then, so the second start is refused.
int Transfer::on_start(void* self, char* /*remote_ip*/, char* /*local_ip*/, int /*remote_port*/, int /*local_port*/) {
  return ++static_cast<Transfer*>(self)->starts_ == 1 ? CURL_PREREQFUNC_OK : CURL_PREREQFUNC_ABORT;
}

std::size_t Transfer::on_header(char* data, std::size_t size, std::size_t count, void* self) {
  auto& transfer = *static_cast<Transfer*>(self);
  return transfer.take({data, size * count}, [&](std::string_view line) { return transfer.take_header(line); });
}

std::size_t Transfer::on_body(char* data, std::size_t size, std::size_t count, void* self) {
  auto& transfer = *static_cast<Transfer*>(self);
  return transfer.take({data, size * count}, [&](std::string_view bytes) { return transfer.take_body(bytes); });
}

template <class Consume>
std::size_t Transfer::take(std::string_view bytes, Consume consume) noexcept {
  // The callers are libcurl's C functions, through which no exception may pass.
  try {
    refusal_ = consume(bytes);
  } catch (...) {
    refusal_ = Refusal::kOutOfMemory;
  }
  return refusal_ == Refusal::kNone ? bytes.size() : 0;
}

Transfer::Refusal Transfer::take_header(std::string_view line) {
  header_bytes_ += line.size();
  if (header_bytes_ > request_.response_header_bytes_max) return Refusal::kHeadersTooLarge;
  if (++header_lines_ > request_.response_headers_max) return Refusal::kTooManyHeaders;
  // A status line begins a new set of headers: the previous one belonged to a 1xx response or a proxy.
  if (line.starts_with("HTTP/")) {
    response_.headers.clear();
    headers_ended_ = false;
  }
  // Lines after the empty line are trailers.
  if (headers_ended_) return Refusal::kNone;
  headers_ended_ = trimmed(line, kSpaces).empty();
  if (const std::size_t colon = line.find(':'); colon != std::string_view::npos)
    response_.headers.push_back(
        {lower_case(trimmed(line.substr(0, colon), kSpaces)), std::string(trimmed(line.substr(colon + 1), kSpaces))});
  return Refusal::kNone;
}

Transfer::Refusal Transfer::take_body(std::string_view bytes) {
  if (response_.body.size() + bytes.size() > request_.response_bytes_max) return Refusal::kBodyTooLarge;
  response_.body.append(bytes);
  return Refusal::kNone;
}

Outcome Transfer::outcome(CURLcode code) {
  if (code != CURLE_OK) return std::unexpected(Failure{error_of(code), may_have_arrived()});
  // libcurl treats a connection that ends within the headers as a response without a body.
  if (!headers_ended_)
    return std::unexpected(
        Failure{Error(Code::kUnavailable, fmt::format("{}: the response was cut off", request_.url)), true});
  long status = 0;
  curl_easy_getinfo(easy_, CURLINFO_RESPONSE_CODE, &status);
  response_.status = static_cast<int>(status);
  return std::move(response_);
}

bool Transfer::may_have_arrived() const {
  long sent_bytes = 0;
  if (easy_ != nullptr) curl_easy_getinfo(easy_, CURLINFO_REQUEST_SIZE, &sent_bytes);
  return starts_ > 1 || (starts_ == 1 && sent_bytes > 0);
}

Failure Transfer::cut_off(Code why) const {
  return {Error(why, why == Code::kClosed ? "the store was closed before the response arrived"
                                          : "the call was canceled before the response arrived"),
          may_have_arrived()};
}

Error Transfer::refused() const {
  switch (refusal_) {
    case Refusal::kBodyTooLarge:
      return Error(Code::kUnexpectedResponse, fmt::format("the response of {} is larger than {} bytes", request_.url,
                                                          request_.response_bytes_max));
    case Refusal::kHeadersTooLarge:
      return Error(Code::kUnexpectedResponse, fmt::format("the headers of the response of {} are larger than {} bytes",
                                                          request_.url, request_.response_header_bytes_max));
    case Refusal::kTooManyHeaders:
      return Error(Code::kUnexpectedResponse, fmt::format("the response of {} has more than {} lines of headers",
                                                          request_.url, request_.response_headers_max));
    case Refusal::kOutOfMemory:
      return Error(Code::kUnavailable, fmt::format("not enough memory for the response of {}", request_.url));
    case Refusal::kNone: break;
  }
  DOLMEN_UNREACHABLE("a response was refused");
}

Error Transfer::error_of(CURLcode code) const {
  const char* reason = message_[0] != '\0' ? message_.data() : curl_easy_strerror(code);
  if (refusal_ != Refusal::kNone) return refused();
  switch (code) {
    case CURLE_OPERATION_TIMEDOUT: return Error(Code::kTimeout, fmt::format("{}: {}", request_.url, reason));
    case CURLE_URL_MALFORMAT:
    case CURLE_UNSUPPORTED_PROTOCOL: return Error(Code::kInvalidArgument, fmt::format("{}: {}", request_.url, reason));
    case CURLE_WEIRD_SERVER_REPLY:
    case CURLE_HTTP2: return Error(Code::kUnexpectedResponse, fmt::format("{}: {}", request_.url, reason));
    case CURLE_ABORTED_BY_CALLBACK:
      return Error(Code::kUnavailable,
                   fmt::format("{}: the connection was closed before a response arrived", request_.url));
    default: return Error(Code::kUnavailable, fmt::format("{}: {}", request_.url, reason));
  }
}

}  // namespace dolmen::http
