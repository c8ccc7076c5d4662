#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "access/access_keys.h"
#include "access/authenticator.h"
#include "access/failure_brake.h"
#include "access/signed_request.h"
#include "base/clock.h"
#include "dolmen/error.h"

namespace dolmen::access {

/// What becomes of requests that are not signed by a known key, or ask for more than their key may do.
enum class Mode : std::uint8_t {
  kOff,      ///< nobody looks
  kWarn,     ///< they are served, and the log says what would have been refused
  kEnforce,  ///< they are refused
};

/// Who asks: the key that signed. Anybody, when there is none.
using Caller = std::shared_ptr<const KnownKey>;

/// Decides who comes in. Thread-safe.
class Gatekeeper {
 public:
  struct Options {
    Mode mode = Mode::kOff;
    /// The access file; needed unless the mode is kOff.
    std::filesystem::path file = {};
    std::string region = "us-east-1";
    const Clock* clock = &system_clock();
    /// Hears of refusals in the mode kWarn, and of changes of the access file.
    std::function<void(std::string)> log = {};
  };

  struct Refusal {
    Error error;
    /// How long the answer must wait.
    std::chrono::milliseconds wait{0};
  };

  static Result<std::unique_ptr<Gatekeeper>> open(Options options);

  /// Checks the signature of a request that came from `address`. With kOff and kWarn it refuses only what is signed in
  /// a form that no server accepts.
  std::expected<Caller, Refusal> admit(const SignedRequest& request, std::string_view address);

  /// What to do about a request that its key does not allow: nothing to refuse with kWarn.
  Result<void> judge(Result<void> allowed);

  /// Reads the access file again if it has changed.
  void refresh();

  /// False when anybody is served.
  [[nodiscard]] bool knows_keys() const { return options_.mode == Mode::kEnforce; }

  [[nodiscard]] std::uint64_t failures() const { return failures_; }

 private:
  explicit Gatekeeper(Options options) : options_(std::move(options)) {}

  void warn(const Error& error, std::string_view address);

  const Options options_;
  std::unique_ptr<AccessKeys> keys_;
  std::optional<Authenticator> authenticator_;
  FailureBrake brake_;
  std::atomic<std::uint64_t> failures_ = 0;
};

}  // namespace dolmen::access
