#include "credentials/credential_json.h"

#include <algorithm>
#include <cstdio>
#include <simdjson.h>
#include <string>

#include "base/fail.h"

namespace dolmen {

std::optional<std::chrono::system_clock::time_point> parse_utc_time(std::string_view text) {
  int year = 0;
  unsigned month = 0;
  unsigned day = 0;
  unsigned hour = 0;
  unsigned minute = 0;
  unsigned second = 0;
  int length = 0;
  const std::string copy(text);
  if (std::sscanf(copy.c_str(), "%4d-%2u-%2uT%2u:%2u:%2u%n", &year, &month, &day, &hour, &minute, &second, &length) !=
      6)
    return std::nullopt;
  std::string_view rest = text.substr(static_cast<std::size_t>(length));
  if (rest.starts_with('.')) rest.remove_prefix(std::min(rest.find_first_not_of("0123456789", 1), rest.size()));
  const std::chrono::year_month_day date{std::chrono::year(year), std::chrono::month(month), std::chrono::day(day)};
  if ((rest != "Z" && rest != "+00:00") || !date.ok() || hour > 23 || minute > 59 || second > 60) return std::nullopt;
  return std::chrono::sys_days(date) + std::chrono::hours(hour) + std::chrono::minutes(minute) +
         std::chrono::seconds(second);
}

Result<AwsCredentials> read_credential_json(std::string_view json, std::string_view source) {
  simdjson::dom::parser parser;
  simdjson::dom::object object;
  if (parser.parse(json.data(), json.size()).get(object) != simdjson::SUCCESS)
    return fail(Code::kCredentials, "{}: the answer is not a JSON object", source);
  const auto member = [&](std::string_view name) {
    std::string_view text;
    return object.at_key(name).get(text) == simdjson::SUCCESS ? std::string(text) : std::string();
  };
  AwsCredentials credentials{.access_key_id = member("AccessKeyId"),
                             .secret_access_key = member("SecretAccessKey"),
                             .session_token = member("SessionToken")};
  if (credentials.session_token.empty()) credentials.session_token = member("Token");
  if (credentials.access_key_id.empty() || credentials.secret_access_key.empty())
    return fail(Code::kCredentials, "{}: the answer has no AccessKeyId or SecretAccessKey", source);
  if (const std::string expiration = member("Expiration"); !expiration.empty()) {
    credentials.expires = parse_utc_time(expiration);
    if (!credentials.expires) return fail(Code::kCredentials, "{}: \"{}\" is not a time", source, expiration);
  }
  return credentials;
}

}  // namespace dolmen
