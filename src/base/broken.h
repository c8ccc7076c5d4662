#pragma once

#ifdef DOLMEN_BROKEN_BUILD
#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <string_view>
#endif

namespace dolmen {

/// Deliberate defects, in builds that exist only to show that the tests notice them (tests/crash/broken_builds.py). No
/// other build has them: there `broken` is the constant false, and the compiler removes what it guards.
enum class Defect {
  kSkipSync,
  kAnswerBeforeCommit,
  kDropIndexWrite,
  kLoseStreamRecord,
  kForgetCount,
  kKeepDeletedVector
};

#ifdef DOLMEN_BROKEN_BUILD

/// Whether the environment variable DEFECT_OF_DOLMEN names this defect; then, in one of so many calls.
inline bool broken(Defect defect, std::uint64_t one_in = 1) {
  static constexpr std::string_view kNames[] = {"skip-sync",          "answer-before-commit", "drop-index-write",
                                                "lose-stream-record", "forget-count",         "keep-deleted-vector"};
  static const char* const chosen = std::getenv("DEFECT_OF_DOLMEN");
  static std::atomic<std::uint64_t> calls = 0;
  return chosen != nullptr && kNames[static_cast<std::size_t>(defect)] == chosen && ++calls % one_in == 0;
}

#else

constexpr bool broken(Defect /*defect*/, unsigned /*one_in*/ = 1) { return false; }

#endif

}  // namespace dolmen
