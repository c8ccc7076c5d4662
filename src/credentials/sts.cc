// Temporary credentials from AWS's Security Token Service.
#include <fmt/format.h>
#include <fstream>
#include <iterator>

#include "base/fail.h"
#include "base/percent_encoding.h"
#include "credentials/credential_json.h"
#include "credentials/signed_request.h"
#include "credentials/sources.h"
#include "protocol/xml_element.h"

namespace dolmen {
namespace {

std::string endpoint_of(const Environment& environment, const std::string& region) {
  for (const char* name : {"AWS_ENDPOINT_URL_STS", "AWS_ENDPOINT_URL"})
    if (std::string url = environment(name); !url.empty()) return url.ends_with('/') ? url : url + '/';
  if (region.empty()) return "https://sts.amazonaws.com/";
  return fmt::format("https://sts.{}.amazonaws.com{}/", region, region.starts_with("cn-") ? ".cn" : "");
}

std::string authority_of(std::string_view url) {
  url.remove_prefix(url.find("://") + 3);
  return std::string(url.substr(0, url.find('/')));
}

std::string body_of(std::string_view action, const Role& role) {
  std::string body = fmt::format("Action={}&Version=2011-06-15&RoleArn={}&RoleSessionName={}", action,
                                 percent_encoded(role.arn), percent_encoded(role.session_name));
  if (!role.external_id.empty()) body.append("&ExternalId=").append(percent_encoded(role.external_id));
  if (!role.duration_seconds.empty()) body.append("&DurationSeconds=").append(percent_encoded(role.duration_seconds));
  return body;
}

Result<AwsCredentials> ask(const Role& role, std::string body, const AwsCredentials* as, const SourceContext& context) {
  http::Request request{.url = endpoint_of(context.environment, role.region), .body = std::move(body)};
  SignatureInput input{.body = request.body,
                       .region = role.region.empty() ? "us-east-1" : std::string_view(role.region),
                       .service = "sts",
                       .time = context.now()};
  input.headers = {{"content-type", "application/x-www-form-urlencoded; charset=utf-8"},
                   {"host", authority_of(request.url)}};
  if (as != nullptr)
    sign(request, std::move(input), *as);
  else
    add_headers(request, input);

  const http::Outcome outcome = context.client.send_and_wait(std::move(request));
  if (!outcome) return fail(Code::kCredentials, "the role {}: {}", role.arn, outcome.error().error.message());
  const std::string& xml = outcome->body;
  if (outcome->status != 200)
    return fail(Code::kCredentials, "the role {}: STS answered {} {}: {}", role.arn, outcome->status,
                xml_element(xml, "Code"), xml_element(xml, "Message"));
  AwsCredentials credentials{.access_key_id = xml_element(xml, "AccessKeyId"),
                             .secret_access_key = xml_element(xml, "SecretAccessKey"),
                             .session_token = xml_element(xml, "SessionToken"),
                             .expires = expiry_of(xml_element(xml, "Expiration"))};
  if (credentials.access_key_id.empty() || credentials.secret_access_key.empty() || !credentials.expires)
    return fail(Code::kCredentials, "the role {}: the response of STS holds no credentials", role.arn);
  return credentials;
}

}  // namespace

Result<AwsCredentials> assume_role(const Role& role, const AwsCredentials& as, const SourceContext& context) {
  return ask(role, body_of("AssumeRole", role), &as, context);
}

Result<AwsCredentials> assume_role_with_token(const Role& role, const std::string& token_file,
                                              const SourceContext& context) {
  std::ifstream file(token_file, std::ios::binary);
  std::string token{std::istreambuf_iterator<char>(file), {}};
  while (!token.empty() && token.back() == '\n') token.pop_back();
  if (token.empty()) return fail(Code::kCredentials, "the role {}: the file {} holds no token", role.arn, token_file);
  const std::string body = body_of("AssumeRoleWithWebIdentity", role) + "&WebIdentityToken=" + percent_encoded(token);
  return ask(role, body, nullptr, context);
}

}  // namespace dolmen
