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
  /// Empty: AWS_PROFILE, else "default".
  std::string profile;
  Now now;
  /// An endpoint on this machine that need not be AWS: only the environment and the profiles are looked at, and when
  /// they have nothing, the placeholders are good enough.
  bool placeholders = false;
};

/// Looks for credentials where every AWS tool does, in its order; docs/stores.md lists the places. Fails with
/// kCredentials and says what was tried. The client must outlive what is returned.
CredentialCache::Fetch credential_chain(CredentialChainOptions options, http::Client& client);

/// The credentials that were given, or those that the chain finds. `Fetch` is made when there is a client.
std::function<CredentialCache::Fetch(http::Client&)> given_or_found(std::optional<AwsCredentials> given,
                                                                    CredentialChainOptions chain);

/// The region that the environment or the profile names; empty when neither does.
std::string configured_region(const Environment& environment, const std::string& profile);

}  // namespace dolmen
