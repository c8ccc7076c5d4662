#pragma once

#include <string>
#include <string_view>

#include "dolmen/error.h"
#include "protocol/compression.h"
#include "wire/http.h"

namespace dolmen::wire {

/// The form in which a response is sent.
struct Form {
  std::string_view content_type = {};  ///< empty: no header
  Encoding accepted = Encoding::kNone;
  bool shared = false;  ///< with the web page that asks
};

/// A response with a new request id and a checksum.
HttpResponse make_response(int status, const Form& form, std::string body);

/// The same for an error. What its message says about this machine stays here (`told`).
HttpResponse make_error_response(const Form& form, const Error& error);

/// The id in the headers of a response that `make_response` made.
std::string_view request_id_of(const HttpResponse& response);

/// What a client may know about an error: those of files and directories name paths of this machine, which are for the
/// log alone.
Error told(const Error& error);

}  // namespace dolmen::wire
