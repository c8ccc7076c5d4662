// Credentials from local metadata services: those of a container or of an EC2 instance.
#include <algorithm>
#include <fmt/format.h>
#include <fstream>
#include <iterator>

#include "base/fail.h"
#include "credentials/credential_json.h"
#include "credentials/sources.h"

namespace dolmen {
namespace {

using std::chrono_literals::operator""ms;

std::string first_line(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::string line;
  std::getline(file, line);
  return line;
}

std::string_view host_of(std::string_view url) {
  url.remove_prefix(std::min(url.find("://") + 3, url.size()));
  url = url.substr(0, url.find('/'));
  if (url.starts_with('[')) return url.substr(0, url.find(']') + 1);
  return url.substr(0, url.find(':'));
}

/// Secrets may pass unencrypted only on this machine, and to the addresses that AWS reserves for containers.
bool may_be_asked(std::string_view url) {
  if (url.starts_with("https://")) return true;
  const std::string_view host = host_of(url);
  return host == "localhost" || host.starts_with("127.") || host == "[::1]" || host == "169.254.170.2" ||
         host == "169.254.170.23" || host == "[fd00:ec2::23]";
}

Result<std::string> ask(http::Request request, const SourceContext& context) {
  request.use_proxy = false;
  constexpr std::size_t kAnswerBytesMax = 1 << 20;
  request.response_bytes_max = kAnswerBytesMax;
  const std::string url = request.url;
  http::Outcome outcome = context.client.send_and_wait(std::move(request));
  if (!outcome) return fail(Code::kCredentials, "{}", outcome.error().error.message());
  if (outcome->status != 200) return fail(Code::kCredentials, "{} answers {}", url, outcome->status);
  return std::move(outcome->body);
}

}  // namespace

Result<std::optional<AwsCredentials>> container_credentials(const SourceContext& context) {
  const Environment& environment = context.environment;
  const std::string relative = environment("AWS_CONTAINER_CREDENTIALS_RELATIVE_URI");
  const std::string url =
      relative.empty() ? environment("AWS_CONTAINER_CREDENTIALS_FULL_URI") : "http://169.254.170.2" + relative;
  if (url.empty()) return std::nullopt;
  if (!may_be_asked(url))
    return fail(Code::kCredentials,
                "AWS_CONTAINER_CREDENTIALS_FULL_URI is {}, which is neither encrypted nor on this machine", url);
  http::Request request{.method = "GET", .url = url, .connect_timeout = 1000ms, .timeout = 5000ms};
  const std::string token_file = environment("AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE");
  const std::string token =
      token_file.empty() ? environment("AWS_CONTAINER_AUTHORIZATION_TOKEN") : first_line(token_file);
  if (!token_file.empty() && token.empty())
    return fail(Code::kCredentials, "AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE: the file {} holds no token", token_file);
  if (!token.empty()) request.headers.push_back({"authorization", token});
  DOLMEN_TRY(const std::string json, ask(std::move(request), context));
  DOLMEN_TRY(AwsCredentials credentials, read_credential_json(json, url));
  return credentials;
}

Result<std::optional<AwsCredentials>> instance_credentials(const SourceContext& context) {
  const Environment& environment = context.environment;
  if (environment("AWS_EC2_METADATA_DISABLED") == "true") return std::nullopt;
  std::string base = environment("AWS_EC2_METADATA_SERVICE_ENDPOINT");
  if (base.empty())
    base = environment("AWS_EC2_METADATA_SERVICE_ENDPOINT_MODE") == "IPv6" ? "http://[fd00:ec2::254]"
                                                                           : "http://169.254.169.254";
  if (base.ends_with('/')) base.pop_back();
  const http::Request plain{.method = "GET", .connect_timeout = 1000ms, .timeout = 2000ms};

  http::Request for_token = plain;
  for_token.method = "PUT";
  for_token.url = base + "/latest/api/token";
  for_token.headers = {{"x-aws-ec2-metadata-token-ttl-seconds", "21600"}};
  DOLMEN_TRY(const std::string token, ask(std::move(for_token), context));

  http::Request for_role = plain;
  for_role.url = base + "/latest/meta-data/iam/security-credentials/";
  for_role.headers = {{"x-aws-ec2-metadata-token", token}};
  http::Request for_keys = for_role;
  DOLMEN_TRY(const std::string roles, ask(std::move(for_role), context));
  for_keys.url += roles.substr(0, roles.find('\n'));
  DOLMEN_TRY(const std::string json, ask(std::move(for_keys), context));
  DOLMEN_TRY(AwsCredentials credentials, read_credential_json(json, base));
  return credentials;
}

}  // namespace dolmen
