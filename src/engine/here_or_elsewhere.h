#pragma once

#include <type_traits>
#include <utility>

#include "engine/keyspaces.h"
#include "service/elsewhere.h"
#include "service/service.h"
#include "storage/storage.h"

namespace dolmen::engine {

/// Answers with `read(request)`, a Result<Response>. Where the request says where else to go, this thread does not wait
/// for the disk, unless it has time or too much waits there: a read that would have to is done again there, from the
/// beginning. The storage must live until `done` is called.
template <class Response, class Request, class Read>
void read_here_or_elsewhere(const storage::Storage& storage, Request&& request, Done<Response> done, Read read) {
  static_assert(!std::is_lvalue_reference_v<Request>, "the request is kept for the second time");
  storage::NoWaiting attempt(request.elsewhere != nullptr && !HasTime::here());
  Result<Response> response = read(std::as_const(request));
  if (!storage.would_wait(attempt)) return done(std::move(response));
  if constexpr (requires { request.trace; })
    if (request.trace) request.trace->begin_again();
  const Elsewhere& elsewhere = *request.elsewhere;
  go_elsewhere_or_stay<Response>(elsewhere, std::move(done),
                                 [read = std::move(read), request = std::forward<Request>(request)](
                                     Done<Response> answer) { answer(read(request)); });
}

/// `read(request)` of many items, on a thread that may wait. When something is not in memory, the items with the keys
/// `rows_of(request)` come from the disk all at once, and the read is done again.
template <class Response, class Request, class Read, class Rows>
Result<Response> read_many_items(const storage::Storage& storage, const Request& request, Read read, Rows rows_of) {
  storage::NoWaiting attempt;
  Result<Response> response = read(request);
  if (!storage.would_wait(attempt)) return response;
  if (request.trace) request.trace->begin_again();
  storage.warm(keyspaces::kItems, rows_of(request));
  return read(request);
}

/// Answers with that: here when the request does not say where else to go.
template <class Response, class Request, class Read, class Rows>
void read_many_items(const storage::Storage& storage, Request&& request, Done<Response> done, Read read, Rows rows_of) {
  static_assert(!std::is_lvalue_reference_v<Request>, "the request is kept until it is answered");
  if (request.elsewhere == nullptr)
    return done(read_many_items<Response>(storage, std::as_const(request), read, rows_of));
  if (request.trace) request.trace->enter(ReadTrace::Phase::kWait);
  const Elsewhere& elsewhere = *request.elsewhere;
  go_elsewhere<Response>(
      elsewhere, std::move(done),
      [&storage, read = std::move(read), rows_of = std::move(rows_of), request = std::forward<Request>(request)](
          Done<Response> answer) { answer(read_many_items<Response>(storage, request, read, rows_of)); });
}

}  // namespace dolmen::engine
