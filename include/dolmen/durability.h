#pragma once

#include <cstdint>

namespace dolmen {

/// What an acknowledged write of an embedded store has survived.
enum class Durability : std::uint8_t {
  kSync,    ///< a power cut: the log is on the disk
  kOs,      ///< the end of this process: the operating system has the log
  kMemory,  ///< nothing: there is no directory and no log
};

}  // namespace dolmen
