#include "remote/open_remote.h"

#include <utility>

#include "base/clock.h"
#include "base/fail.h"
#include "base/random.h"
#include "credentials/credential_chain.h"
#include "remote/remote_service.h"

namespace dolmen {
namespace remote {
namespace {

Result<void> check(const RemoteOptions& options) {
  const auto positive = [](auto value) { return value > decltype(value){}; };
  if (!positive(options.connect_timeout) || !positive(options.request_timeout) || !positive(options.idle_timeout))
    return fail(Code::kInvalidArgument, "the timeouts of a remote store must be longer than 0");
  if (options.connections_max < 1) return fail(Code::kInvalidArgument, "connections_max must be at least 1");
  if (options.retry.attempts_max < 1) return fail(Code::kInvalidArgument, "retry.attempts_max must be at least 1");
  return {};
}

/// AWS's own endpoint, unless the environment names another.
std::string endpoint_of_aws(const Environment& environment, const std::string& region) {
  for (const char* name : {"AWS_ENDPOINT_URL_DYNAMODB", "AWS_ENDPOINT_URL"})
    if (std::string url = environment(name); !url.empty()) return url;
  return http::aws_endpoint(region);
}

/// A server other than AWS serves streams where it serves tables.
std::string streams_endpoint_of(const std::string& url, const Environment& environment, const std::string& region) {
  if (std::string given = environment("AWS_ENDPOINT_URL_DYNAMODB_STREAMS"); !given.empty()) return given;
  return url == http::aws_endpoint(region) ? http::aws_streams_endpoint(region) : url;
}

Result<std::string> region_of(const RemoteOptions& options, const Environment& environment) {
  if (!options.region.empty()) return options.region;
  if (std::string region = configured_region(environment, options.profile); !region.empty()) return region;
  // Other endpoints than AWS's ignore the region, but signatures need one.
  if (!options.endpoint.empty()) return "us-east-1";
  return fail(Code::kInvalidArgument, "the region is missing; name one as in \"aws:eu-west-1\", or set AWS_REGION");
}

std::function<CredentialCache::Fetch(http::Client&)> credentials_of(const RemoteOptions& options,
                                                                    const Environment& environment,
                                                                    const http::Endpoint& endpoint) {
  if (!options.credentials && options.credential_source)
    return [source = options.credential_source](http::Client&) -> CredentialCache::Fetch {
      return [source](const std::stop_token&) { return source(); };
    };
  return given_or_found(options.credentials, {.environment = environment,
                                              .profile = options.profile,
                                              .now = options.now,
                                              .placeholders = endpoint.loopback && !endpoint.encrypted});
}

}  // namespace

Result<std::unique_ptr<RemoteService>> open_service(RemoteOptions options, const Environment& environment) {
  DOLMEN_TRY_VOID(check(options));
  DOLMEN_TRY(std::string region, region_of(options, environment));
  const std::string url = options.endpoint.empty() ? endpoint_of_aws(environment, region) : options.endpoint;
  DOLMEN_TRY(http::Endpoint endpoint, http::parse_endpoint(url));
  const bool is_given = !options.endpoint.empty();
  DOLMEN_TRY(http::Endpoint streams_endpoint,
             http::parse_endpoint(is_given ? url : streams_endpoint_of(url, environment, region)));
  // AWS searches vectors at a host of its own, others where they serve tables.
  DOLMEN_TRY(http::Endpoint search_endpoint,
             http::parse_endpoint(url == http::aws_endpoint(region) ? http::aws_search_endpoint(region) : url));
  options.now = or_system_clock(std::move(options.now));
  options.random = or_system_random(std::move(options.random));
  if (options.ca_file.empty()) options.ca_file = environment("AWS_CA_BUNDLE");
  auto credentials = credentials_of(options, environment, endpoint);
  return std::make_unique<RemoteService>(Caller::Options{.endpoint = std::move(endpoint),
                                                         .streams_endpoint = std::move(streams_endpoint),
                                                         .search_endpoint = std::move(search_endpoint),
                                                         .region = std::move(region),
                                                         .remote = std::move(options)},
                                         std::move(credentials));
}

}  // namespace remote

Result<std::unique_ptr<Store>> open_remote(const RemoteOptions& options) {
  DOLMEN_TRY(std::unique_ptr<remote::RemoteService> service, remote::open_service(options, process_environment()));
  detail::Companions companions;
  // Lives as long as the service, which the store owns.
  companions.add(std::shared_ptr<DolmenCalls>(std::shared_ptr<void>(), service.get()));
  companions.add(std::shared_ptr<JsonCalls>(std::shared_ptr<void>(), service.get()));
  return std::make_unique<Store>(std::move(service), std::move(companions), options.executor);
}

}  // namespace dolmen
