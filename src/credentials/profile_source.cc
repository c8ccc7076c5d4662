#include "credentials/profile_source.h"

#include <algorithm>
#include <fmt/ranges.h>
#include <vector>

#include "base/fail.h"

namespace dolmen {
namespace {

using Found = Result<std::optional<AwsCredentials>>;

/// Follows references from one profile to another.
class Resolver {
 public:
  Resolver(const ProfileFiles& files, const SourceContext& context) : files_(files), context_(context) {}

  Found resolve(const std::string& name) {
    const Profile* profile = files_.find(name);
    if (profile == nullptr) return std::nullopt;
    if (std::ranges::find(visited_, name) != visited_.end())
      return fail(Code::kCredentials, "the profiles {} refer to each other in a circle", fmt::join(visited_, ", "));
    visited_.push_back(name);
    if (!setting(*profile, "role_arn").empty()) return of_role(name, *profile);
    return of_own(name, *profile);
  }

 private:
  /// The profile's own credentials, without assuming a role.
  Found of_own(const std::string& name, const Profile& profile) {
    for (const char* key : {"sso_session", "sso_start_url", "login_session"})
      if (!setting(profile, key).empty())
        return fail(
            Code::kCredentials,
            "the profile {} signs in through a browser ({}), which Dolmen cannot do. Get temporary credentials "
            "with \"aws configure export-credentials --profile {} --format env\", or use it as credential_process",
            name, key, name);
    AwsCredentials keys{.access_key_id = setting(profile, "aws_access_key_id"),
                        .secret_access_key = setting(profile, "aws_secret_access_key"),
                        .session_token = setting(profile, "aws_session_token")};
    if (!keys.access_key_id.empty() && !keys.secret_access_key.empty()) return keys;
    if (!keys.access_key_id.empty())
      return fail(Code::kCredentials, "the profile {} has an aws_access_key_id but no aws_secret_access_key", name);
    const std::string command = setting(profile, "credential_process");
    if (command.empty()) return std::nullopt;
    DOLMEN_TRY(AwsCredentials credentials, process_credentials(command, context_));
    return credentials;
  }

  Found of_role(const std::string& name, const Profile& profile) {
    const Role role{.arn = setting(profile, "role_arn"),
                    .session_name = session_name(profile),
                    .external_id = setting(profile, "external_id"),
                    .duration_seconds = setting(profile, "duration_seconds"),
                    .region = region(profile)};
    if (!setting(profile, "mfa_serial").empty())
      return fail(Code::kCredentials,
                  "the profile {} requires a second factor (mfa_serial), which Dolmen cannot ask for. Get temporary "
                  "credentials with \"aws configure export-credentials --profile {} --format env\"",
                  name, name);
    if (const std::string token_file = setting(profile, "web_identity_token_file"); !token_file.empty()) {
      DOLMEN_TRY(AwsCredentials credentials, assume_role_with_token(role, token_file, context_));
      return credentials;
    }
    DOLMEN_TRY(const AwsCredentials as, of_source(name, profile));
    DOLMEN_TRY(AwsCredentials credentials, assume_role(role, as, context_));
    return credentials;
  }

  /// The credentials with which the role is assumed.
  Result<AwsCredentials> of_source(const std::string& name, const Profile& profile) {
    const std::string source = setting(profile, "source_profile");
    const std::string place = setting(profile, "credential_source");
    Found found = std::nullopt;
    if (!source.empty())
      found = source == name ? of_own(name, profile) : resolve(source);
    else if (place == "Environment")
      found = environment_credentials(context_.environment);
    else if (place == "EcsContainer")
      found = container_credentials(context_);
    else if (place == "Ec2InstanceMetadata")
      found = instance_credentials(context_);
    else
      return fail(Code::kCredentials,
                  "the profile {} has a role_arn, but neither source_profile nor a known credential_source", name);
    if (!found) return std::unexpected(std::move(found).error());
    if (!*found)
      return fail(Code::kCredentials, "the profile {} assumes a role with the credentials of {}, which has none", name,
                  source.empty() ? place : source);
    return std::move(**found);
  }

  std::string session_name(const Profile& profile) {
    const std::string name = setting(profile, "role_session_name");
    if (!name.empty()) return name;
    return fmt::format("dolmen-{}", std::chrono::system_clock::to_time_t(context_.now()));
  }

  std::string region(const Profile& profile) {
    for (const char* name : {"AWS_REGION", "AWS_DEFAULT_REGION"})
      if (std::string found = context_.environment(name); !found.empty()) return found;
    return setting(profile, "region");
  }

  const ProfileFiles& files_;
  const SourceContext& context_;
  std::vector<std::string> visited_;
};

}  // namespace

Found profile_credentials(const ProfileFiles& files, const std::string& name, const SourceContext& context) {
  return Resolver(files, context).resolve(name);
}

}  // namespace dolmen
