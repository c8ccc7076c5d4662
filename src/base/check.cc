#include "base/check.h"

#include <cstdio>
#include <cstdlib>

namespace dolmen {

void check_failed(const char* file, int line, const char* condition, const char* message) {
  std::fprintf(stderr, "%s:%d: invariant broken: %s (%s)\n", file, line, condition, message);
  std::abort();
}

}  // namespace dolmen
