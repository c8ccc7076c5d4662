#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "access/signed_request.h"
#include "dolmen/error.h"

namespace dolmen::access {

/// What a request says about who signed it, in its Authorization header or in its query string.
struct Claim {
  std::string algorithm;
  std::string credential;
  std::string signed_headers;
  std::string signature;
  std::string date;           ///< 20150830T123600Z, unless it is in another form; empty when there is none
  std::string expires;        ///< of a signature in the query string: seconds from `date`
  std::string session_token;  ///< of temporary credentials
  bool in_query = false;
};

/// Nothing when the request is not signed. Fails with kMissingAuthentication for a scheme other than AWS's, and with
/// kIncompleteSignature or kInvalidSignature when the form of the signature is wrong.
Result<std::optional<Claim>> read_claim(const SignedRequest& request);

}  // namespace dolmen::access
