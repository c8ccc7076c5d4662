#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "dolmen/error.h"
#include "dolmen/isr/page.h"

/// Keys of pages that depend on more than their path.
namespace dolmen {

/// A request for a page, as far as its key depends on it.
struct PageVisit {
  /// The path with the parameters that matter.
  std::string path;
  /// Whose page it is, as the program has found out; never a header that a visitor can set at will.
  std::string tenant = {};
  /// As they were received; the name's case does not matter.
  std::vector<std::pair<std::string, std::string>> headers = {};
};

/// What else than the path a page depends on. Everything that is not chosen here is shared by all visitors of a tenant.
struct PageVary {
  /// Names of headers, such as "accept-language".
  std::vector<std::string> headers = {};
  /// Names of cookies; their case matters.
  std::vector<std::string> cookies = {};
  /// Pages belong to tenants, so that a visit without one is refused instead of being served a page of all. False for a
  /// site that has none.
  bool tenant_required = true;
};

/// The key of the page for this visit. Without chosen headers and cookies its name is the path. A missing header or
/// cookie is not the same as an empty one. Fails with kInvalidArgument when the tenant is missing, when the path is
/// empty or has a control character, and when a chosen name is not one of HTTP.
Result<PageKey> page_key(const PageVisit& visit, const PageVary& vary);

/// The value of a cookie in a header Cookie; the first when there are several. Nothing when it is not there.
std::optional<std::string> cookie_value(std::string_view cookie_header, std::string_view name);

}  // namespace dolmen
