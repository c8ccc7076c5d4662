#include "credentials/credential_json.h"

#include <algorithm>
#include <simdjson.h>
#include <string>

#include "base/fail.h"
#include "dolmen/timestamp.h"

namespace dolmen {

std::optional<std::chrono::system_clock::time_point> expiry_of(std::string_view text) {
  using Clock = std::chrono::system_clock;
  const Result<Timestamp> time = parse_timestamp(text);
  if (!time) return std::nullopt;
  constexpr auto kFirst = std::chrono::ceil<std::chrono::seconds>(Clock::duration::min());
  constexpr auto kLast = std::chrono::floor<std::chrono::seconds>(Clock::duration::max());
  return Clock::time_point(std::clamp(std::chrono::seconds(time->seconds), kFirst, kLast));
}

Result<AwsCredentials> read_credential_json(std::string_view json, std::string_view source) {
  simdjson::dom::parser parser;
  simdjson::dom::object object;
  if (parser.parse(json.data(), json.size()).get(object) != simdjson::SUCCESS)
    return fail(Code::kCredentials, "{}: the response is not a JSON object", source);
  const auto member = [&](std::string_view name) {
    std::string_view text;
    return object.at_key(name).get(text) == simdjson::SUCCESS ? std::string(text) : std::string();
  };
  AwsCredentials credentials{.access_key_id = member("AccessKeyId"),
                             .secret_access_key = member("SecretAccessKey"),
                             .session_token = member("SessionToken")};
  if (credentials.session_token.empty()) credentials.session_token = member("Token");
  if (credentials.access_key_id.empty() || credentials.secret_access_key.empty())
    return fail(Code::kCredentials, "{}: the response has no AccessKeyId or SecretAccessKey", source);
  if (const std::string expiration = member("Expiration"); !expiration.empty()) {
    credentials.expires = expiry_of(expiration);
    if (!credentials.expires) return fail(Code::kCredentials, "{}: \"{}\" is not a time", source, expiration);
  }
  return credentials;
}

}  // namespace dolmen
