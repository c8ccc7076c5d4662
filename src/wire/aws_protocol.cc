#include "wire/aws_protocol.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <simdjson.h>

#include "base/ascii.h"
#include "base/check.h"
#include "base/fail.h"
#include "base/random.h"
#include "protocol/compression.h"
#include "protocol/errors.h"

namespace dolmen::wire {
namespace {

constexpr std::string_view kTargetPrefix = "DynamoDB_20120810.";
constexpr std::string_view kStreamsTargetPrefix = "DynamoDBStreams_20120810.";
constexpr std::string_view kJson = "application/json";
constexpr std::string_view kAmazonJson = "application/x-amz-json-1.0";
/// A body that takes about a millisecond at most to be verified, read and checked.
constexpr std::size_t kLightBodyBytesMax = std::size_t{128} << 10;

/// What a parser that has no limits of its own accepts.
constexpr HttpParser::Limits kAlreadyChecked{.request_line_bytes_max = SIZE_MAX / 4,
                                             .header_bytes_max = SIZE_MAX / 4,
                                             .headers_max = SIZE_MAX,
                                             .body_bytes_max = SIZE_MAX,
                                             .chunk_line_bytes_max = SIZE_MAX,
                                             .chunk_framing_bytes_max = SIZE_MAX};

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
  std::string_view content_type = {};  ///< empty: no header
  Encoding accepted = Encoding::kNone;
  bool shared = false;  ///< with the web page that asks
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
  if (form.shared)
    headers.append(
        "Access-Control-Allow-Origin: *\r\n"
        "Access-Control-Expose-Headers: x-amzn-RequestId,x-amzn-ErrorType,x-amzn-ErrorMessage,Date\r\n");
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
  Interface interface = Interface::kTables;
  Extension* extension = nullptr;  ///< Null for DynamoDB's own operations.
};

Target target_of(const HttpRequest& request, Extension* extension) {
  const std::string_view target = request.header("x-amz-target").value_or("");
  if (target.starts_with(kTargetPrefix)) return {.operation = target.substr(kTargetPrefix.size())};
  if (target.starts_with(kStreamsTargetPrefix))
    return {.operation = target.substr(kStreamsTargetPrefix.size()), .interface = Interface::kStreams};
  if (extension != nullptr && target.starts_with(extension->prefix()))
    return {.operation = target.substr(extension->prefix().size()), .extension = extension};
  return {};
}

/// The body, decompressed if need be. `decompressed` owns the decompressed bytes.
Result<std::string_view> read_body(const HttpRequest& request, std::size_t bytes_max, std::string& decompressed) {
  const std::string_view name = request.header("content-encoding").value_or("");
  const std::optional<Encoding> encoding = encoding_of(name);
  if (!encoding)
    return fail(Code::kMalformedEncoding, "the content encoding \"{}\" is not supported; use gzip or deflate", name);
  if (*encoding == Encoding::kNone) return request.body();
  DOLMEN_TRY(decompressed, decompress(*encoding, request.body(), bytes_max));
  return std::string_view(decompressed);
}

Result<void> check_operation(const Target& target) {
  return target.extension != nullptr ? target.extension->check_operation(target.operation)
                                     : check_operation(target.interface, target.operation);
}

/// What is not in tables belongs to all of them.
Result<void> check_permission(const Target& target, const access::KnownKey* caller, const Account& account) {
  if (caller == nullptr) return {};
  const access::Demand demand{.action = fmt::format("dolmen:{}", target.operation),
                              .role = target.extension->role_needed(target.operation)};
  return access::check_permission(caller->key(), demand, {account.id, account.region});
}

access::SignedRequest signed_part_of(const HttpRequest& request) {
  access::SignedRequest view{
      .method = request.method(), .path = request.path(), .query = request.query(), .body = request.body()};
  view.headers.reserve(request.header_count());
  for (std::size_t i = 0; i < request.header_count(); ++i) {
    const auto [name, value] = request.header(i);
    view.headers.push_back({name, value});
  }
  return view;
}

/// A request that takes long merely to be read. Nobody knows how large a compressed body becomes.
bool is_heavy(const HttpRequest& request) {
  return request.body().size() > kLightBodyBytesMax || request.header("content-encoding").has_value();
}

/// What a browser asks before it sends a request of a page of another origin.
HttpResponse preflight_response(const HttpRequest& request, const Form& form) {
  HttpResponse response = make_response(200, form, "");
  const auto echo = [&](std::string_view asked, std::string_view allowed) {
    if (const auto value = request.header(asked)) response.headers.append(allowed).append(*value).append("\r\n");
  };
  echo("access-control-request-method", "Access-Control-Allow-Methods: ");
  echo("access-control-request-headers", "Access-Control-Allow-Headers: ");
  response.headers.append("Access-Control-Max-Age: 172800\r\n");
  return response;
}

}  // namespace

bool AwsProtocol::is_shared_with(std::string_view origin) const {
  return std::ranges::any_of(options_.shared_with, [&](const std::string& allowed) {
    return allowed == "*" || equals_ignoring_case(allowed, origin);
  });
}

void AwsProtocol::handle(const HttpRequest& request, Respond respond) {
  if (options_.elsewhere && is_heavy(request)) return handle_elsewhere(request, std::move(respond));
  handle_here(request, std::move(respond));
}

void AwsProtocol::handle_here(const HttpRequest& request, Respond respond) {
  const std::optional<std::string_view> origin = request.header("origin");
  const Form plain{.shared = origin && is_shared_with(*origin)};
  if (request.method() == "GET" && request.path() == "/") {
    const std::string region = fmt::format("dynamodb.{}.amazonaws.com", options_.account.region);
    return respond(make_response(200, plain, fmt::format("healthy: {} ", request.header("host").value_or(region))));
  }
  if (request.method() == "OPTIONS" && plain.shared) return respond(preflight_response(request, plain));

  // The response to HEAD must not have a body.
  if (request.method() == "HEAD") return respond(make_response(404, plain, ""));

  const std::string_view content_type = media_type(request.header("content-type"));
  const bool understood = content_type == kAmazonJson || content_type == kJson;
  if (request.method() != "POST" || request.path() != "/" || (!request.body().empty() && !understood))
    return respond(make_response(404, plain, "<UnknownOperationException/>\n"));

  const Form form{.content_type = content_type == kAmazonJson ? kAmazonJson : kJson,
                  .accepted = accepted_encoding(request.header("accept-encoding").value_or("")),
                  .shared = plain.shared};
  std::string decompressed;
  const Result<std::string_view> body = read_body(request, options_.body_bytes_max, decompressed);
  if (!body) {
    if (body.error().code() == Code::kRequestTooLarge) request.hit(Limit::kBodyBytes);
    return respond(make_error_response(form, body.error()));
  }
  const HeldMemory held = decompressed.empty() ? HeldMemory() : request.hold(decompressed.size());

  // The body is parsed here only when something else is wrong, to find out whether it is JSON; otherwise it would be
  // parsed twice.
  const auto refused = [&](const Error& error) {
    return make_error_response(form, is_empty_or_json(*body) ? error : Error(Code::kSerialization, ""));
  };
  const Target target = target_of(request, options_.extension);
  if (const Result<void> known = check_operation(target); !known) return respond(refused(known.error()));
  // Web pages cannot sign with a key that they do not have.
  if (!gatekeeper_.knows_keys())
    if (const auto own = browsers_.check(request.header("host").value_or(""), plain.shared ? std::nullopt : origin);
        !own)
      return respond(refused(own.error()));
  const auto caller = gatekeeper_.admit(signed_part_of(request), request.peer());
  if (!caller) {
    HttpResponse response = refused(caller.error().error);
    response.wait = caller.error().wait;
    return respond(std::move(response));
  }

  Done<std::string> done = [form, respond = std::move(respond)](Result<std::string> outcome) mutable {
    respond(outcome ? make_response(200, form, std::move(*outcome)) : make_error_response(form, outcome.error()));
  };
  if (target.extension == nullptr)
    return execute(target.interface, target.operation, *body, backend_for(caller->get()), std::move(done));
  const Result<void> allowed = gatekeeper_.judge(check_permission(target, caller->get(), options_.account));
  if (!allowed) return done(std::unexpected(allowed.error()));
  target.extension->execute(target.operation, *body, std::move(done));
}

Backend AwsProtocol::backend_for(const access::KnownKey* caller) const {
  return {.service = service_,
          .account = options_.account,
          .texts = options_.texts,
          .gatekeeper = &gatekeeper_,
          .caller = caller};
}

void AwsProtocol::handle_elsewhere(const HttpRequest& request, Respond respond) {
  // Shared, because the refusal below needs it too.
  auto answer = std::make_shared<Respond>(std::move(respond));
  const bool taken = options_.elsewhere([this, raw = std::string(request.raw()), peer = std::string(request.peer()),
                                         traffic = request.traffic(), answer] {
    HttpParser parser(kAlreadyChecked);
    const HttpParser::State state = parser.parse(raw);
    DOLMEN_CHECK(state == HttpParser::State::kComplete, "a whole request stays one");
    handle_here(HttpRequest(parser, raw, peer, &traffic), std::move(*answer));
  });
  if (taken) return;
  request.hit(Limit::kLargeRequestsWaiting);
  (*answer)(make_error_response({.content_type = kAmazonJson},
                                Error(Code::kThrottled, "too many large requests are waiting; try again")));
}

HttpResponse AwsProtocol::refusal(const HttpParser::Problem& problem) const {
  const Form form{.content_type = kAmazonJson};
  switch (problem.status) {
    case 413: return make_error_response(form, Error(Code::kRequestTooLarge, std::string(problem.reason)));
    case 503: return make_error_response(form, Error(Code::kUnavailable, std::string(problem.reason)));
    // By this name SDKs know that they may try again.
    case 408:
      return make_response(
          408, form,
          fmt::format(R"({{"__type":"com.amazon.coral.service#RequestTimeoutException","message":"{}"}})",
                      problem.reason));
    default: return HttpHandler::refusal(problem);
  }
}

}  // namespace dolmen::wire
