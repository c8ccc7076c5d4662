#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <optional>
#include <stop_token>
#include <thread>
#include <vector>

#include "dolmen/clock.h"
#include "dolmen/credentials.h"
#include "dolmen/error.h"
#include "service/service.h"

namespace dolmen {

/// Keeps credentials and fetches new ones before they expire, on its own thread and never twice at a time. While there
/// are none, all callers wait for the same look-up. Thread-safe.
class CredentialCache {
 public:
  /// Blocks. A stop is requested when the answer is no longer needed.
  using Fetch = std::move_only_function<Result<AwsCredentials>(const std::stop_token&)>;

  CredentialCache(Fetch fetch, Now now);
  /// Callers that still wait get kClosed. `fetch` must return soon after a stop is requested.
  ~CredentialCache();
  CredentialCache(const CredentialCache&) = delete;
  CredentialCache& operator=(const CredentialCache&) = delete;

  /// The credentials that can be used now, if there are any. Starts a renewal when they expire soon.
  std::optional<AwsCredentials> current();

  /// Calls `done` at once when there are credentials, otherwise on the thread that fetches them.
  void get(Done<AwsCredentials> done);

  /// Drops credentials that the endpoint has refused: they are not returned again.
  void forget(const AwsCredentials& refused);

 private:
  /// The same as `current`. Needs the lock.
  std::optional<AwsCredentials> usable();
  /// Makes the thread fetch new credentials. Needs the lock.
  void want_new();
  void run(const std::stop_token& stop);
  void fetch_and_answer(const std::stop_token& stop);

  Fetch fetch_;
  const Now now_;
  std::mutex state_mutex_;
  std::optional<AwsCredentials> current_;
  /// While the current credentials are usable, new ones are not fetched before this time.
  std::chrono::system_clock::time_point next_renewal_;
  std::vector<Done<AwsCredentials>> waiting_;
  /// New credentials have been requested.
  bool wanted_ = false;
  std::condition_variable_any woken_;
  /// Started when it is first needed.
  std::jthread worker_;
};

}  // namespace dolmen
