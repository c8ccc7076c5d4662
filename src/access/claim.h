#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "access/signed_request.h"
#include "dolmen/error.h"

namespace dolmen::access {

/// What a request says about who signed it, in its Authorization header or in its query string. Views into the request,
/// or into `decoded`.
struct Claim {
  std::string_view algorithm;
  std::string_view credential;
  std::string_view signed_headers;
  std::string_view signature;
  std::string_view date;           ///< 20150830T123600Z, unless it is in another form; empty when there is none
  std::string_view expires;        ///< of a signature in the query string: seconds from `date`
  std::string_view session_token;  ///< of temporary credentials
  bool in_query = false;
  /// The parameters of a query string, which are encoded in the request.
  std::vector<std::string> decoded = {};

  Claim() = default;
  Claim(Claim&&) = default;
  Claim& operator=(Claim&&) = default;
};

/// Nothing when the request is not signed. Fails with kMissingAuthentication for a scheme other than AWS's, and with
/// kIncompleteSignature or kInvalidSignature when the form of the signature is wrong.
Result<std::optional<Claim>> read_claim(const SignedRequest& request);

}  // namespace dolmen::access
