#include "credentials/credential_chain.h"

#include <fmt/ranges.h>
#include <vector>

#include "base/fail.h"
#include "credentials/profile_source.h"
#include "credentials/sources.h"

namespace dolmen {

std::optional<AwsCredentials> environment_credentials(const Environment& environment) {
  AwsCredentials found{.access_key_id = environment("AWS_ACCESS_KEY_ID"),
                       .secret_access_key = environment("AWS_SECRET_ACCESS_KEY"),
                       .session_token = environment("AWS_SESSION_TOKEN")};
  if (found.access_key_id.empty() || found.secret_access_key.empty()) return std::nullopt;
  return found;
}

namespace {

using Found = Result<std::optional<AwsCredentials>>;

/// Letters only: AWS's DynamoDB Local accepts no other characters.
const AwsCredentials kPlaceholders{.access_key_id = "dolmen", .secret_access_key = "dolmen"};

/// AWS_WEB_IDENTITY_TOKEN_FILE and AWS_ROLE_ARN, as Kubernetes sets them.
Found web_identity_credentials(const SourceContext& context) {
  const Environment& environment = context.environment;
  const std::string token_file = environment("AWS_WEB_IDENTITY_TOKEN_FILE");
  if (token_file.empty()) return std::nullopt;
  Role role{.arn = environment("AWS_ROLE_ARN"),
            .session_name = environment("AWS_ROLE_SESSION_NAME"),
            .region = configured_region(environment, "")};
  if (role.arn.empty()) return fail(Code::kCredentials, "AWS_WEB_IDENTITY_TOKEN_FILE is set, but not AWS_ROLE_ARN");
  if (role.session_name.empty())
    role.session_name = fmt::format("dolmen-{}", std::chrono::system_clock::to_time_t(context.now()));
  DOLMEN_TRY(AwsCredentials credentials, assume_role_with_token(role, token_file, context));
  return credentials;
}

/// One search of all places, with a note on each that has no credentials.
class Search {
 public:
  Search(const CredentialChainOptions& options, const SourceContext& context) : options_(options), context_(context) {}

  Result<AwsCredentials> run() {
    // A profile that the program names takes precedence over the environment.
    if (options_.profile.empty()) {
      if (auto found = environment_credentials(context_.environment)) return std::move(*found);
      tried_.emplace_back("the environment (AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY are not both set)");
      if (Found found = web_identity_credentials(context_); !found || *found) return taken(std::move(found));
      tried_.emplace_back("a web identity (AWS_WEB_IDENTITY_TOKEN_FILE is not set)");
    }
    if (Found found = of_profile(); !found || *found) return taken(std::move(found));
    if (options_.placeholders) return kPlaceholders;
    if (Found found = container_credentials(context_); !found || *found) return taken(std::move(found));
    tried_.emplace_back("a container (AWS_CONTAINER_CREDENTIALS_RELATIVE_URI and _FULL_URI are not set)");
    // Only a request shows whether there is a metadata service.
    Found found = instance_credentials(context_);
    if (found && *found) return taken(std::move(found));
    tried_.push_back(found ? "an EC2 instance (AWS_EC2_METADATA_DISABLED is true)"
                           : fmt::format("an EC2 instance ({})", found.error().message()));
    return fail(Code::kCredentials, "found no AWS credentials; tried: {}", fmt::join(tried_, "; "));
  }

 private:
  Found of_profile() {
    const std::string name = profile_name(context_.environment, options_.profile);
    const ProfileFiles files = ProfileFiles::read(context_.environment);
    const bool asked_for = !options_.profile.empty() || !context_.environment("AWS_PROFILE").empty();
    if (asked_for && files.find(name) == nullptr)
      return fail(Code::kCredentials, "the profile {} does not exist in {}", name, files.places());
    Found found = profile_credentials(files, name, context_);
    if (found && !*found) tried_.push_back(fmt::format("the profile {} of {}", name, files.places()));
    return found;
  }

  static Result<AwsCredentials> taken(Found found) {
    if (!found) return std::unexpected(std::move(found).error());
    return std::move(**found);
  }

  const CredentialChainOptions& options_;
  const SourceContext& context_;
  std::vector<std::string> tried_;
};

}  // namespace

CredentialCache::Fetch credential_chain(CredentialChainOptions options, http::Client& client) {
  return [options = std::move(options), &client](const std::stop_token& stop) -> Result<AwsCredentials> {
    const SourceContext context{options.environment, client, options.now, stop};
    return Search(options, context).run();
  };
}

std::function<CredentialCache::Fetch(http::Client&)> given_or_found(std::optional<AwsCredentials> given,
                                                                    CredentialChainOptions chain) {
  if (given)
    return [given = std::move(*given)](http::Client&) -> CredentialCache::Fetch {
      return [given](const std::stop_token&) -> Result<AwsCredentials> { return given; };
    };
  return [chain = std::move(chain)](http::Client& client) { return credential_chain(chain, client); };
}

std::string configured_region(const Environment& environment, const std::string& profile) {
  for (const char* name : {"AWS_REGION", "AWS_DEFAULT_REGION"})
    if (std::string region = environment(name); !region.empty()) return region;
  const ProfileFiles files = ProfileFiles::read(environment);
  const Profile* settings = files.find(profile_name(environment, profile));
  return settings == nullptr ? "" : setting(*settings, "region");
}

}  // namespace dolmen
