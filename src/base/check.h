#pragma once

namespace dolmen {

/// Prints the place and the broken condition, then aborts. Called by the macros below only.
[[noreturn]] void check_failed(const char* file, int line, const char* condition, const char* message);

}  // namespace dolmen

/// Stops the process when an invariant of this program is broken, also in release builds. Never for input from outside.
#define DOLMEN_CHECK(condition, message)                               \
  do {                                                                 \
    if (!(condition)) [[unlikely]]                                     \
      ::dolmen::check_failed(__FILE__, __LINE__, #condition, message); \
  } while (false)

/// The same where the program cannot arrive: after a switch over a closed list, say.
#define DOLMEN_UNREACHABLE(message) ::dolmen::check_failed(__FILE__, __LINE__, "unreachable", message)
