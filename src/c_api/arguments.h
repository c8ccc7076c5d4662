#pragma once

#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <new>
#include <string_view>

#include "base/fail.h"
#include "dolmen/error.h"

namespace dolmen::c_api {

/// Fails with kInvalidArgument, which names the argument.
inline Result<void> check_given(const void* argument, std::string_view name) {
  if (argument != nullptr) return {};
  return fail(Code::kInvalidArgument, "{} is NULL", name);
}

/// A copy for a program, which gives it to dolmen_free; with a zero byte behind it.
inline char* copy_for_program(std::string_view text) {
  char* copy = static_cast<char*>(std::malloc(text.size() + 1));
  if (copy == nullptr) throw std::bad_alloc();
  std::memcpy(copy, text.data(), text.size());
  copy[text.size()] = '\0';
  return copy;
}

/// The options of a program that may have been compiled with an older or newer header: what it does not have is as in
/// `defaults`. Fails with kInvalidArgument when it has more than this library knows.
template <class Options>
Result<Options> options_of(const Options* given, Options defaults) {
  if (given == nullptr) return defaults;
  if (given->size < sizeof(given->size) || given->size > sizeof(Options))
    return fail(Code::kInvalidArgument, "the options have {} bytes, and this library knows {}; set their size",
                given->size, sizeof(Options));
  std::memcpy(&defaults, given, given->size);
  return defaults;
}

}  // namespace dolmen::c_api
