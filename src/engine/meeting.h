#pragma once

#include <utility>

#include "engine/conflicts.h"
#include "service/service.h"

namespace dolmen::engine {

/// Keeps a ticket until a write is over, and then answers: whoever hears the answer meets nothing of it any more.
template <class Response>
Done<Response> until_answered(Conflicts::Ticket ticket, Done<Response> done) {
  return [ticket = std::move(ticket), done = std::move(done)](Result<Response> response) mutable {
    { const Conflicts::Ticket ended(std::move(ticket)); }
    done(std::move(response));
  };
}

}  // namespace dolmen::engine
