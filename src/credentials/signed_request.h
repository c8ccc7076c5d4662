#pragma once

#include "dolmen/credentials.h"
#include "http_client/http_client.h"
#include "protocol/signature.h"

namespace dolmen {

/// Adds the headers of `input` to the request.
void add_headers(http::Request& request, const SignatureInput& input);

/// Adds the headers of `input` to the request and signs all of it: adds x-amz-date, authorization, and
/// x-amz-security-token for temporary credentials.
void sign(http::Request& request, SignatureInput input, const AwsCredentials& credentials);

}  // namespace dolmen
