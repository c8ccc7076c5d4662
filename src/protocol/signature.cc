#include "protocol/signature.h"

#include <algorithm>
#include <array>
#include <ctime>
#include <fmt/format.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>

#include "base/check.h"
#include "protocol/digest.h"

namespace dolmen {
namespace {

constexpr std::string_view kAlgorithm = "AWS4-HMAC-SHA256";
constexpr std::size_t kDigestBytes = 32;
using Digest = std::array<unsigned char, kDigestBytes>;

template <class Key>
Digest hmac(const Key& key, std::string_view message) {
  Digest digest;
  const auto* bytes = reinterpret_cast<const unsigned char*>(message.data());
  const unsigned char* done =
      HMAC(EVP_sha256(), key.data(), static_cast<int>(key.size()), bytes, message.size(), digest.data(), nullptr);
  DOLMEN_CHECK(done != nullptr, "HMAC-SHA-256 is available");
  return digest;
}

}  // namespace

std::string amz_date(std::chrono::system_clock::time_point time) {
  const std::time_t seconds = std::chrono::system_clock::to_time_t(time);
  std::tm utc{};
  gmtime_r(&seconds, &utc);
  return fmt::format("{:04}{:02}{:02}T{:02}{:02}{:02}Z", utc.tm_year + 1900, utc.tm_mon + 1, utc.tm_mday, utc.tm_hour,
                     utc.tm_min, utc.tm_sec);
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
  const std::string canonical_request = fmt::format("{}\n{}\n\n{}\n{}\n{}", input.method, input.path, canonical_headers,
                                                    signed_names, hex_sha256(input.body));

  const std::string date = amz_date(input.time);
  const std::string_view day = std::string_view(date).substr(0, 8);
  const std::string scope = fmt::format("{}/{}/{}/aws4_request", day, input.region, input.service);
  const std::string to_sign = fmt::format("{}\n{}\n{}\n{}", kAlgorithm, date, scope, hex_sha256(canonical_request));

  const Digest day_key = hmac("AWS4" + key.secret_access_key, day);
  const Digest region_key = hmac(day_key, input.region);
  const Digest service_key = hmac(region_key, input.service);
  const Digest signing_key = hmac(service_key, "aws4_request");
  return fmt::format("{} Credential={}/{}, SignedHeaders={}, Signature={}", kAlgorithm, key.access_key_id, scope,
                     signed_names, hex(hmac(signing_key, to_sign)));
}

}  // namespace dolmen
