#include "dolmen/isr/vary.h"

#include <algorithm>
#include <set>

#include "base/ascii.h"
#include "base/fail.h"
#include "base/percent_encoding.h"
#include "isr/http_text.h"

namespace dolmen {
namespace {

std::string lower_case(std::string_view text) {
  std::string lower(text);
  std::ranges::transform(lower, lower.begin(), ascii_lower);
  return lower;
}

/// All values of a header, as one list.
std::optional<std::string> header_value(const PageVisit& visit, std::string_view name) {
  std::optional<std::string> value;
  for (const auto& [given, text] : visit.headers) {
    if (!equals_ignoring_case(given, name)) continue;
    value = value ? *value + ", " + std::string(trimmed(text)) : std::string(trimmed(text));
  }
  return value;
}

std::optional<std::string> cookie_of(const PageVisit& visit, std::string_view name) {
  for (const auto& [given, text] : visit.headers)
    if (equals_ignoring_case(given, "cookie"))
      if (std::optional<std::string> value = cookie_value(text, name)) return value;
  return std::nullopt;
}

/// A line of its own for each, so that no path and no value can look like another.
void add_part(std::string& name, std::string_view kind, const std::string& of,
              const std::optional<std::string>& value) {
  name.append("\n").append(kind).append(" ").append(of);
  if (value) name.append("=").append(percent_encoded(*value));
}

Result<void> check_visit(const PageVisit& visit, const PageVary& vary) {
  if (vary.tenant_required && visit.tenant.empty())
    return fail(Code::kInvalidArgument, "the visit of {} has no tenant, and pages belong to tenants", visit.path);
  if (visit.path.empty()) return fail(Code::kInvalidArgument, "the path of a visit is empty");
  if (isr::has_control_character(visit.path))
    return fail(Code::kInvalidArgument, "the path of a visit has a control character");
  for (const std::vector<std::string>& names : {vary.headers, vary.cookies})
    for (const std::string& name : names)
      if (!isr::is_http_name(name))
        return fail(Code::kInvalidArgument, "pages cannot vary by \"{}\", which is not the name of a header or cookie",
                    name);
  return {};
}

}  // namespace

std::optional<std::string> cookie_value(std::string_view cookie_header, std::string_view name) {
  for (std::size_t begin = 0; begin <= cookie_header.size();) {
    const std::size_t end = std::min(cookie_header.find(';', begin), cookie_header.size());
    const std::string_view pair = trimmed(cookie_header.substr(begin, end - begin));
    const std::size_t equals = pair.find('=');
    if (equals != std::string_view::npos && trimmed(pair.substr(0, equals)) == name)
      return std::string(trimmed(pair.substr(equals + 1)));
    begin = end + 1;
  }
  return std::nullopt;
}

Result<PageKey> page_key(const PageVisit& visit, const PageVary& vary) {
  DOLMEN_TRY_VOID(check_visit(visit, vary));
  PageKey key{.name = visit.path, .tenant = visit.tenant};
  // In an order of their own, so that programs that choose the same ones share pages.
  std::set<std::string> headers;
  for (const std::string& name : vary.headers) headers.insert(lower_case(name));
  for (const std::string& name : headers) add_part(key.name, "header", name, header_value(visit, name));
  for (const std::string& name : std::set<std::string>(vary.cookies.begin(), vary.cookies.end()))
    add_part(key.name, "cookie", name, cookie_of(visit, name));
  return key;
}

}  // namespace dolmen
