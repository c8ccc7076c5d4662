#include "wire/aws_protocol.h"

#include <algorithm>
#include <fmt/format.h>
#include <simdjson.h>

#include "base/ascii.h"
#include "base/check.h"
#include "base/fail.h"
#include "protocol/compression.h"
#include "protocol/errors.h"
#include "protocol/explanation_json.h"
#include "wire/asides.h"
#include "wire/monitor.h"

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

/// Checks that the operation exists, and tells the exchange its name.
Result<void> check_operation(const Target& target, Exchange& exchange) {
  if (target.extension == nullptr) {
    DOLMEN_TRY(exchange.operation, check_operation(target.interface, target.operation));
    return {};
  }
  DOLMEN_TRY_VOID(target.extension->check_operation(target.operation));
  exchange.own_operation = target.operation;
  exchange.operation = exchange.own_operation;
  return {};
}

/// What is not in tables belongs to all of them.
Result<void> check_permission(const Target& target, const access::KnownKey* caller, const Account& account) {
  if (caller == nullptr) return {};
  const access::Demand demand{
      .service = "dolmen", .operation = target.operation, .role = target.extension->role_needed(target.operation)};
  return access::check_permission(caller->key(), demand, {account.id, account.region});
}

Done<std::string> done_of(std::unique_ptr<Exchange> exchange) {
  return [exchange = std::move(exchange)](Result<std::string> outcome) { exchange->finish(std::move(outcome)); };
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

/// A page or another file of the console.
bool is_of_console(const HttpRequest& request) {
  constexpr std::string_view kConsole = "/console";
  const std::string_view path = request.path();
  return (request.method() == "GET" || request.method() == "HEAD") && path.starts_with(kConsole) &&
         (path.size() == kConsole.size() || path[kConsole.size()] == '/');
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
  if (options_.observer != nullptr && is_about_server(request)) return handle_monitor(request, std::move(respond));
  if (options_.console && is_of_console(request)) return respond(console_page(request));

  auto exchange = std::make_unique<Exchange>(request, std::move(respond), options_.observer);
  // The response to HEAD must not have a body.
  if (request.method() == "HEAD") return exchange->answer(make_response(404, plain, ""));

  const std::string_view content_type = media_type(request.header("content-type"));
  const bool understood = content_type == kAmazonJson || content_type == kJson;
  if (request.method() != "POST" || request.path() != "/" || (!request.body().empty() && !understood))
    return exchange->answer(make_response(404, plain, "<UnknownOperationException/>\n"));

  exchange->form = {.content_type = content_type == kAmazonJson ? kAmazonJson : kJson,
                    .accepted = accepted_encoding(request.header("accept-encoding").value_or("")),
                    .shared = plain.shared};
  handle_operation(request, std::move(exchange));
}

void AwsProtocol::handle_operation(const HttpRequest& request, std::unique_ptr<Exchange> exchange) {
  std::string decompressed;
  const Result<std::string_view> body = read_body(request, options_.body_bytes_max, decompressed);
  if (!body) {
    if (body.error().code() == Code::kRequestTooLarge) request.hit(Limit::kBodyBytes);
    return exchange->finish(std::unexpected(body.error()));
  }
  const HeldMemory held = decompressed.empty() ? HeldMemory() : request.hold(decompressed.size());

  // The body is parsed here only when something else is wrong, to find out whether it is JSON; otherwise it would be
  // parsed twice.
  const auto refuse = [&](const Error& error, std::chrono::milliseconds wait = {}) {
    const Error said = is_empty_or_json(*body) ? error : Error(Code::kSerialization, "");
    HttpResponse response = make_error_response(exchange->form, said);
    response.wait = wait;
    exchange->answer(std::move(response), &said);
  };
  const Target target = target_of(request, options_.extension);
  if (const Result<void> known = check_operation(target, *exchange); !known) return refuse(known.error());
  if (const Result<void> own = check_browser(request); !own) return refuse(own.error());
  auto caller = gatekeeper_.admit(signed_part_of(request), request.peer());
  if (!caller) return refuse(caller.error().error, caller.error().wait);
  exchange->caller = *std::move(caller);

  Result<Asides> asides = asides_of(request);
  if (!asides) return refuse(asides.error());
  exchange->asides = *std::move(asides);
  if (target.extension == nullptr)
    return execute(target.interface, *body, request.header("host").value_or(""), std::move(exchange));
  const Result<void> allowed = gatekeeper_.judge(check_permission(target, exchange->caller.get(), options_.account));
  if (!allowed) return exchange->finish(std::unexpected(allowed.error()));
  target.extension->execute(target.operation, *body, done_of(std::move(exchange)));
}

void AwsProtocol::handle_monitor(const HttpRequest& request, Respond respond) {
  if (const Result<void> own = check_browser(request); !own)
    return respond(make_error_response({.content_type = kJson}, own.error()));
  if (request.path() == "/metrics" && gatekeeper_.knows_keys()) {
    // They name tables and say how much happens in each, so whoever reads them has a key for all tables.
    const auto caller = gatekeeper_.admit(signed_part_of(request), request.peer());
    if (!caller) {
      HttpResponse response = make_error_response({.content_type = kJson}, caller.error().error);
      response.wait = caller.error().wait;
      return respond(std::move(response));
    }
    const access::Demand demand{.service = "dolmen", .operation = "ReadMetrics", .role = access::Role::kReadOnly};
    const auto allowed =
        access::check_permission((*caller)->key(), demand, {options_.account.id, options_.account.region});
    if (!allowed) return respond(make_error_response({.content_type = kJson}, allowed.error()));
  }
  answer_about_server(request, *options_.observer, options_.elsewhere, std::move(respond));
}

HttpResponse AwsProtocol::console_page(const HttpRequest& request) const {
  if (const Result<void> own = check_browser(request); !own) {
    HttpResponse response = make_error_response({.content_type = kJson}, own.error());
    if (request.method() == "HEAD") response.length = std::exchange(response.body, {}).size();
    return response;
  }
  return options_.console(request);
}

Result<void> AwsProtocol::check_browser(const HttpRequest& request) const {
  // Web pages cannot sign with a key that they do not have.
  if (gatekeeper_.knows_keys()) return {};
  const std::optional<std::string_view> origin = request.header("origin");
  const std::string_view host = request.header("host").value_or("");
  const bool foreign = origin && !is_shared_with(*origin) && !browsers_.is_own_origin(*origin, host);
  return browsers_.check(host, foreign ? origin : std::nullopt);
}

void AwsProtocol::execute(Interface interface, std::string_view body, std::string_view reached_at,
                          std::unique_ptr<Exchange> exchange) {
  // The exchange lives until it is answered, which is after the last use of these.
  const std::string_view operation = exchange->operation;
  Service* const faulty = exchange->asides.faulty.get();
  const Backend backend{.service = faulty != nullptr ? *faulty : service_,
                        .account = options_.account,
                        .texts = options_.texts,
                        .gatekeeper = &gatekeeper_,
                        .caller = exchange->caller.get(),
                        .table = &exchange->table,
                        .trace = exchange->asides.trace,
                        .elsewhere = options_.elsewhere ? &options_.elsewhere : nullptr,
                        .policies = &policies_,
                        .leaves_out_writes = options_.leaves_out_writes || faulty != nullptr,
                        .reached_at = reached_at};
  wire::execute(interface, operation, body, backend, done_of(std::move(exchange)));
}

Result<Asides> AwsProtocol::asides_of(const HttpRequest& request) const {
  Asides asides;
  const std::string_view explain = request.header(kExplainHeader).value_or("false");
  if (explain != "true" && explain != "false")
    return fail(Code::kInvalidArgument, "{}: \"{}\" is neither true nor false", kExplainHeader, explain);
  if (explain == "true") {
    asides.trace = std::make_shared<ReadTrace>();
    asides.trace->enter(ReadTrace::Phase::kParse);
  }
  const std::optional<std::string_view> wanted = request.header(kFaultHeader);
  if (wanted && !options_.faults)
    return fail(Code::kAccessDenied, "{} is refused: nothing goes wrong on purpose where authentication is enforced",
                kFaultHeader);
  if (!options_.faults || (!wanted && !options_.faults->core().is_active())) return asides;
  faults::FaultyService::Options faulty{.lab = options_.faults, .moments = options_.moments, .at_server = true};
  if (wanted) {
    Result<faults::Plan> plan = faults::parse_plan(*wanted);
    if (!plan) return fail(Code::kInvalidArgument, "{}: {}", kFaultHeader, plan.error().message());
    if (!options_.faults->core().keeps_moments() &&
        std::ranges::count(plan->rules, Fault::kIndexLag, &FaultRule::fault) > 0)
      return fail(Code::kInvalidArgument,
                  "{}: index-lag needs earlier moments, which are kept by a server that was started with --faults FILE",
                  kFaultHeader);
    faulty.plan = *std::move(plan);
  }
  asides.faulty = std::make_shared<faults::FaultyService>(service_, std::move(faulty));
  return asides;
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
  (*answer)(make_error_response({.content_type = kAmazonJson},
                                Error(Code::kThrottled, "too many large requests are waiting; try again")));
}

HttpResponse AwsProtocol::refusal(const HttpParser::Problem& problem) const {
  if (options_.observer != nullptr) options_.observer->refused(problem.status);
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
