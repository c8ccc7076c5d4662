#pragma once

#include <chrono>
#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

#include "access/gatekeeper.h"
#include "dolmen/error.h"
#include "wire/answer.h"
#include "wire/asides.h"
#include "wire/http.h"
#include "wire/observer.h"

namespace dolmen::wire {

/// A request on its way to its answer: where the answer goes, in which form, and what is known about the request for
/// the observer. Answered exactly once.
class Exchange {
 public:
  /// `observer` may be null; otherwise it outlives this object.
  Exchange(const HttpRequest& request, HttpHandler::Respond respond, Observer* observer);

  Form form = {};
  /// A text that lives as long as the program, or as `own_operation`.
  std::string_view operation = {};
  std::string own_operation = {};
  /// See AnsweredView::table.
  std::string table = {};
  access::Caller caller = {};
  Asides asides = {};

  /// `error` is what the response says, if it is an error.
  void answer(HttpResponse response, const Error* error = nullptr);
  /// The response to an operation.
  void finish(Result<std::string> outcome);

 private:
  HttpHandler::Respond respond_;
  Observer* observer_;
  std::chrono::steady_clock::time_point began_ = {};
  std::size_t request_bytes_ = 0;
  std::string peer_;
};

}  // namespace dolmen::wire
