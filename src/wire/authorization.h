#pragma once

#include "dolmen/error.h"
#include "wire/http.h"

namespace dolmen::wire {

/// A request that is signed, in the Authorization header or in the query string, must be signed in full; one that is
/// not is taken, since there are no credentials to check against. Whether a signature is right is not looked at. Fails
/// with kMissingAuthentication for another scheme than that of AWS, kIncompleteSignature or kInvalidSignature.
Result<void> check_authorization(const HttpRequest& request);

}  // namespace dolmen::wire
