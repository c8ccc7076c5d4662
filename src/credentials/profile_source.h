#pragma once

#include <optional>
#include <string>

#include "credentials/profile_files.h"
#include "credentials/sources.h"

namespace dolmen {

/// The credentials of a profile: keys, a program, or a role that is assumed with the credentials of another profile.
/// Nothing when the profile does not exist or has no settings for credentials. Fails with kCredentials, and with a hint
/// when the profile needs a person (single sign-on, a second factor).
Result<std::optional<AwsCredentials>> profile_credentials(const ProfileFiles& files, const std::string& name,
                                                          const SourceContext& context);

}  // namespace dolmen
