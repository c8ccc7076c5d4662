#pragma once

// Compiled into every source that tools/mutate has put bugs into.

#include <type_traits>

namespace dolmen_mutants {

/// Whether the bug of this number is the one that the environment variable MUTANT_OF_DOLMEN names. With
/// the variable TRACE_OF_MUTANTS, notes in that file that it was reached, in tests by their names.
bool is_active(int number) noexcept;

/// Never while something is computed at compile time.
constexpr bool on(int number) noexcept {
  if (std::is_constant_evaluated()) return false;
  return is_active(number);
}

}  // namespace dolmen_mutants
