#include "wire/browser_guard.h"

#include <algorithm>
#include <arpa/inet.h>
#include <array>

#include "base/ascii.h"
#include "base/fail.h"

namespace dolmen::wire {
namespace {

/// Without the port, and without the brackets of an IPv6 address.
std::string_view name_of(std::string_view host) {
  if (host.starts_with('[')) return host.substr(1, host.find(']') - 1);
  return host.substr(0, host.find(':'));
}

/// No page can be known by an address that leads elsewhere: there is no name to rebind.
bool is_ip_address(std::string_view name) {
  const std::string text(name);
  std::array<unsigned char, sizeof(in6_addr)> bytes;
  return inet_pton(AF_INET, text.c_str(), bytes.data()) == 1 || inet_pton(AF_INET6, text.c_str(), bytes.data()) == 1;
}

bool ends_with_ignoring_case(std::string_view text, std::string_view end) {
  return text.size() >= end.size() && equals_ignoring_case(text.substr(text.size() - end.size()), end);
}

/// Browsers never look these names up elsewhere.
bool is_localhost(std::string_view name) {
  return equals_ignoring_case(name, "localhost") || ends_with_ignoring_case(name, ".localhost");
}

/// Names that nobody else can own: those without a dot, which mean something only in a network of one's own, and those
/// of DynamoDB, whose clients may be led here on purpose.
bool is_reserved(std::string_view name) {
  if (!name.contains('.') || is_localhost(name)) return true;
  const bool of_aws = ends_with_ignoring_case(name, ".amazonaws.com") || ends_with_ignoring_case(name, ".api.aws");
  constexpr std::string_view kService = "dynamodb.";
  constexpr std::string_view kStreams = "streams.dynamodb.";
  return of_aws && (equals_ignoring_case(name.substr(0, kService.size()), kService) ||
                    equals_ignoring_case(name.substr(0, kStreams.size()), kStreams));
}

}  // namespace

bool BrowserGuard::is_own(std::string_view name) const {
  return equals_ignoring_case(name, options_.address) ||
         std::ranges::any_of(options_.host_names,
                             [&](const std::string& own) { return equals_ignoring_case(own, name); });
}

bool BrowserGuard::is_own_origin(std::string_view origin, std::string_view host) const {
  for (const std::string_view scheme : {"http://", "https://"}) {
    if (!origin.starts_with(scheme)) continue;
    const std::string_view name = name_of(host);
    return !name.empty() && equals_ignoring_case(origin.substr(scheme.size()), host) &&
           (is_ip_address(name) || is_localhost(name) || is_own(name));
  }
  return false;
}

Result<void> BrowserGuard::check(std::string_view host, std::optional<std::string_view> foreign_origin) const {
  if (foreign_origin)
    return fail(Code::kAccessDenied,
                "Web pages of {} may not use this server: start it with --cors-origin to allow them, or with --auth "
                "enforce.",
                *foreign_origin);
  const std::string_view name = name_of(host);
  // HTTP/1.0 needs no host, and no browser speaks it.
  if (name.empty() || is_own(name) || is_ip_address(name) || is_reserved(name)) return {};
  return fail(
      Code::kAccessDenied,
      "This server is not known as {}: start it with --host-name {} if it is meant to be, or with --auth enforce.",
      name, name);
}

}  // namespace dolmen::wire
