#pragma once

#include <fmt/format.h>
#include <string>
#include <string_view>
#include <utility>

#include "base/fail.h"
#include "dolmen/error.h"
#include "dolmen/schema.h"

namespace dolmen::document {

/// A request that is refused because one part of it is wrong: kQueryInvalid, with a detail whose path is the part, such
/// as "limit" or "filter.age", and whose rule is `query`.
template <class... Args>
std::unexpected<Error> invalid_part(std::string part, fmt::format_string<Args...> message, Args&&... args) {
  ErrorDetail detail{.path = std::move(part), .rule = "query", .message = {}};
  detail.message = fmt::format(message, std::forward<Args>(args)...);
  std::string text = fmt::format("{}: {}", detail.path, detail.message);
  return std::unexpected(Error(Code::kQueryInvalid, std::move(text), {std::move(detail)}));
}

/// That there is no such document.
inline std::unexpected<Error> not_found(const SchemaRef& ref, std::string_view id) {
  return fail(Code::kDocumentNotFound, "{} has no document \"{}\"", to_string(ref), id);
}

/// That there is no such document, although its deletion expects a revision.
inline std::unexpected<Error> no_revision(const SchemaRef& ref, std::string_view id, std::string_view expected) {
  return fail(Code::kConditionFailed, "{} has no document \"{}\", and its revision {} was expected", to_string(ref), id,
              expected);
}

}  // namespace dolmen::document
