#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <string>

#include "plan.h"

namespace dolmen::torture {

/// What a child process is told: where, and with which seed.
struct Child {
  std::filesystem::path data;
  std::uint64_t seed = 0;
  /// So many steps.
  std::size_t steps = 0;
  /// The step of a publication at which it ends itself; negative for none.
  std::int64_t publication_step = -1;
  /// The operation on the store's files after which it ends itself; negative for none.
  std::int64_t file_operation = -1;
};

/// What a child tells about one step: a byte for the answer, and the revision.
using Report = std::array<char, 17>;
Report report_of(const Told& told);
Told told_in(const Report& report);

/// Carries out the steps of a seed and reports each, until it is killed. Returns the exit code.
int run_child(const Child& child, int report);

/// One run: a store, crashes of several kinds, and after each a look at what is there. Empty when all is well, else
/// what is not.
std::string run_once(const std::string& program, std::uint64_t seed);

}  // namespace dolmen::torture
