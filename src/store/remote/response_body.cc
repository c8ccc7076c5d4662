#include "store/remote/response_body.h"

#include <charconv>
#include <cstdint>
#include <memory>
#include <zlib.h>

#include "base/check.h"
#include "base/fail.h"

namespace dolmen::remote {
namespace {

Result<void> check_crc32(const http::Response& response) {
  const auto header = response.header("x-amz-crc32");
  if (!header) return {};
  std::uint32_t expected = 0;
  const auto [end, error] = std::from_chars(header->data(), header->data() + header->size(), expected);
  const std::uint32_t actual = static_cast<std::uint32_t>(
      crc32_z(0, reinterpret_cast<const Bytef*>(response.body.data()), response.body.size()));
  if (error != std::errc() || end != header->data() + header->size() || actual != expected)
    return fail(Code::kUnexpectedResponse, "the answer is damaged: its checksum is {}, not {}", actual, *header);
  return {};
}

Result<std::string> decompress(std::string& body, std::size_t bytes_max) {
  constexpr int kGzip = 15 + 16;
  z_stream stream{};
  DOLMEN_CHECK(inflateInit2(&stream, kGzip) == Z_OK, "zlib can be initialised");
  const std::unique_ptr<z_stream, decltype(&inflateEnd)> end(&stream, inflateEnd);
  stream.next_in = reinterpret_cast<Bytef*>(body.data());
  stream.avail_in = static_cast<uInt>(body.size());
  std::string content;
  int state = Z_OK;
  while (state == Z_OK && content.size() <= bytes_max) {
    constexpr std::size_t kStep = 65536;
    const std::size_t filled = content.size();
    content.resize(filled + kStep);
    stream.next_out = reinterpret_cast<Bytef*>(content.data() + filled);
    stream.avail_out = kStep;
    state = inflate(&stream, Z_NO_FLUSH);
    content.resize(content.size() - stream.avail_out);
  }
  if (content.size() > bytes_max)
    return fail(Code::kUnexpectedResponse, "the answer is larger than {} bytes", bytes_max);
  if (state != Z_STREAM_END || stream.avail_in > 0)
    return fail(Code::kUnexpectedResponse, "the answer is not what gzip compresses to");
  return content;
}

}  // namespace

Result<std::string> checked_body(http::Response response, std::size_t bytes_max) {
  DOLMEN_TRY_VOID(check_crc32(response));
  if (response.header("content-encoding") == "gzip") return decompress(response.body, bytes_max);
  return std::move(response.body);
}

}  // namespace dolmen::remote
