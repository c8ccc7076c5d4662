#pragma once

#include <chrono>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "protocol/digest.h"

/// AWS Signature Version 4.
namespace dolmen {

struct SigningKey {
  std::string access_key_id;
  std::string secret_access_key;
};

/// The parts of a request that a signature covers. The headers must include "host" and "x-amz-date" with
/// `amz_date(time)`; names are in lower case and values have no spaces at either end. The URL has no query.
struct SignatureInput {
  std::string_view method = "POST";
  std::string_view path = "/";
  /// Names and values as they are sent, encoded, in the order of the names.
  std::string_view query = {};
  std::vector<std::pair<std::string, std::string>> headers;
  std::string_view body;
  std::string_view region;
  std::string_view service = "dynamodb";
  std::chrono::system_clock::time_point time;
};

/// A time in the form of the header x-amz-date: 20150830T123600Z.
std::string amz_date(std::chrono::system_clock::time_point time);

inline constexpr std::string_view kSignatureAlgorithm = "AWS4-HMAC-SHA256";
inline constexpr std::string_view kScopeTerminator = "aws4_request";

/// What a secret key may sign: the requests of a day, to a service in a region.
struct SignatureScope {
  std::string_view day;  ///< 20150830
  std::string_view region;
  std::string_view service;

  /// 20150830/us-east-1/dynamodb/aws4_request
  [[nodiscard]] std::string text() const;
};

/// The key that signs within a scope. Making it costs four times as much as using it.
Digest signing_key(std::string_view secret_access_key, const SignatureScope& scope);
/// What is signed: the algorithm, the date and scope, and the digest of the request.
std::string string_to_sign(std::string_view date, std::string_view scope, std::string_view canonical_request);

/// The value of the header Authorization.
std::string authorization(const SigningKey& key, const SignatureInput& input);

}  // namespace dolmen
