#pragma once

#include <optional>
#include <string>

#include "credentials/profile_files.h"
#include "credentials/sources.h"

namespace dolmen {

/// The credentials of a profile: keys, a program, or a role that is taken on with those of another profile. Nothing
/// when there is no such profile or it says nothing of credentials. Fails with kCredentials, with a hint for what needs
/// a person (single sign-on, a second factor).
Result<std::optional<AwsCredentials>> profile_credentials(const ProfileFiles& files, const std::string& name,
                                                          const SourceContext& context);

}  // namespace dolmen
