#pragma once

#include <string>
#include <string_view>

#include "dolmen/error.h"

/// The compression of lz-string's compressToEncodedURIComponent, byte for byte: page tokens made here can be read by
/// programs in other languages, and theirs here.
namespace dolmen::entity {

/// Compresses UTF-8. The result consists of letters, digits, '+' and '-', and can be part of a URL.
std::string lz_compress(std::string_view text);

/// Why a text that lz-string does not consider malformed could not be decompressed: it ends too early, or is empty.
/// lz-string returns the empty string, or null.
enum class LzEnd { kComplete, kTruncated, kNull };

struct LzText {
  std::string text;
  LzEnd end = LzEnd::kComplete;
};

/// The maximum number of decompressed UTF-16 units, because a few kilobytes can stand for any number of them. Enough
/// for the places of four indexes in 65,536 shards, of 64 units each.
inline constexpr std::size_t kLzTextUnitsMax = std::size_t{1} << 24U;

/// Fails with kInvalidPageToken for input that makes lz-string throw, with kLimitExceeded beyond `kLzTextUnitsMax`.
Result<LzText> lz_decompress(std::string_view compressed);

}  // namespace dolmen::entity
