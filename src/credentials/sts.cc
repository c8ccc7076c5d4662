// Temporary credentials from AWS's Security Token Service.
#include <fmt/format.h>
#include <fstream>
#include <iterator>

#include "base/fail.h"
#include "credentials/credential_json.h"
#include "credentials/sources.h"
#include "protocol/signature.h"

namespace dolmen {
namespace {

std::string form_encoded(std::string_view text) {
  constexpr std::string_view kPlain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.~";
  std::string out;
  for (const char c : text)
    if (kPlain.contains(c))
      out.push_back(c);
    else
      fmt::format_to(std::back_inserter(out), "%{:02X}", static_cast<unsigned char>(c));
  return out;
}

/// The content of the first element of that name. STS answers with XML that has neither attributes nor CDATA there.
std::string element(std::string_view xml, std::string_view name) {
  const std::string open = fmt::format("<{}>", name);
  const std::size_t begin = xml.find(open);
  const std::size_t end = xml.find(fmt::format("</{}>", name));
  if (begin == std::string_view::npos || end == std::string_view::npos || end < begin + open.size()) return {};
  return std::string(xml.substr(begin + open.size(), end - begin - open.size()));
}

std::string endpoint_of(const Environment& environment, const std::string& region) {
  for (const char* name : {"AWS_ENDPOINT_URL_STS", "AWS_ENDPOINT_URL"})
    if (std::string url = environment(name); !url.empty()) return url.ends_with('/') ? url : url + '/';
  if (region.empty()) return "https://sts.amazonaws.com/";
  return fmt::format("https://sts.{}.amazonaws.com{}/", region, region.starts_with("cn-") ? ".cn" : "");
}

std::string host_of(std::string_view url) {
  url.remove_prefix(url.find("://") + 3);
  return std::string(url.substr(0, url.find('/')));
}

std::string body_of(std::string_view action, const Role& role) {
  std::string body = fmt::format("Action={}&Version=2011-06-15&RoleArn={}&RoleSessionName={}", action,
                                 form_encoded(role.arn), form_encoded(role.session_name));
  if (!role.external_id.empty()) body.append("&ExternalId=").append(form_encoded(role.external_id));
  if (!role.duration_seconds.empty()) body.append("&DurationSeconds=").append(form_encoded(role.duration_seconds));
  return body;
}

Result<AwsCredentials> ask(const Role& role, std::string body, const AwsCredentials* as, const SourceContext& context) {
  http::Request request{.url = endpoint_of(context.environment, role.region), .body = std::move(body)};
  SignatureInput input{.body = request.body,
                       .region = role.region.empty() ? "us-east-1" : std::string_view(role.region),
                       .service = "sts",
                       .time = context.now()};
  input.headers = {{"content-type", "application/x-www-form-urlencoded; charset=utf-8"},
                   {"host", host_of(request.url)},
                   {"x-amz-date", amz_date(input.time)}};
  if (as != nullptr && !as->session_token.empty())
    input.headers.emplace_back("x-amz-security-token", as->session_token);
  for (const auto& [name, value] : input.headers) request.headers.push_back({name, value});
  if (as != nullptr)
    request.headers.push_back({"authorization", authorization({as->access_key_id, as->secret_access_key}, input)});

  const http::Outcome outcome = context.client.send_and_wait(std::move(request));
  if (!outcome) return fail(Code::kCredentials, "the role {}: {}", role.arn, outcome.error().error.message());
  const std::string& xml = outcome->body;
  if (outcome->status != 200)
    return fail(Code::kCredentials, "the role {}: STS answers {} {}: {}", role.arn, outcome->status,
                element(xml, "Code"), element(xml, "Message"));
  AwsCredentials credentials{.access_key_id = element(xml, "AccessKeyId"),
                             .secret_access_key = element(xml, "SecretAccessKey"),
                             .session_token = element(xml, "SessionToken"),
                             .expires = parse_utc_time(element(xml, "Expiration"))};
  if (credentials.access_key_id.empty() || credentials.secret_access_key.empty() || !credentials.expires)
    return fail(Code::kCredentials, "the role {}: the answer of STS holds no credentials", role.arn);
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
  if (token.empty()) return fail(Code::kCredentials, "the role {}: there is no token in {}", role.arn, token_file);
  const std::string body = body_of("AssumeRoleWithWebIdentity", role) + "&WebIdentityToken=" + form_encoded(token);
  return ask(role, body, nullptr, context);
}

}  // namespace dolmen
