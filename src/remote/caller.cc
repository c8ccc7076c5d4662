#include "remote/caller.h"

#include <fmt/format.h>
#include <mutex>
#include <utility>

#include "base/joined_stop.h"
#include "credentials/signed_request.h"
#include "dolmen/version.h"
#include "protocol/errors.h"
#include "protocol/explanation_json.h"
#include "remote/response_body.h"

namespace dolmen::remote {

struct Caller::Attempt {
  Call call;
  Done<std::string> done;
  /// Including this one.
  int attempts = 1;
  /// What the last repetition took from the budget.
  int last_cost = 0;
  /// An attempt before this one may have been carried out.
  bool maybe_executed = false;
  bool renewed_credentials = false;
  AwsCredentials credentials = {};
};

/// An attempt for which there are no credentials yet.
struct Caller::Waiting {
  explicit Waiting(AttemptPointer waiting) : attempt(std::move(waiting)) {}

  AttemptPointer attempt;
  std::mutex credentials_mutex;
  std::optional<Result<AwsCredentials>> credentials;
  std::stop_source arrived;
  /// Stops when the credentials have arrived or the call is canceled.
  JoinedStop over{attempt->call.stop, arrived.get_token()};
};

Caller::Caller(Options options, std::function<CredentialCache::Fetch(http::Client&)> credentials)
    : options_(std::move(options)),
      budget_(options_.remote.retry.budget),
      client_({.connections_max = options_.remote.connections_max,
               .idle_timeout = options_.remote.idle_timeout,
               .ca_file = options_.remote.ca_file}),
      credentials_(credentials(client_), options_.remote.now) {}

Caller::~Caller() {
  closing_ = true;
  client_.close();
}

void Caller::call(Call call, Done<std::string> done) {
  start(std::make_unique<Attempt>(Attempt{.call = std::move(call), .done = std::move(done)}));
}

void Caller::after(std::chrono::milliseconds delay, std::move_only_function<void()> task, std::stop_token stop) {
  client_.after(delay, std::move(task), std::move(stop));
}

void Caller::start(AttemptPointer attempt) {
  if (std::optional<AwsCredentials> credentials = credentials_.current())
    return send(std::move(attempt), std::move(*credentials));
  const auto waiting = std::make_shared<Waiting>(std::move(attempt));
  if (!waiting->over.token().stop_requested())
    credentials_.get([waiting](Result<AwsCredentials> credentials) {
      {
        const std::lock_guard lock(waiting->credentials_mutex);
        waiting->credentials = std::move(credentials);
      }
      waiting->arrived.request_stop();
    });
  // The attempt continues on the client's thread, whichever of the two ends the wait.
  constexpr std::chrono::hours kForEver{24 * 365 * 10};
  client_.after(kForEver, [this, waiting] { end_waiting(*waiting); }, waiting->over.token());
}

void Caller::end_waiting(Waiting& waiting) {
  if (closing_)
    return take_failure(std::move(waiting.attempt),
                        Error(Code::kClosed, "the store was closed before credentials were found"), false);
  std::optional<Result<AwsCredentials>> credentials;
  {
    const std::lock_guard lock(waiting.credentials_mutex);
    credentials = waiting.credentials;
  }
  if (!credentials)
    return take_failure(std::move(waiting.attempt),
                        Error(Code::kCanceled, "the call was canceled before credentials were found"), false);
  if (!*credentials) return take_failure(std::move(waiting.attempt), std::move(*credentials).error(), false);
  send(std::move(waiting.attempt), std::move(**credentials));
}

http::Request Caller::request_for(const Attempt& attempt, const AwsCredentials& credentials) const {
  const http::Endpoint& endpoint = attempt.call.of_streams  ? options_.streams_endpoint
                                   : attempt.call.of_search ? options_.search_endpoint
                                                            : options_.endpoint;
  SignatureInput input{.body = attempt.call.body, .region = options_.region, .time = options_.remote.now()};
  input.headers = {{"content-type", "application/x-amz-json-1.0"},
                   {"host", endpoint.host},
                   {"x-amz-target", fmt::format("{}{}", attempt.call.prefix, attempt.call.operation)}};
  http::Request request{.url = endpoint.url,
                        .body = attempt.call.body,
                        .connect_timeout = options_.remote.connect_timeout,
                        .timeout = options_.remote.request_timeout,
                        .response_bytes_max = options_.remote.response_bytes_max,
                        .use_proxy = !endpoint.loopback};
  sign(request, std::move(input), credentials);
  // Not signed: proxies may change them.
  request.headers.push_back({"accept-encoding", "gzip"});
  request.headers.push_back({"user-agent", fmt::format("dolmen/{}", version())});
  if (attempt.call.trace) request.headers.push_back({std::string(kExplainHeader), "true"});
  return request;
}

void Caller::send(AttemptPointer attempt, AwsCredentials credentials) {
  http::Request request = request_for(*attempt, credentials);
  request.stop = attempt->call.stop;
  attempt->credentials = std::move(credentials);
  client_.send(std::move(request), [this, attempt = std::move(attempt)](http::Outcome outcome) mutable {
    take_outcome(std::move(attempt), std::move(outcome));
  });
}

void Caller::take_outcome(AttemptPointer attempt, http::Outcome outcome) {
  if (!outcome)
    return take_failure(std::move(attempt), std::move(outcome.error().error), outcome.error().may_have_arrived);
  const int status = outcome->status;
  const std::string type(outcome->header("x-amzn-errortype").value_or(""));
  if (const auto explained = outcome->header(kExplainHeader); explained && attempt->call.trace)
    if (Result<Explanation> explanation = read_explanation(*explained))
      attempt->call.trace->set_answer(*std::move(explanation));
  Result<std::string> body = checked_body(std::move(*outcome), options_.remote.response_bytes_max);
  // After a damaged success the request was carried out; after a damaged error that is unknown.
  if (!body) return take_failure(std::move(attempt), std::move(body).error(), true);
  if (status == 200) return succeed(std::move(attempt), std::move(*body));
  take_failure(std::move(attempt), read_error(status, type, *body), status >= 500);
}

void Caller::succeed(AttemptPointer attempt, std::string body) {
  budget_.give_back(attempt->last_cost > 0 ? attempt->last_cost : kSuccessWithoutRetry);
  attempt->done(std::move(body));
}

bool Caller::may_repeat(const Attempt& attempt, const Error& error, bool executed) {
  if (executed && attempt.call.repeat == Repeat::kNever) return false;
  switch (error.code()) {
    case Code::kThrottled:
    case Code::kUnavailable:
    case Code::kTimeout:
    case Code::kTransactionInProgress: break;
    case Code::kUnexpectedResponse:
      // Of these only a response that was damaged in transit is worth another attempt.
      if (!executed) return false;
      break;
    default: return false;
  }
  return attempt.attempts < options_.remote.retry.attempts_max;
}

void Caller::take_failure(AttemptPointer attempt, Error error, bool executed) {
  // Temporary credentials can expire earlier than announced.
  if (error.code() == Code::kAccessDenied && !attempt->credentials.session_token.empty() &&
      !std::exchange(attempt->renewed_credentials, true)) {
    credentials_.forget(attempt->credentials);
    return start(std::move(attempt));
  }

  const int cost = error.code() == Code::kTimeout ? kTimeoutRetryCost : kRetryCost;
  if (may_repeat(*attempt, error, executed) && budget_.take(cost)) {
    attempt->maybe_executed |= executed;
    attempt->last_cost = cost;
    const auto wait = backoff(options_.remote.retry, attempt->attempts++, options_.remote.random());
    std::stop_token stop = attempt->call.stop;
    return client_.after(
        wait, [this, attempt = std::move(attempt)]() mutable { start(std::move(attempt)); }, std::move(stop));
  }

  // A repeated request with a token is answered with the outcome of the first.
  const bool told = attempt->call.repeat == Repeat::kToken && !executed &&
                    (error.code() == Code::kTransactionCanceled || error.code() == Code::kIdempotencyMismatch);
  const bool writes = attempt->call.repeat != Repeat::kRead;
  if (writes && (executed || attempt->maybe_executed) && !told && error.code() != Code::kClosed)
    return attempt->done(
        std::unexpected(Error(Code::kUnknownOutcome, fmt::format("{} may or may not have been carried out: {}",
                                                                 attempt->call.operation, error.message()))));
  attempt->done(std::unexpected(std::move(error)));
}

}  // namespace dolmen::remote
