#include "protocol/compression.h"

#include <algorithm>
#include <charconv>
#include <libdeflate.h>
#include <memory>
#include <vector>

#include "base/ascii.h"
#include "base/check.h"
#include "base/fail.h"

namespace dolmen {
namespace {

using Compressor = std::unique_ptr<libdeflate_compressor, decltype(&libdeflate_free_compressor)>;
using Decompressor = std::unique_ptr<libdeflate_decompressor, decltype(&libdeflate_free_decompressor)>;

/// A fast level, because network threads compress the responses.
constexpr int kLevel = 3;

/// The first quality in "name;q=0.5;...", at most 1. Ignores a quality that is not a number.
double quality(std::string_view parameters) {
  while (!parameters.empty()) {
    const std::size_t end = parameters.find(';');
    const std::string_view parameter = trimmed(parameters.substr(0, end));
    parameters = end == std::string_view::npos ? std::string_view() : parameters.substr(end + 1);
    const std::size_t sign = parameter.find('=');
    if (sign == std::string_view::npos || !equals_ignoring_case(trimmed(parameter.substr(0, sign)), "q")) continue;
    const std::string_view value = trimmed(parameter.substr(sign + 1));
    double number = 0;
    const auto [stop, error] = std::from_chars(value.data(), value.data() + value.size(), number);
    if (error != std::errc{} || stop != value.data() + value.size()) return 1;
    return std::min(number, 1.0);
  }
  return 1;
}

struct Wish {
  Encoding encoding;
  double quality;
};

}  // namespace

std::uint32_t crc32(std::string_view bytes) { return libdeflate_crc32(0, bytes.data(), bytes.size()); }

Encoding accepted_encoding(std::string_view accept_encoding) {
  // What most clients say.
  if (accept_encoding.empty() || accept_encoding == "identity") return Encoding::kNone;
  std::vector<Wish> wishes;
  double others = 0;
  while (!accept_encoding.empty()) {
    const std::size_t end = accept_encoding.find(',');
    const std::string_view entry = accept_encoding.substr(0, end);
    accept_encoding = end == std::string_view::npos ? std::string_view() : accept_encoding.substr(end + 1);
    const std::size_t name_end = std::min(entry.find(';'), entry.size());
    const std::string_view name = trimmed(entry.substr(0, name_end));
    const double wanted = quality(entry.substr(std::min(name_end + 1, entry.size())));
    if (name == "*") others = wanted;
    if (equals_ignoring_case(name, "gzip")) wishes.push_back({Encoding::kGzip, wanted});
    if (equals_ignoring_case(name, "deflate")) wishes.push_back({Encoding::kDeflate, wanted});
  }
  for (const Encoding encoding : {Encoding::kGzip, Encoding::kDeflate})
    if (std::ranges::find(wishes, encoding, &Wish::encoding) == wishes.end()) wishes.push_back({encoding, others});
  const Wish best = *std::ranges::max_element(wishes, {}, &Wish::quality);
  return best.quality > 0 ? best.encoding : Encoding::kNone;
}

std::string_view encoding_name(Encoding encoding) {
  switch (encoding) {
    case Encoding::kNone: return "";
    case Encoding::kGzip: return "gzip";
    case Encoding::kDeflate: return "deflate";
  }
  DOLMEN_UNREACHABLE("an encoding outside the closed list");
}

std::string compress(Encoding encoding, std::string_view body) {
  thread_local const Compressor compressor(libdeflate_alloc_compressor(kLevel), &libdeflate_free_compressor);
  DOLMEN_CHECK(encoding != Encoding::kNone, "there is an encoding to compress with");
  const bool gzip = encoding == Encoding::kGzip;
  const auto bound = gzip ? libdeflate_gzip_compress_bound : libdeflate_zlib_compress_bound;
  const auto write = gzip ? libdeflate_gzip_compress : libdeflate_zlib_compress;
  std::string out(bound(compressor.get(), body.size()), '\0');
  out.resize(write(compressor.get(), body.data(), body.size(), out.data(), out.size()));
  return out;
}

std::optional<Encoding> encoding_of(std::string_view content_encoding) {
  if (content_encoding.empty() || equals_ignoring_case(content_encoding, "identity")) return Encoding::kNone;
  for (const Encoding encoding : {Encoding::kGzip, Encoding::kDeflate})
    if (equals_ignoring_case(content_encoding, encoding_name(encoding))) return encoding;
  return std::nullopt;
}

Result<std::string> decompress(Encoding encoding, std::string_view compressed, std::size_t bytes_max) {
  thread_local const Decompressor decompressor(libdeflate_alloc_decompressor(), &libdeflate_free_decompressor);
  DOLMEN_CHECK(encoding != Encoding::kNone, "there is an encoding to decompress from");
  const bool gzip = encoding == Encoding::kGzip;
  const auto decode = gzip ? libdeflate_gzip_decompress_ex : libdeflate_zlib_decompress_ex;
  // Grows in large steps and shrinks only at the end, so that many tiny members cost no more than one large one.
  std::string out(std::min(std::max<std::size_t>(compressed.size() * 4, kCompressedBytesMin), bytes_max), '\0');
  std::size_t used = 0;
  do {
    std::size_t read = 0;
    std::size_t written = 0;
    const libdeflate_result result = decode(decompressor.get(), compressed.data(), compressed.size(), out.data() + used,
                                            out.size() - used, &read, &written);
    if (result == LIBDEFLATE_INSUFFICIENT_SPACE) {
      if (out.size() == bytes_max) return fail(Code::kRequestTooLarge, "the body is too long");
      out.resize(std::min(out.size() * 4, bytes_max));
      continue;
    }
    const bool last = gzip || read == compressed.size();
    if (result != LIBDEFLATE_SUCCESS || !last)
      return fail(Code::kMalformedEncoding, "the body is not {}", encoding_name(encoding));
    used += written;
    compressed.remove_prefix(read);
  } while (!compressed.empty());
  out.resize(used);
  return out;
}

}  // namespace dolmen
