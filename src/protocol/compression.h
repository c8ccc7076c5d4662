#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "dolmen/error.h"

/// Compressed bodies of requests and responses, and their checksum.
namespace dolmen {

/// How a body is compressed. kDeflate is HTTP's deflate, which is the zlib format.
enum class Encoding : std::uint8_t { kNone, kGzip, kDeflate };

/// The value of DynamoDB's header x-amz-crc32, computed over the bytes on the wire.
std::uint32_t crc32(std::string_view bytes);

/// Shorter bodies are sent uncompressed, as by DynamoDB.
inline constexpr std::size_t kCompressedBytesMin = 4096;

/// The encoding that an Accept-Encoding header asks for: the one with the highest quality, the first of equal ones, and
/// "*" last. Ignores unknown encodings.
Encoding accepted_encoding(std::string_view accept_encoding);

/// The value of Content-Encoding; empty for kNone.
std::string_view encoding_name(Encoding encoding);

/// Compresses `body`. Must not be called for kNone.
std::string compress(Encoding encoding, std::string_view body);

/// The encoding that a Content-Encoding header names, in any case; nothing for one that is not understood.
std::optional<Encoding> encoding_of(std::string_view content_encoding);

/// Decompresses a body; one of gzip may consist of several members. Fails with kRequestTooLarge when it would have more
/// than `bytes_max` bytes, and with kMalformedEncoding when it is not so encoded or is damaged. Must not be called for
/// kNone.
Result<std::string> decompress(Encoding encoding, std::string_view compressed, std::size_t bytes_max);

}  // namespace dolmen
