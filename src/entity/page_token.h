#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "dolmen/error.h"

namespace dolmen::entity {

/// The token of a list of texts: their JSON, compressed. "NoXSA" for none.
std::string write_page_token(const std::vector<std::string>& texts);

/// The maximum number of texts of a token: twice the default limit of shards that a query asks.
inline constexpr std::size_t kPageTokenTextsMax = std::size_t{1} << 21U;

/// The same for a query. Fails with kLimitExceeded when the token could not be read back.
Result<std::string> write_query_token(const std::vector<std::string>& texts);

/// The reverse. Fails with kInvalidPageToken, "invalid page key map", for everything that is not the token of a list of
/// texts within the limits `kPageTokenTextsMax` and `kLzTextUnitsMax`.
Result<std::vector<std::string>> read_page_token(std::string_view token);

/// JSON as JavaScript writes it, with only the necessary escapes.
std::string json_of(const std::vector<std::string>& texts);

}  // namespace dolmen::entity
