#include "access/authenticator.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <fmt/format.h>
#include <openssl/crypto.h>
#include <optional>

#include "base/ascii.h"
#include "base/fail.h"

namespace dolmen::access {
namespace {

using std::chrono::seconds;
using Moment = std::chrono::sys_seconds;

constexpr std::string_view kService = "dynamodb";
/// How far the client's clock may be from the server's.
constexpr std::chrono::minutes kSkewMax{5};
/// How long a signature in a query string may last.
constexpr seconds kExpiresMax = std::chrono::days(7);

std::unexpected<Error> invalid(std::string message) {
  return std::unexpected(Error(Code::kInvalidSignature, std::move(message)));
}

template <class T>
bool read_digits(std::string_view text, T& value) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return !text.empty() && std::ranges::all_of(text, is_digit) && error == std::errc() &&
         end == text.data() + text.size();
}

std::optional<Moment> moment_of(int year, unsigned month, unsigned day, std::string_view hour, std::string_view minute,
                                std::string_view second) {
  const std::chrono::year_month_day date{std::chrono::year(year), std::chrono::month(month), std::chrono::day(day)};
  int h = 0;
  int m = 0;
  int s = 0;
  const bool read = read_digits(hour, h) && read_digits(minute, m) && read_digits(second, s);
  constexpr int kHours = 24;
  constexpr int kSixty = 60;
  if (!read || !date.ok() || h >= kHours || m >= kSixty || s >= kSixty) return std::nullopt;
  return std::chrono::sys_days(date) + std::chrono::hours(h) + std::chrono::minutes(m) + seconds(s);
}

/// 20150830T123600Z
std::optional<Moment> parse_basic(std::string_view text) {
  constexpr std::string_view kForm = "20150830T123600Z";
  if (text.size() != kForm.size() || text[8] != 'T' || text[15] != 'Z') return std::nullopt;
  int year = 0;
  unsigned month = 0;
  unsigned day = 0;
  if (!read_digits(text.substr(0, 4), year) || !read_digits(text.substr(4, 2), month) ||
      !read_digits(text.substr(6, 2), day))
    return std::nullopt;
  return moment_of(year, month, day, text.substr(9, 2), text.substr(11, 2), text.substr(13, 2));
}

/// Sun, 30 Aug 2015 12:36:00 GMT, as the header Date has it.
std::optional<Moment> parse_http_date(std::string_view text) {
  constexpr std::string_view kForm = "Sun, 30 Aug 2015 12:36:00 GMT";
  constexpr std::string_view kMonths = "JanFebMarAprMayJunJulAugSepOctNovDec";
  if (text.size() != kForm.size() || !text.ends_with(" GMT") || text[19] != ':' || text[22] != ':') return std::nullopt;
  const std::size_t month_at = kMonths.find(text.substr(8, 3));
  int year = 0;
  unsigned day = 0;
  if (month_at == std::string_view::npos || month_at % 3 != 0 || !read_digits(text.substr(12, 4), year) ||
      !read_digits(text.substr(5, 2), day))
    return std::nullopt;
  const unsigned month = static_cast<unsigned>(month_at / 3) + 1;
  return moment_of(year, month, day, text.substr(17, 2), text.substr(20, 2), text.substr(23, 2));
}

/// The time of the signature in both forms.
struct SignedAt {
  Moment moment;
  std::string text;
};

Result<SignedAt> read_date(const Claim& claim) {
  if (const std::optional<Moment> basic = parse_basic(claim.date)) return SignedAt{*basic, std::string(claim.date)};
  const std::optional<Moment> moment = parse_http_date(claim.date);
  if (!moment)
    return fail(Code::kIncompleteSignature,
                "Date must be in ISO-8601 'basic format'. Got '{}'. See http://en.wikipedia.org/wiki/ISO_8601",
                claim.date);
  return SignedAt{*moment, amz_date(*moment)};
}

Result<void> check_time(const Claim& claim, const SignedAt& at, Moment now) {
  seconds lasts = kSkewMax;
  if (!claim.expires.empty()) {
    std::int64_t expires = 0;
    if (!read_digits(claim.expires, expires) || expires < 1 || seconds(expires) > kExpiresMax)
      return invalid(fmt::format("X-Amz-Expires must be a number between 1 and {}, not '{}'.", kExpiresMax.count(),
                                 claim.expires));
    lasts = seconds(expires);
  }
  // A presigned request says itself how long it lasts; everything else must be fresh.
  if (at.moment + lasts < now)
    return invalid(
        claim.expires.empty()
            ? fmt::format("Signature expired: {} is now earlier than {} ({} - {} min.)", at.text,
                          amz_date(now - kSkewMax), amz_date(now), kSkewMax.count())
            : fmt::format("Signature expired: {} is now earlier than {}", amz_date(at.moment + lasts), amz_date(now)));
  if (at.moment > now + kSkewMax)
    return invalid(fmt::format("Signature not yet current: {} is still later than {} ({} + {} min.)", at.text,
                               amz_date(now + kSkewMax), amz_date(now), kSkewMax.count()));
  return {};
}

Result<void> check_host_is_signed(std::string_view signed_headers) {
  while (!signed_headers.empty()) {
    const std::size_t end = std::min(signed_headers.find(';'), signed_headers.size());
    if (equals_ignoring_case(signed_headers.substr(0, end), "host")) return {};
    signed_headers.remove_prefix(std::min(end + 1, signed_headers.size()));
  }
  return invalid("'Host' or ':authority' must be a 'SignedHeader' in the AWS Authorization.");
}

/// keyid/date/region/service/terminator
struct Credential {
  std::string_view key_id;
  SignatureScope scope;
  std::string_view terminator;
};

Result<Credential> read_credential(std::string_view text) {
  std::string_view rest = text;
  while (rest.ends_with('/')) rest.remove_suffix(1);
  std::array<std::string_view, 5> parts;
  std::size_t count = 0;
  for (std::size_t slash = 0; slash != std::string_view::npos; ++count) {
    slash = rest.find('/');
    if (count < parts.size()) parts[count] = rest.substr(0, slash);
    if (slash != std::string_view::npos) rest.remove_prefix(slash + 1);
  }
  if (count != parts.size())
    return fail(
        Code::kIncompleteSignature,
        "Credential must have exactly 5 slash-delimited elements, e.g. keyid/date/region/service/term, got '{}'", text);
  return Credential{parts[0], {.day = parts[1], .region = parts[2], .service = parts[3]}, parts[4]};
}

Result<void> check_scope(const Credential& credential, const SignedAt& at, std::string_view region) {
  const SignatureScope& scope = credential.scope;
  std::string problems;
  if (scope.region != region) problems.append("Credential should be scoped to a valid region. ");
  if (scope.service != kService)
    problems.append(fmt::format("Credential should be scoped to correct service: '{}'. ", kService));
  if (credential.terminator != kScopeTerminator)
    problems.append(fmt::format("Credential should be scoped with a valid terminator: '{}', not '{}'. ",
                                kScopeTerminator, credential.terminator));
  const std::string_view day = std::string_view(at.text).substr(0, 8);
  if (scope.day != day)
    problems.append(
        fmt::format("Date in Credential scope does not match YYYYMMDD from ISO-8601 version of date from "
                    "HTTP: '{}' != '{}', from '{}'. ",
                    scope.day, day, at.text));
  if (problems.empty()) return {};
  return invalid(std::move(problems));
}

bool equals_in_constant_time(std::string_view a, std::string_view b) {
  return a.size() == b.size() && CRYPTO_memcmp(a.data(), b.data(), a.size()) == 0;
}

Result<void> check_key(const KnownKey* known, const Claim& claim, Moment now) {
  constexpr std::string_view kUnrecognized = "The security token included in the request is invalid";
  if (known == nullptr) return fail(Code::kUnrecognizedClient, "{}.", kUnrecognized);
  if (!equals_in_constant_time(known->key().session_token, claim.session_token))
    return fail(Code::kUnrecognizedClient, "{}", kUnrecognized);
  const std::optional<Timestamp>& expires = known->key().expires;
  if (expires && expires->seconds <= now.time_since_epoch().count())
    return fail(Code::kExpiredToken, "The security token included in the request is expired");
  return {};
}

/// The strings help whoever signed to find out what differs, and hold no secret.
std::unexpected<Error> mismatch(std::string_view canonical, std::string_view to_sign) {
  return invalid(fmt::format(
      "The request signature we calculated does not match the signature you provided. Check your AWS Secret Access Key "
      "and signing method. Consult the service documentation for details.\n\nThe Canonical String for this request "
      "should have been\n'{}'\n\nThe String-to-Sign should have been\n'{}'\n",
      canonical, to_sign));
}

Result<void> check_signature(const SignedRequest& request, const Claim& claim, const SignedAt& at,
                             const SignatureScope& scope, const KnownKey& known) {
  const std::optional<std::string> canonical = canonical_request(request, claim.signed_headers);
  if (!canonical) return invalid("The query string of the request cannot be decoded.");
  const std::string scope_text = scope.text();
  const std::string to_sign = string_to_sign(at.text, scope_text, *canonical);
  const HexDigest signature = hex_digest(known.sign(scope, scope_text, to_sign));
  if (equals_in_constant_time({signature.data(), signature.size()}, claim.signature)) return {};
  return mismatch(*canonical, to_sign);
}

}  // namespace

Result<std::shared_ptr<const KnownKey>> Authenticator::authenticate(const SignedRequest& request) const {
  DOLMEN_TRY(const std::optional<Claim> claim, read_claim(request));
  if (!claim) return fail(Code::kMissingAuthentication, "Request is missing Authentication Token");
  DOLMEN_TRY(const SignedAt at, read_date(*claim));
  const Moment now = std::chrono::floor<seconds>(options_.clock->now());
  DOLMEN_TRY_VOID(check_time(*claim, at, now));
  DOLMEN_TRY_VOID(check_host_is_signed(claim->signed_headers));
  if (claim->algorithm != kSignatureAlgorithm)
    return fail(Code::kIncompleteSignature, "Unsupported AWS 'algorithm': '{}' (only {} for now). ", claim->algorithm,
                kSignatureAlgorithm);
  DOLMEN_TRY(const Credential credential, read_credential(claim->credential));
  DOLMEN_TRY_VOID(check_scope(credential, at, options_.region));
  std::shared_ptr<const KnownKey> known = keys_.find(credential.key_id);
  DOLMEN_TRY_VOID(check_key(known.get(), *claim, now));
  DOLMEN_TRY_VOID(check_signature(request, *claim, at, credential.scope, *known));
  return known;
}

}  // namespace dolmen::access
