#pragma once

#include <functional>
#include <optional>
#include <stop_token>
#include <string>

#include "credentials/environment.h"
#include "dolmen/clock.h"
#include "dolmen/credentials.h"
#include "dolmen/error.h"
#include "http_client/http_client.h"

/// The sources of credentials. All functions block, and fail with kCredentials.
namespace dolmen {

/// What the sources share.
struct SourceContext {
  const Environment& environment;
  http::Client& client;
  Now now;
  const std::stop_token& stop;
};

/// AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN. Nothing when they are not set.
std::optional<AwsCredentials> environment_credentials(const Environment& environment);

/// The endpoint of a container, when AWS_CONTAINER_CREDENTIALS_RELATIVE_URI or _FULL_URI names one.
Result<std::optional<AwsCredentials>> container_credentials(const SourceContext& context);

/// The role of an EC2 machine, from its metadata service (version 2). Nothing when the service does not exist or is
/// switched off by AWS_EC2_METADATA_DISABLED.
Result<std::optional<AwsCredentials>> instance_credentials(const SourceContext& context);

/// The credentials that a program prints.
Result<AwsCredentials> process_credentials(const std::string& command, const SourceContext& context);

/// A role to assume.
struct Role {
  std::string arn;
  std::string session_name;
  std::string external_id = {};
  std::string duration_seconds = {};
  /// The region of the STS endpoint; empty means the global endpoint.
  std::string region = {};
};

Result<AwsCredentials> assume_role(const Role& role, const AwsCredentials& as, const SourceContext& context);
/// Reads the token from the file each time, because it is renewed there.
Result<AwsCredentials> assume_role_with_token(const Role& role, const std::string& token_file,
                                              const SourceContext& context);

}  // namespace dolmen
