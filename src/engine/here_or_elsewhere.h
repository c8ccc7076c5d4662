#pragma once

#include <type_traits>
#include <utility>

#include "service/elsewhere.h"
#include "service/service.h"
#include "storage/storage.h"

namespace dolmen::engine {

/// Answers with `read(request)`, a Result<Response>. Where the request says where else to go, this thread does not wait
/// for the disk: a read that would have to is done again there, from the beginning. The storage must live until `done`
/// is called.
template <class Response, class Request, class Read>
void read_here_or_elsewhere(const storage::Storage& storage, Request&& request, Done<Response> done, Read read) {
  static_assert(!std::is_lvalue_reference_v<Request>, "the request is kept for the second time");
  storage::NoWaiting attempt(request.elsewhere != nullptr);
  Result<Response> response = read(std::as_const(request));
  if (!storage.would_wait(attempt)) return done(std::move(response));
  if (request.trace) request.trace->begin_again();
  const Elsewhere& elsewhere = *request.elsewhere;
  go_elsewhere<Response>(
      elsewhere, std::move(done),
      [read = std::move(read), request = std::move(request)](Done<Response> answer) { answer(read(request)); });
}

}  // namespace dolmen::engine
