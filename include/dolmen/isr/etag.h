#pragma once

#include <string>
#include <string_view>

/// Entity tags of HTTP (RFC 9110): what a client holds, so that it need not be sent again.
namespace dolmen {

/// A tag for exactly these bytes, such as "9f86d081884c7d659a2feaa0c55ad015", with the quotes.
std::string strong_etag(std::string_view body);
/// The same for pages that mean the same: W/"9f86...".
std::string weak_etag(std::string_view body);

/// Whether `text` is one tag, strong or weak.
bool is_etag(std::string_view text);

/// Whether a request with the header If-None-Match is answered with 304: one of its tags, or *, is the same as `etag`,
/// whether weak or strong. A malformed header matches nothing.
bool none_match_hits(std::string_view if_none_match, std::string_view etag);

/// Whether a request with the header If-Match may go on: one of its tags, or *, is the same as `etag` and both are
/// strong.
bool match_holds(std::string_view if_match, std::string_view etag);

}  // namespace dolmen
