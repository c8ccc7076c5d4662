#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace dolmen::access {

/// The parts of an HTTP request that a signature can cover, as they came. Views into the request.
struct SignedRequest {
  struct Header {
    std::string_view name;
    std::string_view value;
  };

  std::string_view method;
  std::string_view path;
  std::string_view query;
  std::string_view body;
  std::vector<Header> headers;

  /// The first header of that name, which is given in lower case (is_header_name).
  [[nodiscard]] std::optional<std::string_view> header(std::string_view lower_name) const;
};

/// The parameters of a query, as they came, in their order.
using QueryParameters = std::vector<SignedRequest::Header>;
QueryParameters split_query(std::string_view query);
/// With %XX replaced by the byte that it stands for; nothing when a % is not followed by two hexadecimal digits.
std::optional<std::string> percent_decoded(std::string_view text);

/// The request in the one form in which both sides sign it. `signed_headers` are names in lower case between
/// semicolons, as the client gave them. The parameter X-Amz-Signature is left out of the query. Nothing when the query
/// cannot be read.
std::optional<std::string> canonical_request(const SignedRequest& request, std::string_view signed_headers);

}  // namespace dolmen::access
