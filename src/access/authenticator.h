#pragma once

#include <memory>
#include <string>

#include "access/access_keys.h"
#include "access/claim.h"
#include "base/clock.h"
#include "dolmen/error.h"

namespace dolmen::access {

/// Verifies signatures (AWS Signature Version 4, in the header or in the query string). Thread-safe. A request is
/// checked in DynamoDB's order, and the first check that fails is the answer:
///
///   1. it is signed                                            kMissingAuthentication
///   2. the signature is complete, with a date                  kIncompleteSignature
///   3. the date can be read and is not too far from now        kIncompleteSignature, kInvalidSignature
///   4. the host is signed                                      kInvalidSignature
///   5. the algorithm and the form of the credential            kIncompleteSignature
///   6. the scope: region, service, terminator, day             kInvalidSignature
///   7. the key is known, has not expired, and its token fits   kUnrecognizedClient, kExpiredToken
///   8. the signature                                           kInvalidSignature
class Authenticator {
 public:
  struct Options {
    std::string region = "us-east-1";
    const Clock* clock = &system_clock();
  };

  /// `keys` must outlive this object.
  Authenticator(AccessKeys& keys, Options options) : keys_(keys), options_(std::move(options)) {}

  /// The key that signed the request.
  [[nodiscard]] Result<std::shared_ptr<const KnownKey>> authenticate(const SignedRequest& request) const;

 private:
  AccessKeys& keys_;
  const Options options_;
};

}  // namespace dolmen::access
