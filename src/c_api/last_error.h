#pragma once

#include <exception>

#include "dolmen/c.h"
#include "dolmen/error.h"

namespace dolmen::c_api {

/// What a program can do about an error.
dolmen_status status_of(const Error& error);

/// Keeps an error for the functions dolmen_last_error_*, and returns its status.
dolmen_status keep_error(const Error& error);

/// The same for an exception, of which `what` is the text.
dolmen_status keep_exception(const char* what) noexcept;

/// Runs the body of a function of the interface, which returns a Result<void>. No exception passes.
template <class Body>
dolmen_status guarded(Body body) noexcept {
  try {
    const Result<void> done = body();
    return done ? DOLMEN_OK : keep_error(done.error());
  } catch (const std::exception& exception) {
    return keep_exception(exception.what());
  } catch (...) {
    return keep_exception("an exception of an unknown type");
  }
}

}  // namespace dolmen::c_api
