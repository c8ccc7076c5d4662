#pragma once

#include "dolmen/error.h"
#include "wire/http.h"

namespace dolmen::wire {

/// Checks the form of a signature, in the Authorization header or in the query string: it must be complete. Accepts
/// unsigned requests and does not verify signatures, because the server has no credentials to check against. Fails with
/// kMissingAuthentication for a scheme other than AWS's, kIncompleteSignature or kInvalidSignature.
Result<void> check_authorization(const HttpRequest& request);

}  // namespace dolmen::wire
