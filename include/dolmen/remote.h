#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "dolmen/clock.h"
#include "dolmen/credentials.h"
#include "dolmen/error.h"
#include "dolmen/store.h"

namespace dolmen {

/// When a request that failed is sent again. docs/stores.md lists the failures that are retried.
struct RetryOptions {
  /// Attempts in all, the first included; 1 means that nothing is retried.
  int attempts_max = 4;
  /// The wait before attempt n is a random part of `first_delay` * 2^(n-2), at most `delay_max`.
  std::chrono::milliseconds first_delay{50};
  std::chrono::milliseconds delay_max{5000};
  /// All calls of a store share a budget, so that retries do not overload a server in trouble: a retry takes 5 out
  /// of it, or 10 after a timeout, and a success puts back what its call took, or 1.
  int budget = 500;
  /// Whether a write that has the same effect again (a put, a delete, an update that only sets) is repeated when it is
  /// unknown whether it was carried out. The item is then as one write leaves it, but another client's write that came
  /// between the two is lost. Without this, such a write fails with kUnknownOutcome.
  bool repeat_writes = true;
};

/// A store behind a DynamoDB endpoint: AWS, a Dolmen server, or another server with DynamoDB's protocol.
struct RemoteOptions {
  /// http://HOST:PORT or https://HOST; empty for AWS in `region`, where AWS_ENDPOINT_URL_DYNAMODB and AWS_ENDPOINT_URL
  /// apply.
  std::string endpoint = {};
  /// Empty: AWS_REGION, AWS_DEFAULT_REGION, the profile's region, or else us-east-1 for an endpoint that was given.
  std::string region = {};

  /// Explicit ones, or a function that gets them and is called again before they expire. It may block, and then
  /// the store's destructor waits for it. Without either they are looked for as every AWS tool does (docs/stores.md).
  std::optional<AwsCredentials> credentials = std::nullopt;
  std::function<Result<AwsCredentials>()> credential_source = {};
  /// A profile of the shared configuration files; empty: AWS_PROFILE.
  std::string profile = {};

  std::chrono::milliseconds connect_timeout{2000};
  /// For one attempt, from connecting to the last byte of the response.
  std::chrono::milliseconds request_timeout{30'000};
  /// A connection that was idle for longer is not used again.
  std::chrono::seconds idle_timeout{55};
  /// Further requests wait until a connection is free.
  int connections_max = 64;
  /// Larger responses are refused with kUnexpectedResponse. DynamoDB's largest is 16 MB, as JSON up to about twice
  /// that.
  std::size_t response_bytes_max = std::size_t{64} << 20;
  /// Certificates to trust instead of the system's; empty: AWS_CA_BUNDLE, or the system's.
  std::string ca_file = {};
  RetryOptions retry = {};

  /// Where callbacks of `async_` calls run, all of them. Without it most run on the store's own thread, and must not
  /// make calls that wait. With it they may, because such calls do not need the executor themselves.
  Executor executor = {};

  /// For tests: the clock of signatures and expiries, and the randomness of waits and client tokens.
  Now now = {};
  RandomNumbers random = {};
};

/// Does not connect yet. Fails with kInvalidArgument for a malformed endpoint, or when there is no region.
Result<std::unique_ptr<Store>> open_remote(const RemoteOptions& options);

}  // namespace dolmen
