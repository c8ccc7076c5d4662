#pragma once

#include <cstdint>
#include <istream>
#include <limits>
#include <string>
#include <vector>

#include "dolmen/error.h"

namespace dolmen::history {

/// Nanoseconds of one clock that never goes back.
using Moment = std::int64_t;
/// When an operation without an answer ends.
inline constexpr Moment kNever = std::numeric_limits<Moment>::max();

/// What an object holds: a whole number, or nothing.
using State = std::int64_t;
inline constexpr State kNothing = std::numeric_limits<State>::min();

/// Whether an operation was done. That of a client whose server was killed is not known.
enum class Outcome : std::uint8_t { kDone, kRefused, kUnknown };

enum class Kind : std::uint8_t { kRead, kWrite, kSwap, kAdd };

/// An operation on one object.
struct Operation {
  Kind kind = Kind::kRead;
  Outcome outcome = Outcome::kDone;
  Moment began = 0;
  Moment ended = kNever;
  /// What was read, is written, or is put in the place of `expected`; or the summand.
  State value = kNothing;
  State expected = kNothing;
  /// Of an addition: the sum that was answered.
  State result = kNothing;
  /// Where it stands in its file.
  std::size_t line = 0;
};

struct Access {
  std::size_t key = 0;
  State value = kNothing;
};

/// Reads and writes of several objects at one moment. No value is written to an object twice.
struct Transaction {
  Outcome outcome = Outcome::kDone;
  Moment began = 0;
  Moment ended = kNever;
  std::vector<Access> reads;
  std::vector<Access> writes;
  std::size_t line = 0;
};

/// The operations on one object.
struct Object {
  std::string name;
  std::vector<Operation> operations;
};

struct History {
  std::vector<Object> objects;
  std::vector<std::string> keys;
  std::vector<Transaction> transactions;

  [[nodiscard]] std::size_t size() const;
};

/// Reads a history, a line for each operation:
///
///   OBJECT BEGAN ENDED OUTCOME read VALUE
///   OBJECT BEGAN ENDED OUTCOME write VALUE
///   OBJECT BEGAN ENDED OUTCOME swap EXPECTED VALUE
///   OBJECT BEGAN ENDED OUTCOME add SUMMAND RESULT
///   transaction BEGAN ENDED OUTCOME r KEY VALUE w KEY VALUE ...
///
/// ENDED is "-" and OUTCOME "unknown" for an operation without an answer; else OUTCOME is "done" or "refused". A VALUE
/// is a whole number, or "-" for nothing. What follows "#" is a comment. Fails with the number of a line that is not of
/// this form.
Result<History> read_history(std::istream& input);

}  // namespace dolmen::history
