#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "credentials/credential_cache.h"
#include "dolmen/clock.h"
#include "dolmen/credentials.h"
#include "dolmen/error.h"
#include "dolmen/kms.h"
#include "http_client/endpoint.h"
#include "http_client/http_client.h"

namespace dolmen::kms {

/// Sends signed requests to a key management service, and repeats those that failed for a passing reason. All of them
/// may be repeated: none changes anything. Thread-safe.
class Client {
 public:
  struct Options {
    http::Endpoint endpoint;
    std::string region;
    KmsOptions kms;
  };

  Client(Options options, const std::function<CredentialCache::Fetch(http::Client&)>& credentials);
  ~Client();
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;

  /// The body of a successful response, which the caller wipes. Fails as `open_kms_keys` says.
  Result<std::string> call(std::string_view operation, const std::string& body);

 private:
  Result<std::string> call_once(std::string_view operation, const std::string& body);
  Result<AwsCredentials> current_credentials();
  [[nodiscard]] http::Request request_for(std::string_view operation, const std::string& body,
                                          const AwsCredentials& credentials) const;

  const Options options_;
  http::Client client_;
  CredentialCache credentials_;
};

/// What an answer with another status than 200 means.
Error error_of_response(int status, std::string_view body);

}  // namespace dolmen::kms
