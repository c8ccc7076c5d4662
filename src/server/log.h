#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "base/line_log.h"
#include "wire/observer.h"

namespace dolmen {

/// Each level has all that is before it.
enum class LogLevel : std::uint8_t {
  kError,  ///< the server cannot do what it is for
  kWarn,   ///< something that should not be, and is served
  kInfo,   ///< work in the background, failed and slow requests
  kDebug,  ///< every request
};
std::string_view log_level_name(LogLevel level);
std::optional<LogLevel> log_level_of(std::string_view name);

enum class LogForm : std::uint8_t {
  kText,  ///< "2026-11-17T03:04:05.678Z info  reloaded"
  kJson,  ///< {"time":"2026-11-17T03:04:05.678Z","level":"info","message":"reloaded"}
};

/// What the server tells its operator, a line at a time. Never data of items, never secrets. Writing never waits: when
/// lines come faster than they can be passed on, they are dropped and counted (base/line_log.h). Thread-safe.
class Log {
 public:
  struct Options {
    LogLevel level = LogLevel::kInfo;
    LogForm form = LogForm::kText;
    const Clock* clock = &system_clock();
    /// Receives the lines on a thread that may block. Empty discards them.
    LineLog::Sink sink = {};
  };

  explicit Log(const Options& options);

  /// Ask before a line is made: what nobody reads costs only this.
  [[nodiscard]] bool wants(LogLevel level) const { return level <= level_.load(std::memory_order_relaxed); }
  void set_level(LogLevel level) { level_.store(level, std::memory_order_relaxed); }

  /// Writes a line unless the level is too low.
  void write(LogLevel level, std::string_view message);
  /// A line about a request: its operation, table, status, time, sizes, and who sent it; not its error's message, which
  /// may repeat values.
  void write(LogLevel level, const wire::AnsweredView& request);

 private:
  [[nodiscard]] std::string beginning_of_line(LogLevel level) const;
  [[nodiscard]] std::string line_of(LogLevel level, std::string_view message) const;

  const LogForm form_;
  const Clock& clock_;
  std::atomic<LogLevel> level_;
  LineLog lines_;
};

}  // namespace dolmen
