#include "dolmen/testing/server.h"

#include <fmt/format.h>
#include <utility>

#include "base/check.h"
#include "base/fail.h"
#include "dolmen/testing/store.h"
#include "server/server.h"
#include "service/store_upkeep.h"

namespace dolmen::testing {

struct TestServer::Parts {
  TemporaryFolder folder = {};
  TestClock clock = {};
  std::shared_ptr<FaultLab> faults = std::make_shared<FaultLab>();
  std::unique_ptr<Server> server = nullptr;
};

TestServer::TestServer(std::unique_ptr<Parts> parts) : parts_(std::move(parts)) {}
TestServer::~TestServer() = default;
TestServer::TestServer(TestServer&&) noexcept = default;
TestServer& TestServer::operator=(TestServer&&) noexcept = default;

std::string TestServer::url() const { return fmt::format("http://127.0.0.1:{}", port()); }
std::uint16_t TestServer::port() const { return parts_->server->port(); }
FaultLab& TestServer::faults() const noexcept { return *parts_->faults; }
TestClock& TestServer::clock() const noexcept { return parts_->clock; }

Result<TestServer> TestServer::start(EmbeddedOptions options, std::unique_ptr<Parts> parts) {
  if (options.now)
    return fail(Code::kInvalidArgument, "a server for tests has a clock of its own, which its clock() moves");
  if (options.directory.empty()) options.durability = Durability::kMemory;
  options.now = parts->clock.now();
  if (!options.throttling_clock) options.throttling_clock = options.now;
  // At a server faults happen to requests, not in the store: a connection that is cut is really cut.
  if (options.faults) parts->faults = std::exchange(options.faults, nullptr);
  const std::string region = options.region;
  DOLMEN_TRY(parts->server, Server::start({.store = std::move(options),
                                           .http = {.host = "127.0.0.1", .port = 0},
                                           .account = {.region = region},
                                           .lab = parts->faults}));
  auto* const upkeep = parts->server->store().companions().find<StoreUpkeep>();
  DOLMEN_CHECK(upkeep != nullptr, "a server's store is embedded");
  parts->clock.on_move([upkeep] { upkeep->finish_expiry(); });
  return TestServer(std::move(parts));
}

Result<TestServer> serve(EmbeddedOptions options) {
  return TestServer::start(std::move(options), std::make_unique<TestServer::Parts>());
}

Result<TestServer> serve_fork(const std::string& directory, EmbeddedOptions options) {
  if (!options.directory.empty())
    return fail(Code::kInvalidArgument, "a fork for tests has a folder of its own; leave the directory out");
  auto parts = std::make_unique<TestServer::Parts>();
  DOLMEN_TRY(parts->folder, TemporaryFolder::make());
  options.directory = parts->folder.path();
  DOLMEN_TRY_VOID(fork_directory(directory, options.directory));
  return TestServer::start(std::move(options), std::move(parts));
}

}  // namespace dolmen::testing
