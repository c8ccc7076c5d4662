#pragma once

#include <functional>
#include <optional>
#include <string>

#include "credentials/credential_cache.h"
#include "credentials/environment.h"
#include "http_client/http_client.h"

namespace dolmen {

struct CredentialChainOptions {
  Environment environment;
  /// Empty means AWS_PROFILE, or "default" when that is not set.
  std::string profile;
  Now now;
  /// For an endpoint on this machine, which may not be AWS: only the environment and the profiles are searched, and
  /// placeholders are used when they have no credentials.
  bool placeholders = false;
};

/// Looks for credentials in the places of the AWS tools and in their order; docs/stores.md lists them. Fails with
/// kCredentials and says what was tried. The client must outlive the returned function.
CredentialCache::Fetch credential_chain(CredentialChainOptions options, http::Client& client);

/// Makes a `Fetch` for the given credentials or, without them, for those that the chain finds with a client.
std::function<CredentialCache::Fetch(http::Client&)> given_or_found(std::optional<AwsCredentials> given,
                                                                    CredentialChainOptions chain);

/// The region that the environment or the profile names; empty when neither does.
std::string configured_region(const Environment& environment, const std::string& profile);

}  // namespace dolmen
