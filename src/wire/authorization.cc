#include "wire/authorization.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "base/fail.h"

namespace dolmen::wire {
namespace {

using Parts = std::vector<std::string_view>;

/// The parts between the separators, without empty ones.
template <class IsSeparator>
Parts split(std::string_view text, IsSeparator is_separator) {
  Parts parts;
  for (auto begin = text.begin();;) {
    begin = std::find_if_not(begin, text.end(), is_separator);
    if (begin == text.end()) return parts;
    const auto end = std::find_if(begin, text.end(), is_separator);
    parts.emplace_back(begin, end);
    begin = end;
  }
}

/// True when one of `parts` is "name=value" with a value.
bool gives(const Parts& parts, std::string_view name) {
  return std::ranges::any_of(parts, [name](std::string_view part) {
    return part.size() > name.size() + 1 && part.starts_with(name) && part[name.size()] == '=';
  });
}

Result<void> check_header(std::string_view header) {
  // The first part is the algorithm; the others are separated by commas, blanks or both.
  Parts parts = split(header, [](char c) { return c == ',' || c == ' '; });
  parts.erase(parts.begin());
  for (const std::string_view part : parts)
    if (part.find('=') == std::string_view::npos)
      return fail(Code::kIncompleteSignature,
                  "'{}' not a valid key=value pair (missing equal-sign) in Authorization header: '{}'.", part, header);
  std::string missing;
  for (const std::string_view name : {"Credential", "Signature", "SignedHeaders"})
    if (!gives(parts, name)) missing.append("Authorization header requires '").append(name).append("' parameter. ");
  if (missing.empty()) return {};
  return fail(Code::kIncompleteSignature, "{}Authorization={}", missing, header);
}

Result<void> check_query(const Parts& parts) {
  std::string missing;
  for (const std::string_view name :
       {"X-Amz-Algorithm", "X-Amz-Credential", "X-Amz-Signature", "X-Amz-SignedHeaders", "X-Amz-Date"})
    if (!gives(parts, name)) missing.append("AWS query-string parameters must include '").append(name).append("'. ");
  if (missing.empty()) return {};
  return fail(Code::kIncompleteSignature, "{}Re-examine the query-string parameters.", missing);
}

}  // namespace

Result<void> check_authorization(const HttpRequest& request) {
  const std::string_view header = request.header("authorization").value_or("");
  const Parts query = split(request.query(), [](char c) { return c == '&'; });
  const bool in_query = std::ranges::any_of(
      query, [](std::string_view part) { return part.substr(0, part.find('=')) == "X-Amz-Algorithm"; });
  if (!header.empty() && in_query)
    return fail(Code::kInvalidSignature,
                "Found both 'X-Amz-Algorithm' as a query-string param and 'Authorization' as HTTP header.");
  if (in_query) return check_query(query);
  // The server has no credentials to check against, so it accepts unsigned requests: curl is enough to try a call.
  if (!request.header("authorization")) return {};
  if (!header.starts_with("AWS4-"))
    return fail(Code::kMissingAuthentication, "Request is missing Authentication Token");
  return check_header(header);
}

}  // namespace dolmen::wire
