#include "wire/answer.h"

#include <array>
#include <cstdint>
#include <cstring>
#include <fmt/format.h>

#include "base/random.h"
#include "protocol/errors.h"

namespace dolmen::wire {
namespace {

constexpr std::string_view kRequestIdHeader = "x-amzn-RequestId: ";
constexpr std::size_t kRequestIdLength = 52;

/// The identifiers need not be secret, only unique: a counter-based generator, seeded once per thread.
class RequestIds {
 public:
  RequestIds() : state_(system_random().next_u64()) {}

  /// Appends 52 characters out of A-V and 0-9, as DynamoDB does.
  void append_next(std::string& out) {
    std::array<char, kRequestIdLength> text;
    for (std::size_t i = 0; i < text.size();) {
      std::uint64_t bits = next();
      for (int j = 0; j < 6 && i < text.size(); ++j, bits >>= kBitsOfPair, i += 2)
        std::memcpy(text.data() + i, kPairs[bits % kPairs.size()].data(), 2);
    }
    out.append(text.data(), text.size());
  }

 private:
  static constexpr int kBitsOfPair = 10;
  /// Every two of the characters.
  static constexpr auto kPairs = [] {
    constexpr std::string_view kLetters = "0123456789ABCDEFGHIJKLMNOPQRSTUV";
    std::array<std::array<char, 2>, 1 << kBitsOfPair> pairs{};
    for (std::size_t i = 0; i < pairs.size(); ++i)
      pairs[i] = {kLetters[i / kLetters.size()], kLetters[i % kLetters.size()]};
    return pairs;
  }();

  /// SplitMix64.
  std::uint64_t next() {
    std::uint64_t z = (state_ += 0x9E3779B97F4A7C15ULL);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
    return z ^ (z >> 31);
  }

  std::uint64_t state_;
};

}  // namespace

HttpResponse make_response(int status, const Form& form, std::string body) {
  thread_local RequestIds request_ids;
  const Encoding encoding = body.size() < kCompressedBytesMin ? Encoding::kNone : form.accepted;
  if (encoding != Encoding::kNone) body = compress(encoding, body);
  HttpResponse response{.status = status, .body = std::move(body)};
  // The checksum covers the bytes on the wire, after compression.
  const std::uint32_t crc = crc32(response.body);
  std::string& headers = response.headers;
  headers.reserve(192);
  // First, so that `request_id_of` finds it at once.
  headers.append(kRequestIdHeader);
  request_ids.append_next(headers);
  headers.append("\r\n");
  if (!form.content_type.empty()) headers.append("Content-Type: ").append(form.content_type).append("\r\n");
  if (encoding != Encoding::kNone) headers.append("Content-Encoding: ").append(encoding_name(encoding)).append("\r\n");
  const fmt::format_int checksum(crc);
  headers.append("x-amz-crc32: ").append(checksum.data(), checksum.size()).append("\r\n");
  if (form.shared)
    headers.append(
        "Access-Control-Allow-Origin: *\r\n"
        "Access-Control-Expose-Headers: x-amzn-RequestId,x-amzn-ErrorType,x-amzn-ErrorMessage,Date\r\n");
  return response;
}

Error told(const Error& error) {
  switch (error.code()) {
    case Code::kNoSpace:
      return {error.code(),
              "The disk of the server is full, so it refuses writes. It goes on by itself once there is space."};
    case Code::kIo:
    case Code::kCorruption:
    case Code::kDirectoryInUse:
    case Code::kDirectoryUnusable:
    case Code::kForeignDirectory:
    case Code::kFormatVersion: return {error.code(), "The server cannot read or write its files; its log says why."};
    default: return error;
  }
}

HttpResponse make_error_response(const Form& form, const Error& error) {
  return make_response(wire_error(error.code()).status, form, error_body(told(error)));
}

std::string_view request_id_of(const HttpResponse& response) {
  const std::size_t header = response.headers.find(kRequestIdHeader);
  if (header == std::string::npos) return {};
  return std::string_view(response.headers).substr(header + kRequestIdHeader.size(), kRequestIdLength);
}

}  // namespace dolmen::wire
