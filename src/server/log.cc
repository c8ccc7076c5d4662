#include "server/log.h"

#include <algorithm>
#include <fmt/format.h>

#include "base/unicode.h"
#include "dolmen/timestamp.h"
#include "protocol/errors.h"
#include "value/json.h"

namespace dolmen {
namespace {

constexpr LogLevel kLevels[] = {LogLevel::kError, LogLevel::kWarn, LogLevel::kInfo, LogLevel::kDebug};

/// To the millisecond, so that lines stand below each other.
std::string time_text(TimePoint now) {
  constexpr std::int32_t kPerMillisecond = 1'000'000;
  const Timestamp time = Timestamp::from(now);
  const auto text = format_timestamp({.seconds = time.seconds}, TimestampForm::kTrimmed);
  if (!text) return "";
  return fmt::format("{}.{:03}Z", std::string_view(*text).substr(0, text->size() - 1),
                     time.nanoseconds / kPerMillisecond);
}

/// One line of printable text, whatever is in the message.
std::string cleaned(std::string_view message) {
  std::string text(message);
  const bool readable = is_utf8(text);
  std::ranges::replace_if(
      text, [&](char c) { return static_cast<unsigned char>(c) < 0x20 || (!readable && (c & 0x80) != 0); }, ' ');
  return text;
}

void append_member(std::string& line, std::string_view name, std::string_view value) {
  if (value.empty()) return;
  line.append(",\"").append(name).append("\":");
  json::append_string(line, value);
}

/// The last part of the error's type on the wire: "ValidationException".
std::string_view code_of(const wire::AnsweredView& request) {
  if (request.error == nullptr) return {};
  const std::string_view type = wire_error(request.error->code()).type;
  return type.substr(type.find('#') + 1);
}

double milliseconds(std::chrono::nanoseconds time) { return std::chrono::duration<double, std::milli>(time).count(); }

}  // namespace

std::string_view log_level_name(LogLevel level) {
  switch (level) {
    case LogLevel::kError: return "error";
    case LogLevel::kWarn: return "warn";
    case LogLevel::kInfo: return "info";
    case LogLevel::kDebug: return "debug";
  }
  return "";
}

std::optional<LogLevel> log_level_of(std::string_view name) {
  const auto* found = std::ranges::find(kLevels, name, log_level_name);
  return found == std::end(kLevels) ? std::nullopt : std::optional(*found);
}

Log::Log(const Options& options)
    : form_(options.form),
      clock_(*options.clock),
      level_(options.level),
      lines_(options.sink, [this](std::size_t dropped) {
        return line_of(LogLevel::kWarn, fmt::format("{} lines were dropped because they came faster than they could be "
                                                    "written",
                                                    dropped));
      }) {}

std::string Log::beginning_of_line(LogLevel level) const {
  const std::string time = time_text(clock_.now());
  if (form_ == LogForm::kText) return fmt::format("{} {:<5} ", time, log_level_name(level));
  return fmt::format(R"({{"time":"{}","level":"{}")", time, log_level_name(level));
}

std::string Log::line_of(LogLevel level, std::string_view message) const {
  std::string line = beginning_of_line(level);
  if (form_ == LogForm::kText) return line.append(cleaned(message));
  append_member(line, "message", cleaned(message));
  return line.append("}");
}

void Log::write(LogLevel level, std::string_view message) {
  if (wants(level)) lines_.write(line_of(level, message));
}

void Log::write(LogLevel level, const wire::AnsweredView& request) {
  if (!wants(level)) return;
  std::string line = beginning_of_line(level);
  const std::string_view code = code_of(request);
  const double time_ms = milliseconds(request.time);
  const auto out = std::back_inserter(line);
  if (form_ == LogForm::kText) {
    const auto add = [&](std::string_view name, std::string_view value) {
      if (!value.empty()) fmt::format_to(out, " {}={}", name, value);
    };
    fmt::format_to(out, "{} {}{}{} {:.3f} ms", request.operation.empty() ? "request" : request.operation,
                   request.status, code.empty() ? "" : " ", code, time_ms);
    add("table", request.table);
    fmt::format_to(out, " in={} out={}", request.request_bytes, request.response_bytes);
    add("key", request.access_key);
    add("peer", request.peer);
    add("id", request.request_id);
  } else {
    append_member(line, "event", "request");
    append_member(line, "operation", request.operation);
    append_member(line, "table", request.table);
    fmt::format_to(out, R"(,"status":{},"time_ms":{:.3f},"request_bytes":{},"response_bytes":{})", request.status,
                   time_ms, request.request_bytes, request.response_bytes);
    append_member(line, "code", code);
    append_member(line, "access_key", request.access_key);
    append_member(line, "peer", request.peer);
    append_member(line, "request_id", request.request_id);
    line.append("}");
  }
  lines_.write(std::move(line));
}

}  // namespace dolmen
