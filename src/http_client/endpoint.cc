#include "http_client/endpoint.h"

#include <algorithm>
#include <charconv>
#include <string_view>

#include "base/fail.h"

namespace dolmen::http {
namespace {

struct Authority {
  std::string_view host;
  std::string_view port;
};

/// [::1]:8000, host:8000 or host.
Authority split(std::string_view authority) {
  const std::size_t after_host = authority.starts_with('[') ? authority.find(']') : 0;
  if (after_host == std::string_view::npos) return {};
  const std::size_t colon = authority.find(':', after_host);
  if (colon == std::string_view::npos) return {authority, ""};
  return {authority.substr(0, colon), authority.substr(colon + 1)};
}

bool is_port(std::string_view text) {
  unsigned port = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), port);
  return error == std::errc() && end == text.data() + text.size() && port > 0 && port < 65536;
}

bool is_host(std::string_view host) {
  constexpr std::string_view kAllowed = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-_[]:";
  return !host.empty() && host.find_first_not_of(kAllowed) == std::string_view::npos;
}

bool is_loopback(std::string_view host) {
  return host == "localhost" || host == "[::1]" ||
         (host.starts_with("127.") && host.find_first_not_of("0123456789.") == std::string_view::npos);
}

std::string_view aws_suffix(const std::string& region) {
  return region.starts_with("cn-")        ? "amazonaws.com.cn"
         : region.starts_with("us-isob-") ? "sc2s.sgov.gov"
         : region.starts_with("us-iso-")  ? "c2s.ic.gov"
         : region.starts_with("us-isof-") ? "csp.hci.ic.gov"
         : region.starts_with("eu-isoe-") ? "cloud.adc-e.uk"
         : region.starts_with("eusc-")    ? "amazonaws.eu"
                                          : "amazonaws.com";
}

}  // namespace

Result<Endpoint> parse_endpoint(const std::string& url) {
  const auto malformed = [&](std::string_view why) {
    return fail(Code::kInvalidArgument, "\"{}\" is not an endpoint ({}); try \"http://127.0.0.1:8000\"", url, why);
  };
  const bool encrypted = url.starts_with("https://");
  if (!encrypted && !url.starts_with("http://")) return malformed("it must begin with http:// or https://");
  std::string_view rest = std::string_view(url).substr(encrypted ? 8 : 7);
  if (rest.ends_with('/')) rest.remove_suffix(1);
  if (rest.find_first_of("/?#") != std::string_view::npos) return malformed("nothing may follow the host and port");
  const auto [host, port] = split(rest);
  if (!is_host(host)) return malformed("it does not name a host");
  const bool has_port = host.size() < rest.size();
  if (has_port && !is_port(port)) return malformed("its port is not between 1 and 65535");
  const bool own_port = !has_port || port == (encrypted ? "443" : "80");
  return Endpoint{.url = fmt::format("{}://{}/", encrypted ? "https" : "http", rest),
                  .host = std::string(own_port ? host : rest),
                  .encrypted = encrypted,
                  .loopback = is_loopback(host)};
}

std::string aws_endpoint(const std::string& region) {
  return fmt::format("https://dynamodb.{}.{}", region, aws_suffix(region));
}

std::string aws_streams_endpoint(const std::string& region) {
  return fmt::format("https://streams.dynamodb.{}.{}", region, aws_suffix(region));
}

std::string aws_search_endpoint(const std::string& region) {
  return fmt::format("https://search-dynamodb.{}.{}", region, aws_suffix(region));
}

}  // namespace dolmen::http
