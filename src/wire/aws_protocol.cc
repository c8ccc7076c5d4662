#include "wire/aws_protocol.h"

#include <array>
#include <fmt/format.h>
#include <simdjson.h>

#include "base/fail.h"
#include "base/random.h"
#include "protocol/compression.h"
#include "protocol/errors.h"
#include "wire/authorization.h"

namespace dolmen::wire {
namespace {

constexpr std::string_view kTargetPrefix = "DynamoDB_20120810.";
constexpr std::string_view kJson = "application/json";
constexpr std::string_view kAmazonJson = "application/x-amz-json-1.0";
/// The limit of a body after decompression; HttpParser limits it before.
constexpr std::size_t kBodyBytesMax = HttpParser::Limits{}.body_bytes_max;

/// The identifiers need not be secret, only unique: a counter-based generator, seeded once per thread.
class RequestIds {
 public:
  RequestIds() : state_(system_random().next_u64()) {}

  /// Appends 52 characters out of A-V and 0-9, as DynamoDB does.
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

/// The form in which a response is sent.
struct Form {
  std::string_view content_type;  ///< empty: no header
  Encoding accepted = Encoding::kNone;
};

HttpResponse make_response(int status, const Form& form, std::string body) {
  thread_local RequestIds request_ids;
  const Encoding encoding = body.size() < kCompressedBytesMin ? Encoding::kNone : form.accepted;
  if (encoding != Encoding::kNone) body = compress(encoding, body);
  HttpResponse response{.status = status, .body = std::move(body)};
  // The checksum covers the bytes on the wire, after compression.
  const std::uint32_t crc = crc32(response.body);
  std::string& headers = response.headers;
  headers.reserve(192);
  if (!form.content_type.empty()) headers.append("Content-Type: ").append(form.content_type).append("\r\n");
  if (encoding != Encoding::kNone) headers.append("Content-Encoding: ").append(encoding_name(encoding)).append("\r\n");
  headers.append("x-amzn-RequestId: ");
  request_ids.append_next(headers);
  const fmt::format_int checksum(crc);
  headers.append("\r\nx-amz-crc32: ").append(checksum.data(), checksum.size()).append("\r\n");
  return response;
}

HttpResponse make_error_response(const Form& form, const Error& error) {
  return make_response(wire_error(error.code()).status, form, error_body(error));
}

/// The media type without its parameters.
std::string_view media_type(std::optional<std::string_view> content_type) {
  std::string_view type = content_type.value_or("");
  type = type.substr(0, type.find(';'));
  while (!type.empty() && type.back() == ' ') type.remove_suffix(1);
  return type;
}

/// An empty body is checked only when an operation needs it.
bool is_empty_or_json(std::string_view text) {
  simdjson::dom::parser parser;
  return text.empty() || parser.parse(text.data(), text.size()).error() == simdjson::SUCCESS;
}

/// The operation that a request names.
struct Target {
  std::string_view operation;
  Extension* extension = nullptr;  ///< Null for DynamoDB's own operations.
};

Target target_of(const HttpRequest& request, Extension* extension) {
  const std::string_view target = request.header("x-amz-target").value_or("");
  if (target.starts_with(kTargetPrefix)) return {.operation = target.substr(kTargetPrefix.size())};
  if (extension != nullptr && target.starts_with(extension->prefix()))
    return {.operation = target.substr(extension->prefix().size()), .extension = extension};
  return {};
}

/// The body, decompressed if need be. `decompressed` owns the decompressed bytes.
Result<std::string_view> read_body(const HttpRequest& request, std::string& decompressed) {
  const std::string_view encoding = request.header("content-encoding").value_or("");
  if (encoding.empty() || encoding == "identity") return request.body();
  if (encoding != encoding_name(Encoding::kGzip))
    return fail(Code::kMalformedEncoding, "the content encoding \"{}\" is not supported; use gzip", encoding);
  DOLMEN_TRY(decompressed, decompress_gzip(request.body(), kBodyBytesMax));
  return std::string_view(decompressed);
}

/// Checks that the operation is known and the request signed. The body is parsed only when one of these is wrong, to
/// find out whether it is JSON; otherwise it would be parsed twice.
Result<void> check_request(const Target& target, std::string_view body, const HttpRequest& request) {
  Result<void> checked = target.extension != nullptr ? target.extension->check_operation(target.operation)
                                                     : check_operation(target.operation);
  if (checked) checked = check_authorization(request);
  if (!checked && !is_empty_or_json(body)) return std::unexpected(Error(Code::kSerialization, ""));
  return checked;
}

}  // namespace

void AwsProtocol::handle(const HttpRequest& request, Respond respond) {
  if (request.method() == "GET" && request.path() == "/")
    return respond(make_response(200, {}, fmt::format("healthy: dynamodb.{}.amazonaws.com ", backend_.account.region)));

  // The response to HEAD must not have a body.
  if (request.method() == "HEAD") return respond(make_response(404, {}, ""));

  const std::string_view content_type = media_type(request.header("content-type"));
  const bool understood = content_type == kAmazonJson || content_type == kJson;
  if (request.method() != "POST" || request.path() != "/" || (!request.body().empty() && !understood))
    return respond(make_response(404, {}, "<UnknownOperationException/>\n"));

  const Form form{.content_type = content_type == kAmazonJson ? kAmazonJson : kJson,
                  .accepted = accepted_encoding(request.header("accept-encoding").value_or(""))};
  std::string decompressed;
  const Result<std::string_view> body = read_body(request, decompressed);
  if (!body) return respond(make_error_response(form, body.error()));

  const Target target = target_of(request, extension_);
  if (const Result<void> checked = check_request(target, *body, request); !checked)
    return respond(make_error_response(form, checked.error()));

  Done<std::string> done = [form, respond = std::move(respond)](Result<std::string> outcome) mutable {
    respond(outcome ? make_response(200, form, std::move(*outcome)) : make_error_response(form, outcome.error()));
  };
  if (target.extension != nullptr) return target.extension->execute(target.operation, *body, std::move(done));
  execute(target.operation, *body, backend_, std::move(done));
}

HttpResponse AwsProtocol::refusal(const HttpParser::Problem& problem) const {
  if (problem.status != wire_error(Code::kRequestTooLarge).status) return HttpHandler::refusal(problem);
  return make_error_response({.content_type = kAmazonJson}, Error(Code::kRequestTooLarge, std::string(problem.reason)));
}

}  // namespace dolmen::wire
