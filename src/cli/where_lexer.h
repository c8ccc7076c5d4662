#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "dolmen/error.h"

namespace dolmen::cli {

enum class WhereTokenKind : std::uint8_t {
  kWord,    ///< a name, a keyword or a function
  kName,    ///< a name in back quotes, which is never a keyword
  kText,    ///< a text in double or single quotes
  kNumber,  ///< with its sign
  kSymbol,  ///< ( ) [ ] . , = == <> != < <= > >=
  kEnd,
};

struct WhereToken {
  WhereTokenKind kind = WhereTokenKind::kEnd;
  /// Names and texts without their quotes and escapes; everything else as it was written.
  std::string text;
  /// Counted in characters from 1.
  std::size_t column = 1;
};

/// Splits a condition, an assignment or a list of paths; the last token is kEnd. Fails with kInvalidArgument and the
/// column for a quote that is not closed, an unknown escape, or a character that has no meaning.
Result<std::vector<WhereToken>> where_tokens(std::string_view text);

}  // namespace dolmen::cli
