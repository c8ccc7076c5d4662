#include "access/claim.h"

#include <algorithm>
#include <array>
#include <span>
#include <utility>
#include <vector>

#include "base/ascii.h"
#include "base/fail.h"

namespace dolmen::access {
namespace {

using Parts = std::vector<std::string_view>;

/// The parts of an Authorization header, which stand between commas, blanks or both.
Parts split(std::string_view header) {
  const auto is_separator = [](char c) { return c == ',' || c == ' ' || c == '\t'; };
  constexpr std::size_t kUsual = 8;
  Parts parts;
  parts.reserve(kUsual);
  for (auto begin = header.begin();;) {
    begin = std::find_if_not(begin, header.end(), is_separator);
    if (begin == header.end()) return parts;
    const auto end = std::find_if(begin, header.end(), is_separator);
    parts.emplace_back(begin, end);
    begin = end;
  }
}

/// The value of "name=value"; empty when no part has that name.
std::string_view value_of(std::span<const std::string_view> parts, std::string_view name) {
  for (const std::string_view part : parts)
    if (part.starts_with(name) && part.substr(name.size()).starts_with('=')) return part.substr(name.size() + 1);
  return {};
}

std::string_view date_in(const SignedRequest& request) {
  const std::optional<std::string_view> date = request.header("x-amz-date");
  return date ? *date : request.header("date").value_or("");
}

Result<Claim> read_header(std::string_view header, const SignedRequest& request) {
  const Parts all = split(header);
  const std::span<const std::string_view> parts = std::span(all).subspan(1);
  Claim claim;
  claim.algorithm = all.front();
  for (const std::string_view part : parts)
    if (part.find('=') == std::string_view::npos)
      return fail(Code::kIncompleteSignature,
                  "'{}' not a valid key=value pair (missing equal-sign) in Authorization header: '{}'.", part, header);
  claim.credential = value_of(parts, "Credential");
  claim.signature = value_of(parts, "Signature");
  claim.signed_headers = value_of(parts, "SignedHeaders");
  claim.date = date_in(request);
  claim.session_token = request.header("x-amz-security-token").value_or("");
  std::string missing;
  for (const auto& [name, value] :
       {std::pair("Credential", &claim.credential), std::pair("Signature", &claim.signature),
        std::pair("SignedHeaders", &claim.signed_headers)})
    if (value->empty()) missing.append("Authorization header requires '").append(name).append("' parameter. ");
  if (claim.date.empty())
    missing.append("Authorization header requires existence of either a 'X-Amz-Date' or a 'Date' header. ");
  if (missing.empty()) return claim;
  return fail(Code::kIncompleteSignature, "{}Authorization={}", missing, header);
}

Result<Claim> read_query(const QueryParameters& parameters) {
  constexpr std::size_t kParameters = 7;
  Claim claim;
  claim.in_query = true;
  claim.decoded.reserve(kParameters);  // The views stay valid.
  const std::array<std::pair<std::string_view, std::string_view*>, 5> required{
      {{"X-Amz-Algorithm", &claim.algorithm},
       {"X-Amz-Credential", &claim.credential},
       {"X-Amz-Signature", &claim.signature},
       {"X-Amz-SignedHeaders", &claim.signed_headers},
       {"X-Amz-Date", &claim.date}}};
  const auto read = [&](std::string_view name) -> std::string_view {
    const auto found = std::ranges::find(parameters, name, &SignedRequest::Header::name);
    if (found == parameters.end()) return {};
    return claim.decoded.emplace_back(percent_decoded(found->value).value_or(""));
  };
  std::string missing;
  for (const auto& [name, value] : required) {
    *value = read(name);
    if (value->empty()) missing.append("AWS query-string parameters must include '").append(name).append("'. ");
  }
  if (!missing.empty()) return fail(Code::kIncompleteSignature, "{}Re-examine the query-string parameters.", missing);
  claim.expires = read("X-Amz-Expires");
  claim.session_token = read("X-Amz-Security-Token");
  return claim;
}

}  // namespace

Result<std::optional<Claim>> read_claim(const SignedRequest& request) {
  const std::optional<std::string_view> header = request.header("authorization");
  const QueryParameters query = split_query(request.query);
  const bool in_query = std::ranges::find(query, "X-Amz-Algorithm", &SignedRequest::Header::name) != query.end();
  if (!header.value_or("").empty() && in_query)
    return fail(Code::kInvalidSignature,
                "Found both 'X-Amz-Algorithm' as a query-string param and 'Authorization' as HTTP header.");
  if (in_query) return read_query(query);
  if (!header) return std::nullopt;
  if (!header->starts_with("AWS4-"))
    return fail(Code::kMissingAuthentication, "Request is missing Authentication Token");
  return read_header(*header, request);
}

}  // namespace dolmen::access
