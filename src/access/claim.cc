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

bool is_separator(char c) { return c == ',' || c == ' ' || c == '\t'; }

/// Takes the next part off an Authorization header, which stands between commas, blanks or both; empty at the end.
std::string_view take_part(std::string_view& header) {
  while (!header.empty() && is_separator(header.front())) header.remove_prefix(1);
  std::size_t size = 0;
  while (size < header.size() && !is_separator(header[size])) ++size;
  const std::string_view part = header.substr(0, size);
  header.remove_prefix(size);
  return part;
}

/// Reads "name=value" into the member of the claim that has this name. Of several with the same name the first counts.
void read_part(Claim& claim, std::string_view name, std::string_view value) {
  for (const auto& [known, member] :
       {std::pair("Credential", &claim.credential), std::pair("Signature", &claim.signature),
        std::pair("SignedHeaders", &claim.signed_headers)})
    if (name == known && member->data() == nullptr) *member = value;
}

std::string_view date_in(const SignedRequest& request) {
  const std::optional<std::string_view> date = request.header("x-amz-date");
  return date ? *date : request.header("date").value_or("");
}

Result<Claim> read_header(std::string_view header, const SignedRequest& request) {
  Claim claim;
  std::string_view rest = header;
  claim.algorithm = take_part(rest);
  for (std::string_view part = take_part(rest); !part.empty(); part = take_part(rest)) {
    const std::size_t sign = part.find('=');
    if (sign == std::string_view::npos)
      return fail(Code::kIncompleteSignature,
                  "'{}' not a valid key=value pair (missing equal-sign) in Authorization header: '{}'.", part, header);
    read_part(claim, part.substr(0, sign), part.substr(sign + 1));
  }
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
