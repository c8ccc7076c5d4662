#include "wire/exchange.h"

#include <utility>

namespace dolmen::wire {

Exchange::Exchange(const HttpRequest& request, HttpHandler::Respond respond, Observer* observer)
    : respond_(std::move(respond)), observer_(observer) {
  if (observer_ == nullptr) return;
  began_ = std::chrono::steady_clock::now();
  request_bytes_ = request.body().size();
  peer_ = request.peer();
}

void Exchange::answer(HttpResponse response, const Error* error) {
  if (observer_ != nullptr) {
    const auto time = std::chrono::steady_clock::now() - began_;
    observer_->answered({.operation = operation,
                         .table = table,
                         .status = response.status,
                         .error = error,
                         .time = time,
                         .request_bytes = request_bytes_,
                         .response_bytes = response.body.size(),
                         .access_key = caller == nullptr ? std::string_view() : std::string_view(caller->key().id),
                         .peer = peer_,
                         .request_id = request_id_of(response)});
  }
  respond_(std::move(response));
}

void Exchange::finish(Result<std::string> outcome) {
  HttpResponse response =
      outcome ? make_response(200, form, *std::move(outcome)) : make_error_response(form, outcome.error());
  asides.complete(response);
  answer(std::move(response), outcome ? nullptr : &outcome.error());
}

}  // namespace dolmen::wire
