#include "cli/progress_line.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <fmt/format.h>
#include <unistd.h>

namespace dolmen::cli {
namespace {

constexpr std::chrono::milliseconds kBetweenLines{200};
constexpr std::size_t kBarWidth = 24;

}  // namespace

std::string progress_bar(double part, std::size_t width) {
  static constexpr std::array<const char*, 8> kEighths{"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
  const auto eighths = static_cast<std::size_t>(std::clamp(part, 0.0, 1.0) * static_cast<double>(width) * 8);
  std::string bar;
  for (std::size_t i = 0; i < eighths / 8; ++i) bar += "█";
  bar += kEighths[eighths % 8];
  const std::size_t used = eighths / 8 + (eighths % 8 == 0 ? 0 : 1);
  return bar + std::string(width - used, ' ');
}

std::string duration_text(double seconds) {
  const auto whole = static_cast<std::uint64_t>(std::ceil(std::clamp(seconds, 0.0, 1e9)));
  if (whole < 3600) return fmt::format("{}:{:02}", whole / 60, whole % 60);
  return fmt::format("{}:{:02}:{:02}", whole / 3600, whole / 60 % 60, whole % 60);
}

std::string grouped_digits(std::uint64_t number) {
  std::string text = fmt::format("{}", number);
  for (std::size_t at = text.size(); at > 3; at -= 3) text.insert(at - 3, ",");
  return text;
}

ProgressLine::ProgressLine(std::string name, bool silent)
    : name_(std::move(name)), visible_(!silent && ::isatty(STDERR_FILENO) != 0) {}

ProgressLine::~ProgressLine() {
  if (shown_) fmt::print(stderr, "\r\x1b[K");
}

double ProgressLine::seconds() const { return std::chrono::duration<double>(Clock::now() - started_).count(); }

void ProgressLine::show(const transfer::Progress& progress) {
  if (!visible_ || Clock::now() - last_ < kBetweenLines) return;
  last_ = Clock::now();
  shown_ = true;
  const double rate = static_cast<double>(progress.items) / std::max(seconds(), 1e-3);
  std::string line = fmt::format("\r{}  ", name_);
  if (progress.whole > 0) {
    const double part = static_cast<double>(progress.done) / static_cast<double>(progress.whole);
    line += fmt::format("{} {:3.0f} %  ", progress_bar(part, kBarWidth), std::min(part, 1.0) * 100);
  }
  line +=
      fmt::format("{} items  {}/s", grouped_digits(progress.items), grouped_digits(static_cast<std::uint64_t>(rate)));
  if (progress.whole > 0 && progress.done > 0) {
    const double left = seconds() * (static_cast<double>(progress.whole) / static_cast<double>(progress.done) - 1);
    line += fmt::format("  {} left", duration_text(left));
  }
  fmt::print(stderr, "{}\x1b[K", line);
  std::fflush(stderr);
}

}  // namespace dolmen::cli
