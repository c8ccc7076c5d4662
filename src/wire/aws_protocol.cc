#include "wire/aws_protocol.h"

#include <array>
#include <fmt/format.h>
#include <libdeflate.h>
#include <simdjson.h>

#include "base/random.h"
#include "wire/errors.h"

namespace dolmen::wire {
namespace {

constexpr std::string_view kTargetPrefix = "DynamoDB_20120810.";
constexpr std::string_view kJson = "application/json";
constexpr std::string_view kAmazonJson = "application/x-amz-json-1.0";

/// The identifiers need not be secret, only different: a counter-based generator, seeded once a thread.
class RequestIds {
 public:
  RequestIds() : state_(system_random().next_u64()) {}

  /// 52 characters out of A-V and 0-9, as DynamoDB's are.
  void append_next(std::string& out) {
    constexpr std::string_view kLetters = "0123456789ABCDEFGHIJKLMNOPQRSTUV";
    std::array<char, 52> text;
    for (std::size_t i = 0; i < text.size();) {
      std::uint64_t bits = next();
      for (int j = 0; j < 12 && i < text.size(); ++j, bits >>= 5) text[i++] = kLetters[bits & 31];
    }
    out.append(text.data(), text.size());
  }

 private:
  /// SplitMix64.
  std::uint64_t next() {
    std::uint64_t z = (state_ += 0x9E3779B97F4A7C15ULL);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
    return z ^ (z >> 31);
  }

  std::uint64_t state_;
};

HttpResponse make_response(int status, std::string_view content_type, std::string body) {
  thread_local RequestIds request_ids;
  HttpResponse response{.status = status, .body = std::move(body)};
  const std::uint32_t crc = libdeflate_crc32(0, response.body.data(), response.body.size());
  std::string& headers = response.headers;
  headers.reserve(160);
  if (!content_type.empty()) headers.append("Content-Type: ").append(content_type).append("\r\n");
  headers.append("x-amzn-RequestId: ");
  request_ids.append_next(headers);
  const fmt::format_int checksum(crc);
  headers.append("\r\nx-amz-crc32: ").append(checksum.data(), checksum.size()).append("\r\n");
  return response;
}

/// The media type without its parameters.
std::string_view media_type(std::optional<std::string_view> content_type) {
  std::string_view type = content_type.value_or("");
  type = type.substr(0, type.find(';'));
  while (!type.empty() && type.back() == ' ') type.remove_suffix(1);
  return type;
}

bool is_json(std::string_view text) {
  simdjson::dom::parser parser;
  return parser.parse(text.data(), text.size()).error() == simdjson::SUCCESS;
}

}  // namespace

void AwsProtocol::handle(const HttpRequest& request, Respond respond) {
  if (request.method() == "GET" && request.target() == "/")
    return respond(make_response(200, "text/plain", "healthy: dolmen "));

  // The answer to HEAD must have no body.
  if (request.method() == "HEAD") return respond(make_response(404, "", ""));

  const std::string_view content_type = media_type(request.header("content-type"));
  const bool understood = content_type == kAmazonJson || content_type == kJson;
  if (request.method() != "POST" || request.target() != "/" || (!request.body().empty() && !understood))
    return respond(make_response(404, "", "<UnknownOperationException/>\n"));

  const std::string_view response_type = content_type == kAmazonJson ? kAmazonJson : kJson;
  auto answer = [response_type, respond = std::move(respond)](Result<std::string> body) mutable {
    if (body) return respond(make_response(200, response_type, std::move(*body)));
    respond(make_response(wire_error(body.error().code()).status, response_type, error_body(body.error())));
  };

  const std::string_view target = request.header("x-amz-target").value_or("");
  const std::string_view operation = target.starts_with(kTargetPrefix) ? target.substr(kTargetPrefix.size()) : "";
  if (!is_operation(operation)) {
    // DynamoDB reads the body before it looks for the operation.
    const Code code = is_json(request.body()) ? Code::kUnknownOperation : Code::kSerialization;
    return answer(std::unexpected(Error(code, "")));
  }
  execute(operation, request.body(), backend_, std::move(answer));
}

}  // namespace dolmen::wire
