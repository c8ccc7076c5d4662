#include "access/signed_request.h"

#include <algorithm>
#include <charconv>
#include <utility>

#include "base/ascii.h"
#include "base/percent_encoding.h"
#include "protocol/digest.h"

namespace dolmen::access {
namespace {

/// Without spaces at the ends, and with one space for each run of spaces.
void append_value(std::string& out, std::string_view value) {
  value = trimmed(value);
  // Nearly all values are in that form already.
  if (value.find('\t') == std::string_view::npos && value.find("  ") == std::string_view::npos) {
    out.append(value);
    return;
  }
  bool after_space = false;
  for (const char c : value) {
    const bool is_space = c == ' ' || c == '\t';
    if (!is_space || !after_space) out.push_back(is_space ? ' ' : c);
    after_space = is_space;
  }
}

/// A header that came several times has all its values, in their order.
void append_header(std::string& out, const SignedRequest& request, std::string_view name) {
  out.append(name).push_back(':');
  bool first = true;
  for (const SignedRequest::Header& header : request.headers) {
    if (!equals_ignoring_case(header.name, name)) continue;
    if (!first) out.push_back(',');
    first = false;
    append_value(out, header.value);
  }
  out.push_back('\n');
}

/// The names between the semicolons of a text in lower case, in their order and each once: named again and again, a
/// long header would make a text many times as long as the request.
std::vector<std::string_view> sorted_names(std::string_view lower_names) {
  constexpr std::size_t kUsual = 8;
  std::vector<std::string_view> names;
  names.reserve(kUsual);
  while (!lower_names.empty()) {
    const std::size_t end = std::min(lower_names.find(';'), lower_names.size());
    if (end > 0) names.push_back(lower_names.substr(0, end));
    lower_names.remove_prefix(std::min(end + 1, lower_names.size()));
  }
  if (!std::ranges::is_sorted(names)) std::ranges::sort(names);
  const auto repeated = std::ranges::unique(names);
  names.erase(repeated.begin(), repeated.end());
  return names;
}

std::optional<std::string> canonical_query(std::string_view query) {
  std::vector<std::pair<std::string, std::string>> parameters;
  for (const auto& [name, value] : split_query(query)) {
    const std::optional<std::string> decoded_name = percent_decoded(name);
    const std::optional<std::string> decoded_value = percent_decoded(value);
    if (!decoded_name || !decoded_value) return std::nullopt;
    if (*decoded_name == "X-Amz-Signature") continue;
    parameters.emplace_back(percent_encoded(*decoded_name), percent_encoded(*decoded_value));
  }
  std::ranges::sort(parameters);
  std::string text;
  for (const auto& [name, value] : parameters) {
    if (!text.empty()) text.push_back('&');
    text.append(name).append("=").append(value);
  }
  return text;
}

/// The path is encoded as it came, except for its slashes, which makes %20 into %2520: DynamoDB is not S3.
void append_path(std::string& out, std::string_view path) {
  for (;;) {
    const std::size_t slash = path.find('/');
    if (slash != 0 && !path.empty()) out.append(percent_encoded(path.substr(0, slash)));
    if (slash == std::string_view::npos) return;
    out.push_back('/');
    path.remove_prefix(slash + 1);
  }
}

}  // namespace

std::optional<std::string_view> SignedRequest::header(std::string_view lower_name) const {
  const auto found =
      std::ranges::find_if(headers, [&](const Header& header) { return is_header_name(header.name, lower_name); });
  return found == headers.end() ? std::nullopt : std::optional(found->value);
}

QueryParameters split_query(std::string_view query) {
  QueryParameters parameters;
  while (!query.empty()) {
    const std::size_t end = std::min(query.find('&'), query.size());
    const std::string_view parameter = query.substr(0, end);
    const std::size_t equals = parameter.find('=');
    if (!parameter.empty())
      parameters.push_back({.name = parameter.substr(0, equals),
                            .value = equals == std::string_view::npos ? "" : parameter.substr(equals + 1)});
    query.remove_prefix(std::min(end + 1, query.size()));
  }
  return parameters;
}

std::optional<std::string> percent_decoded(std::string_view text) {
  std::string decoded;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') {
      decoded.push_back(text[i]);
      continue;
    }
    const std::string_view digits = text.substr(i + 1, 2);
    unsigned byte = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), byte, 16);
    if (digits.size() != 2 || error != std::errc() || end != digits.data() + 2) return std::nullopt;
    decoded.push_back(static_cast<char>(byte));
    i += 2;
  }
  return decoded;
}

std::optional<std::string> canonical_request(const SignedRequest& request, std::string_view signed_headers) {
  const std::optional<std::string> query = canonical_query(request.query);
  if (!query) return std::nullopt;
  std::string lower_names(signed_headers);
  std::ranges::transform(lower_names, lower_names.begin(), ascii_lower);
  const std::vector<std::string_view> names = sorted_names(lower_names);
  std::string text;
  text.reserve(1024);
  text.append(request.method).push_back('\n');
  append_path(text, request.path);
  text.append("\n").append(*query).push_back('\n');
  for (const std::string_view name : names) append_header(text, request, name);
  text.push_back('\n');
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (i > 0) text.push_back(';');
    text.append(names[i]);
  }
  const HexDigest body = hex_digest(sha256(request.body));
  return text.append("\n").append(body.data(), body.size());
}

}  // namespace dolmen::access
