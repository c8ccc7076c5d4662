#pragma once

#include <string>
#include <string_view>

#include "dolmen/error.h"

/// The compression of lz-string's compressToEncodedURIComponent, byte for byte: page tokens made here can be read by
/// programs in other languages, and theirs here.
namespace dolmen::entity {

/// Compresses UTF-8. The result has only letters, digits, '+', '-', and can stand in a URL.
std::string lz_compress(std::string_view text);

/// How a text could not be decompressed without being malformed in the sense of lz-string: it ends too early, or is
/// empty. lz-string answers the empty string, or null.
enum class LzEnd { kComplete, kTruncated, kNull };

struct LzText {
  std::string text;
  LzEnd end = LzEnd::kComplete;
};

/// UTF-16 units that decompressing gives at most, since a few kilobytes can stand for any number of them. There is room
/// for the places of four indexes in 65,536 shards, of 64 units each.
inline constexpr std::size_t kLzTextUnitsMax = std::size_t{1} << 24U;

/// Fails with kInvalidPageToken for what makes lz-string crash, with kLimitExceeded for more than `kLzTextUnitsMax`.
Result<LzText> lz_decompress(std::string_view compressed);

}  // namespace dolmen::entity
