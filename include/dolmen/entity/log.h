#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace dolmen {

/// One thing that was done, or that failed.
struct EntityLogEntry {
  /// The function, by the name that it has in the specification: "addKeys", "query", ...
  std::string_view operation;
  /// The entity, index or property that it was about; empty when there is none.
  std::string_view subject;
  /// What came of it, or the message of the error.
  std::string message;
};

/// Hears what is done with entities: `debug` of everything that succeeds, `error` of everything that fails, which is
/// also returned. Either may be empty, and then costs nothing. Both are called on the thread that does it, several at a
/// time.
struct EntityLogger {
  std::function<void(const EntityLogEntry&)> debug = {};
  std::function<void(const EntityLogEntry&)> error = {};
};

}  // namespace dolmen
