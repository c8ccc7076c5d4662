#pragma once

#include <condition_variable>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>

#include "document/rows.h"

namespace dolmen::document {

/// Serialises the writers of one document in this process, in the order in which they come. Without it each would read,
/// be overtaken and start again, and with many writers some would never succeed. Thread-safe.
class Turns {
  struct Line {
    std::uint64_t next = 0;     ///< the number that the next writer gets
    std::uint64_t serving = 0;  ///< whose turn it is
    std::condition_variable moved;
  };
  using Lines = std::map<std::string, Line>;

 public:
  /// The destructor ends the turn. Must not outlive the Turns.
  class Turn {
   public:
    ~Turn();
    Turn(const Turn&) = delete;
    Turn& operator=(const Turn&) = delete;

   private:
    friend class Turns;
    Turn(Turns& turns, Lines::iterator line) : turns_(turns), line_(line) {}

    Turns& turns_;
    const Lines::iterator line_;
  };

  /// Waits until it is the caller's turn to write the document at `row`.
  [[nodiscard]] Turn take(const RowKey& row);

 private:
  std::mutex lines_mutex_;  ///< Guards the next member.
  Lines lines_;             ///< One for each document that is being written.
};

}  // namespace dolmen::document
