#include "credentials/signed_request.h"

namespace dolmen {

void add_headers(http::Request& request, const SignatureInput& input) {
  for (const auto& [name, value] : input.headers) request.headers.push_back({name, value});
}

void sign(http::Request& request, SignatureInput input, const AwsCredentials& credentials) {
  input.headers.emplace_back("x-amz-date", amz_date(input.time));
  if (!credentials.session_token.empty()) input.headers.emplace_back("x-amz-security-token", credentials.session_token);
  add_headers(request, input);
  request.headers.push_back(
      {"authorization", authorization({credentials.access_key_id, credentials.secret_access_key}, input)});
}

}  // namespace dolmen
