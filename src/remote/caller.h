#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <string_view>

#include "credentials/credential_cache.h"
#include "dolmen/remote.h"
#include "http_client/endpoint.h"
#include "http_client/http_client.h"
#include "remote/retry.h"
#include "service/service.h"

namespace dolmen::remote {

/// One operation to carry out.
struct Call {
  std::string_view operation;
  std::string body;
  Repeat repeat = Repeat::kRead;
  /// The prefix of the operation in X-Amz-Target.
  std::string_view prefix = "DynamoDB_20120810.";
  /// Goes to the endpoint of streams.
  bool of_streams = false;
  /// Goes to the endpoint of searches.
  bool of_search = false;
  /// Asks a Dolmen server to explain a read, and takes the explanation. Usually null.
  std::shared_ptr<ReadTrace> trace = nullptr;
  /// Ends the call with kCanceled.
  std::stop_token stop = {};
};

/// Carries out operations at an endpoint: signs requests, sends them, checks the responses, and repeats requests that
/// may be repeated. Thread-safe.
class Caller {
 public:
  struct Options {
    http::Endpoint endpoint;
    /// The same one but at AWS.
    http::Endpoint streams_endpoint;
    http::Endpoint search_endpoint;
    std::string region;
    RemoteOptions remote;
  };

  /// `credentials` makes a function that fetches credentials through the client, which is made here and closed first.
  Caller(Options options, std::function<CredentialCache::Fetch(http::Client&)> credentials);
  /// Calls in progress end with kClosed.
  ~Caller();
  Caller(const Caller&) = delete;
  Caller& operator=(const Caller&) = delete;

  /// The body of a successful response. An error comes from the endpoint or the connection; a write that may or may not
  /// have been carried out fails with kUnknownOutcome. `done` runs on the client's thread, or at once when this object
  /// is being destroyed.
  void call(Call call, Done<std::string> done);

  /// Runs `task` on the client's thread after `delay`, or at once when this object is being destroyed or `stop` is
  /// requested.
  void after(std::chrono::milliseconds delay, std::move_only_function<void()> task, std::stop_token stop);

 private:
  struct Attempt;
  using AttemptPointer = std::unique_ptr<Attempt>;

  struct Waiting;

  void start(AttemptPointer attempt);
  /// Continues an attempt that has waited for credentials, on the client's thread.
  void end_waiting(Waiting& waiting);
  void send(AttemptPointer attempt, AwsCredentials credentials);
  void take_outcome(AttemptPointer attempt, http::Outcome outcome);
  void succeed(AttemptPointer attempt, std::string body);
  /// `executed` says whether the endpoint may have carried out this attempt.
  void take_failure(AttemptPointer attempt, Error error, bool executed);
  bool may_repeat(const Attempt& attempt, const Error& error, bool executed);
  http::Request request_for(const Attempt& attempt, const AwsCredentials& credentials) const;

  const Options options_;
  std::atomic<bool> closing_ = false;
  RetryBudget budget_;
  http::Client client_;
  CredentialCache credentials_;
};

}  // namespace dolmen::remote
