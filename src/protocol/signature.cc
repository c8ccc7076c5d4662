#include "protocol/signature.h"

#include <algorithm>
#include <ctime>
#include <fmt/format.h>

namespace dolmen {

std::string amz_date(std::chrono::system_clock::time_point time) {
  const std::time_t seconds = std::chrono::system_clock::to_time_t(time);
  std::tm utc{};
  gmtime_r(&seconds, &utc);
  return fmt::format("{:04}{:02}{:02}T{:02}{:02}{:02}Z", utc.tm_year + 1900, utc.tm_mon + 1, utc.tm_mday, utc.tm_hour,
                     utc.tm_min, utc.tm_sec);
}

std::string SignatureScope::text() const {
  std::string text;
  text.reserve(day.size() + region.size() + service.size() + kScopeTerminator.size() + 3);
  for (const std::string_view part : {day, region, service}) text.append(part).push_back('/');
  return text.append(kScopeTerminator);
}

Digest signing_key(std::string_view secret_access_key, const SignatureScope& scope) {
  const Digest day_key = hmac_sha256(fmt::format("AWS4{}", secret_access_key), scope.day);
  const Digest region_key = hmac_sha256(day_key, scope.region);
  const Digest service_key = hmac_sha256(region_key, scope.service);
  return hmac_sha256(service_key, kScopeTerminator);
}

std::string string_to_sign(std::string_view date, std::string_view scope, std::string_view canonical_request) {
  constexpr std::size_t kBytes = 192;
  std::string text;
  text.reserve(kBytes);
  for (const std::string_view line : {kSignatureAlgorithm, date, scope}) text.append(line).push_back('\n');
  const HexDigest digest = hex_digest(sha256(canonical_request));
  return text.append(digest.data(), digest.size());
}

std::string authorization(const SigningKey& key, const SignatureInput& input) {
  auto headers = input.headers;
  std::ranges::sort(headers);
  std::string canonical_headers;
  std::string signed_names;
  for (const auto& [name, value] : headers) {
    fmt::format_to(std::back_inserter(canonical_headers), "{}:{}\n", name, value);
    if (!signed_names.empty()) signed_names.push_back(';');
    signed_names.append(name);
  }
  const std::string canonical_request = fmt::format("{}\n{}\n{}\n{}\n{}\n{}", input.method, input.path, input.query,
                                                    canonical_headers, signed_names, hex_sha256(input.body));

  const std::string date = amz_date(input.time);
  const SignatureScope scope{
      .day = std::string_view(date).substr(0, 8), .region = input.region, .service = input.service};
  const std::string scope_text = scope.text();
  const Digest signature =
      hmac_sha256(signing_key(key.secret_access_key, scope), string_to_sign(date, scope_text, canonical_request));
  return fmt::format("{} Credential={}/{}, SignedHeaders={}, Signature={}", kSignatureAlgorithm, key.access_key_id,
                     scope_text, signed_names, hex(signature));
}

}  // namespace dolmen
