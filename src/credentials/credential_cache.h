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

/// Keeps credentials and gets new ones before they expire, on a thread of its own and never twice at a time. Everybody
/// who comes while there are none waits for the same look-up. Thread-safe.
class CredentialCache {
 public:
  /// Blocks. What it is given says when nobody needs the answer any more.
  using Fetch = std::move_only_function<Result<AwsCredentials>(const std::stop_token&)>;

  CredentialCache(Fetch fetch, Now now);
  /// Whoever still waits gets kClosed. `fetch` must return soon after it has been asked to stop.
  ~CredentialCache();
  CredentialCache(const CredentialCache&) = delete;
  CredentialCache& operator=(const CredentialCache&) = delete;

  /// The credentials that can be used now, if there are any. Has new ones fetched when these end soon.
  std::optional<AwsCredentials> current();

  /// Calls `done` at once when there are credentials, else on the thread that gets them.
  void get(Done<AwsCredentials> done);

  /// The endpoint does not take these any more: they are not given out again.
  void forget(const AwsCredentials& refused);

 private:
  /// `current`, under the lock.
  std::optional<AwsCredentials> usable();
  /// Has the thread fetch new ones. Under the lock.
  void want_new();
  void run(const std::stop_token& stop);
  void fetch_and_answer(const std::stop_token& stop);

  Fetch fetch_;
  const Now now_;
  std::mutex state_mutex_;
  std::optional<AwsCredentials> current_;
  /// While the current ones can be used, no new ones are fetched before this.
  std::chrono::system_clock::time_point next_renewal_;
  std::vector<Done<AwsCredentials>> waiting_;
  /// Somebody wants new ones.
  bool wanted_ = false;
  std::condition_variable_any woken_;
  /// Started when it is needed first.
  std::jthread worker_;
};

}  // namespace dolmen
