#pragma once

#include "dolmen/credentials.h"
#include "http_client/http_client.h"
#include "protocol/signature.h"

namespace dolmen {

/// Gives the request the headers of `input`.
void add_headers(http::Request& request, const SignatureInput& input);

/// Gives the request the headers of `input`, and signs them with the rest of it: adds x-amz-date, authorization, and
/// x-amz-security-token for temporary credentials.
void sign(http::Request& request, SignatureInput input, const AwsCredentials& credentials);

}  // namespace dolmen
