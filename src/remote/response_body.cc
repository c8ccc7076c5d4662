#include "remote/response_body.h"

#include <charconv>
#include <cstdint>

#include "base/fail.h"
#include "protocol/compression.h"

namespace dolmen::remote {
namespace {

Result<void> check_crc32(const http::Response& response) {
  const auto header = response.header("x-amz-crc32");
  if (!header) return {};
  std::uint32_t expected = 0;
  const auto [end, error] = std::from_chars(header->data(), header->data() + header->size(), expected);
  const std::uint32_t actual = crc32(response.body);
  if (error != std::errc() || end != header->data() + header->size() || actual != expected)
    return fail(Code::kUnexpectedResponse, "the response is damaged: its checksum is {}, not {}", actual, *header);
  return {};
}

Result<std::string> decompressed(std::string_view body, std::size_t bytes_max) {
  Result<std::string> content = decompress(Encoding::kGzip, body, bytes_max);
  if (content) return content;
  if (content.error().code() == Code::kRequestTooLarge)
    return fail(Code::kUnexpectedResponse, "the response is larger than {} bytes", bytes_max);
  return fail(Code::kUnexpectedResponse, "the response is not valid gzip data");
}

}  // namespace

Result<std::string> checked_body(http::Response response, std::size_t bytes_max) {
  DOLMEN_TRY_VOID(check_crc32(response));
  if (response.header("content-encoding") == "gzip") return decompressed(response.body, bytes_max);
  return std::move(response.body);
}

}  // namespace dolmen::remote
