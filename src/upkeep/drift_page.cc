#include "upkeep/drift_page.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <map>
#include <numbers>

namespace dolmen::upkeep {
namespace {

constexpr std::size_t kBarsMax = 20;

constexpr std::string_view kStyle = R"(
:root { color-scheme: light dark; --good: #4a9c6d; --bad: #c8553d; --mend: #d9a441; --ink: #222; --faint: #777; --line: #ddd; --back: #fff }
@media (prefers-color-scheme: dark) { :root { --ink: #e6e6e6; --faint: #999; --line: #444; --back: #1b1b1b } }
body { font: 15px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--back); max-width: 62rem; margin: 2rem auto; padding: 0 1rem }
h1 { font-size: 1.5rem; margin-bottom: 0 } h2 { font-size: 1.1rem; margin-top: 2rem } p.about { color: var(--faint); margin-top: .2rem }
table { border-collapse: collapse; width: 100% } th, td { text-align: left; padding: .35rem .6rem; border-bottom: 1px solid var(--line); vertical-align: top }
td.count, th.count { text-align: right; font-variant-numeric: tabular-nums } code { font-size: .9em; overflow-wrap: anywhere }
svg { max-width: 100%; height: auto } svg text { fill: var(--ink); font: 13px system-ui, sans-serif } svg .faint { fill: var(--faint) }
.charts { display: flex; gap: 2rem; flex-wrap: wrap; align-items: center }
)";

std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) switch (c) {
      case '&': out += "&amp;"; break;
      case '<': out += "&lt;"; break;
      case '>': out += "&gt;"; break;
      case '"': out += "&quot;"; break;
      case '\'': out += "&#39;"; break;
      default: out.push_back(c);
    }
  return out;
}

std::string digits(std::uint64_t number) {
  std::string text = fmt::format("{}", number);
  for (std::size_t at = text.size(); at > 3; at -= 3) text.insert(at - 3, ",");
  return text;
}

double part_of(std::uint64_t part, std::uint64_t whole) {
  return whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
}

/// A ring with a piece for what is left, for what was mended, and for what is good.
std::string ring(const DriftReport& report) {
  constexpr double kRadius = 70;
  constexpr double kAround = 2 * std::numbers::pi * kRadius;
  const double left = part_of(report.left(), report.items());
  const double mended = part_of(report.broken() - report.left(), report.items());
  std::string svg = fmt::format(
      "<svg width=\"200\" height=\"200\" viewBox=\"0 0 200 200\" role=\"img\" aria-label=\"{0} of {1} items break "
      "their "
      "model\">\n<g fill=\"none\" stroke-width=\"28\" transform=\"rotate(-90 100 100)\">\n",
      digits(report.broken()), digits(report.items()));
  const auto piece = [&](std::string_view color, double from, double part) {
    if (part <= 0) return;
    svg += fmt::format(
        "<circle cx=\"100\" cy=\"100\" r=\"{}\" stroke=\"var({})\" stroke-dasharray=\"{:.3f} {:.3f}\" "
        "stroke-dashoffset=\"{:.3f}\"/>\n",
        kRadius, color, part * kAround, kAround, -from * kAround);
  };
  piece("--good", 0, 1);
  piece("--mend", left, mended);
  piece("--bad", 0, left);
  const double good = report.items() == 0 ? 1 : 1 - part_of(report.broken(), report.items());
  svg += fmt::format(
      "</g>\n<text x=\"100\" y=\"100\" text-anchor=\"middle\" font-size=\"22\">{:.2f} %</text>\n<text class=\"faint\" "
      "x=\"100\" y=\"120\" text-anchor=\"middle\">are as they should be</text>\n</svg>\n",
      // Not rounded up: 100 % means all of them.
      std::floor(good * 10'000) / 100);
  return svg;
}

/// A bar for each rule.
std::string bars(const DriftReport& report) {
  constexpr int kHeight = 26;
  constexpr int kLeft = 160;
  constexpr double kWidth = 300;
  struct Bar {
    std::uint64_t count = 0;
    std::uint64_t mended = 0;
  };
  std::map<std::string, Bar> by_rule;
  for (const auto& [place, group] : report.groups()) {
    by_rule[place.rule].count += group.count;
    by_rule[place.rule].mended += group.mended;
  }
  std::vector<std::pair<std::string, Bar>> rules(by_rule.begin(), by_rule.end());
  std::ranges::stable_sort(rules, std::greater(), [](const auto& rule) { return rule.second.count; });
  if (rules.size() > kBarsMax) rules.resize(kBarsMax);
  if (rules.empty()) return {};
  const int height = kHeight * static_cast<int>(rules.size());
  std::string svg = fmt::format(
      "<svg width=\"560\" height=\"{0}\" viewBox=\"0 0 560 {0}\" role=\"img\" aria-label=\"Findings by rule\">\n",
      height);
  int y = 0;
  for (const auto& [rule, bar] : rules) {
    const double width = kWidth * part_of(bar.count, rules.front().second.count);
    const double mended = width * part_of(bar.mended, bar.count);
    svg += fmt::format(
        "<text x=\"{0}\" y=\"{1}\" text-anchor=\"end\">{2}</text>\n<rect x=\"{3}\" y=\"{4}\" width=\"{5:.1f}\" "
        "height=\"16\" rx=\"2\" fill=\"var(--bad)\"/>\n",
        kLeft - 10, y + 17, escaped(rule), kLeft, y + 5, std::max(width, 1.0));
    if (mended > 0)
      svg += fmt::format("<rect x=\"{}\" y=\"{}\" width=\"{:.1f}\" height=\"16\" rx=\"2\" fill=\"var(--mend)\"/>\n",
                         kLeft, y + 5, mended);
    svg += fmt::format("<text class=\"faint\" x=\"{:.1f}\" y=\"{}\">{}</text>\n", kLeft + std::max(width, 1.0) + 8,
                       y + 17, digits(bar.count));
    y += kHeight;
  }
  return svg + "</svg>\n";
}

std::string rows(const DriftReport& report) {
  std::string html;
  for (const auto* each : report.sorted()) {
    const auto& [place, group] = *each;
    std::string samples;
    for (const DriftSample& sample : group.samples)
      samples += fmt::format("{}<code>{}</code>", samples.empty() ? "" : ", ", escaped(sample.key));
    html += fmt::format(
        "<tr><td class=\"count\">{}</td><td>{}</td><td><code>{}</code></td><td>{}</td><td>{}</td>"
        "<td class=\"count\">{}</td><td>{}</td></tr>\n",
        digits(group.count), escaped(place.model), escaped(place.path), escaped(place.rule),
        group.samples.empty() ? "" : escaped(group.samples.front().message),
        group.mended > 0     ? digits(group.mended) + " mended"
        : group.mendable > 0 ? digits(group.mendable) + " can be"
                             : "–",
        samples);
  }
  return html;
}

}  // namespace

std::string drift_page(const DriftReport& report, const DriftPage& page) {
  const bool is_good = report.broken() == 0;
  std::string html = fmt::format(
      "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" "
      "content=\"width=device-width\">\n<title>Drift of {0}</title>\n<style>{1}</style>\n</head>\n<body>\n<h1>Drift of "
      "{0}</h1>\n<p class=\"about\">{2} · models {3} · {4}</p>\n",
      escaped(page.table), kStyle, escaped(page.store), escaped(page.models), escaped(page.time));
  html += fmt::format("<p>{}</p>\n",
                      is_good ? fmt::format("All {} items are what their models say.", digits(report.items()))
                              : fmt::format("{} of {} items break their models; {} can be mended; {} are left.",
                                            digits(report.broken()), digits(report.items()), digits(report.mendable()),
                                            digits(report.left())));
  html += "<div class=\"charts\">\n" + ring(report) + bars(report) + "</div>\n";
  if (!is_good)
    html +=
        "<h2>What was found</h2>\n<table>\n<thead><tr><th class=\"count\">Items</th><th>Model</th><th>Attribute</th>"
        "<th>Rule</th><th>What</th><th class=\"count\">Mended</th><th>Such as</th></tr></thead>\n<tbody>\n" +
        rows(report) + "</tbody>\n</table>\n";
  if (report.refused() > 0) {
    html += fmt::format("<h2>Refused by the store: {}</h2>\n<ul>\n", digits(report.refused()));
    for (const DriftSample& refusal : report.refusals())
      html += fmt::format("<li><code>{}</code>: {}</li>\n", escaped(refusal.key), escaped(refusal.message));
    html += "</ul>\n";
  }
  return html + "</body>\n</html>\n";
}

}  // namespace dolmen::upkeep
