#pragma once

#include "dolmen/error.h"
#include "wire/http.h"

namespace dolmen::wire {

/// What DynamoDB asks of a request before it looks at who signed it: that there is a signature, in the Authorization
/// header or in the query string, with all its parts. Whether the signature is right is not looked at. Fails with
/// kMissingAuthentication, kIncompleteSignature or kInvalidSignature.
Result<void> check_authorization(const HttpRequest& request);

}  // namespace dolmen::wire
