#pragma once

#include <chrono>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

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
  std::vector<std::pair<std::string, std::string>> headers;
  std::string_view body;
  std::string_view region;
  std::string_view service = "dynamodb";
  std::chrono::system_clock::time_point time;
};

/// A time in the form of the header x-amz-date: 20150830T123600Z.
std::string amz_date(std::chrono::system_clock::time_point time);

/// The value of the header Authorization.
std::string authorization(const SigningKey& key, const SignatureInput& input);

}  // namespace dolmen
