#include <algorithm>
#include <chrono>
#include <cmath>
#include <fmt/format.h>

#include "entity/plan.h"

namespace dolmen::entity {

namespace {

constexpr double kWidth = 960;
constexpr double kHeight = 450;
constexpr double kTop = 84;
constexpr double kBottom = 364;
constexpr double kLeft = 110;
constexpr double kRight = 900;

/// From the bottom for 0 to the top for `most`, by powers of ten.
double level(double value, double most) {
  return kBottom - (kBottom - kTop) * std::log10(1 + std::max(0.0, value)) / std::log10(1 + std::max(1.0, most));
}

std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '<') {
      out += "&lt;";
    } else if (c == '&') {
      out += "&amp;";
    } else {
      out += c;
    }
  }
  return out;
}

std::string label(double x, double y, std::string_view anchor, std::string_view text) {
  return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\">{}</text>\n", x, y, anchor, escaped(text));
}

/// A box from the emptiest to the fullest shard, a darker one for the middle eight tenths, a line where all would be if
/// they were even.
std::string box(const PlanPeriod& period, double x, double width, double most) {
  const auto rectangle = [&](std::uint64_t low, std::uint64_t high, double inset, std::string_view colour) {
    const double top = level(static_cast<double>(high), most);
    const double height = std::max(1.5, level(static_cast<double>(low), most) - top);
    return fmt::format("<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" fill=\"{}\"/>\n", x + inset,
                       top, width - 2 * inset, height, colour);
  };
  std::string svg = rectangle(period.fewest, period.most, width * 0.35, "#9db4c0");
  svg +=
      rectangle(period.deciles[1], period.deciles[9], width * 0.2, period.hot || period.large ? "#c1121f" : "#5c6b73");
  const double even = level(period.expected, most);
  svg += fmt::format("<line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\" stroke=\"#e09f3e\"/>\n",
                     x + width * 0.1, even, x + width * 0.9, even);
  return svg;
}

/// 1,234,567.
std::string grouped(double value) {
  std::string digits = fmt::format("{:.0f}", value);
  for (std::size_t at = digits.size(); at > 3; at -= 3) digits.insert(at - 3, ",");
  return digits;
}

/// The day of a time in milliseconds; the number itself where it is not a day of this age.
std::string day(std::int64_t milliseconds) {
  if (milliseconds == 0) return "the beginning";
  const std::chrono::sys_days days = std::chrono::floor<std::chrono::days>(
      std::chrono::sys_time<std::chrono::milliseconds>(std::chrono::milliseconds(milliseconds)));
  const std::chrono::year_month_day date(days);
  const int year = static_cast<int>(date.year());
  if (year < 1971 || year > 9999) return fmt::format("{}", milliseconds);
  return fmt::format("{}-{:02}-{:02}", year, static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()));
}

std::string legend_entry(double x, std::string_view colour, std::string_view text) {
  return fmt::format("<rect x=\"{:.0f}\" y=\"46\" width=\"14\" height=\"10\" fill=\"{}\"/>\n", x, colour) +
         label(x + 20, 55, "start", text);
}

std::string title_and_legend(const Plan& plan) {
  std::string svg = fmt::format("<text x=\"{}\" y=\"26\" font-size=\"16\" font-weight=\"bold\">", kLeft);
  svg += escaped(fmt::format("Shards of {}: {} items", plan.entity, grouped(static_cast<double>(plan.items)))) +
         "</text>\n";
  svg += legend_entry(kLeft, "#9db4c0", "emptiest to fullest shard");
  svg += legend_entry(kLeft + 185, "#5c6b73", "middle 80 %");
  svg += legend_entry(kLeft + 290, "#c1121f", "the same, hot or large");
  svg += legend_entry(kLeft + 450, "#e09f3e", "if all were even");
  svg += legend_entry(kLeft + 575, "#1d6fa5", "shards that a query asks");
  const double middle = (kTop + kBottom) / 2;
  svg +=
      fmt::format("<text x=\"24\" y=\"{0:.1f}\" text-anchor=\"middle\" transform=\"rotate(-90 24 {0:.1f})\">", middle);
  svg += "items in a shard, shards of a query (logarithmic)</text>\n";
  return svg + label((kLeft + kRight) / 2, kBottom + 76, "middle", "periods between bumps");
}

}  // namespace

std::string plan_svg(const Plan& plan) {
  double most = 1;
  for (const PlanPeriod& period : plan.periods)
    most = std::max({most, static_cast<double>(period.most), static_cast<double>(period.query_shards)});
  std::string svg = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" width=\"{0}\" height=\"{1}\" "
      "font-family=\"sans-serif\" font-size=\"12\" role=\"img\">\n<rect width=\"{0}\" height=\"{1}\" "
      "fill=\"#ffffff\"/>\n",
      kWidth, kHeight);
  svg += title_and_legend(plan);
  for (double value = 1; value <= most * 1.001; value *= 10) {
    const double y = level(value, most);
    svg += fmt::format("<line x1=\"{}\" y1=\"{:.1f}\" x2=\"{}\" y2=\"{:.1f}\" stroke=\"#dddddd\"/>\n", kLeft, y, kRight,
                       y);
    svg += label(kLeft - 6, y + 4, "end", grouped(value));
  }
  const double width = (kRight - kLeft) / static_cast<double>(plan.periods.size());
  std::string line;
  for (std::size_t i = 0; i < plan.periods.size(); ++i) {
    const PlanPeriod& period = plan.periods[i];
    const double x = kLeft + width * static_cast<double>(i);
    svg += box(period, x, width, most);
    const double y = level(static_cast<double>(period.query_shards), most);
    line += fmt::format("{:.1f},{:.1f} {:.1f},{:.1f} ", x, y, x + width, y);
    svg += label(x + width / 2, kBottom + 20, "middle", "since " + day(period.bump.timestamp));
    svg += label(x + width / 2, kBottom + 36, "middle",
                 grouped(static_cast<double>(period.shards)) + (period.shards == 1 ? " shard" : " shards"));
    svg += label(x + width / 2, kBottom + 52, "middle", fmt::format("skew {:.2f}", period.skew));
  }
  svg += fmt::format("<polyline points=\"{}\" fill=\"none\" stroke=\"#1d6fa5\" stroke-width=\"2\"/>\n</svg>\n", line);
  return svg;
}

}  // namespace dolmen::entity
