#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "dolmen/embedded.h"
#include "dolmen/error.h"
#include "dolmen/faults.h"
#include "dolmen/testing/clock.h"

namespace dolmen::testing {

/// A Dolmen server in this process, on a free port of 127.0.0.1, which ends with this object:
///
///     auto server = testing::serve().value();
///     auto store = open(server.url()).value();                       // or boto3, the AWS CLI, any SDK
///     server.faults().throttle(0.1);
///     server.clock().advance(24h);
///
/// Anybody on this machine may use it while it runs; signatures are not checked.
class TestServer {
 public:
  ~TestServer();
  TestServer(TestServer&&) noexcept;
  TestServer& operator=(TestServer&&) noexcept;

  /// http://127.0.0.1:PORT
  [[nodiscard]] std::string url() const;
  [[nodiscard]] std::uint16_t port() const;
  [[nodiscard]] FaultLab& faults() const noexcept;
  [[nodiscard]] TestClock& clock() const noexcept;

 private:
  friend Result<TestServer> serve(EmbeddedOptions options);
  friend Result<TestServer> serve_fork(const std::string& directory, EmbeddedOptions options);
  struct Parts;
  static Result<TestServer> start(EmbeddedOptions options, std::unique_ptr<Parts> parts);
  explicit TestServer(std::unique_ptr<Parts> parts);

  std::unique_ptr<Parts> parts_;
};

/// In memory, unless the options name a directory. Fails with kInvalidArgument when they have a clock.
Result<TestServer> serve(EmbeddedOptions options = {});

/// Serves a writable copy of the store in a directory; see `fork` (dolmen/testing/store.h).
Result<TestServer> serve_fork(const std::string& directory, EmbeddedOptions options = {});

}  // namespace dolmen::testing
