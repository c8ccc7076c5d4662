#include "cli/junit.h"

#include <algorithm>
#include <fmt/format.h>
#include <iterator>

namespace dolmen::cli {

namespace {

std::string xml_text(const std::string& text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '<': out += "&lt;"; break;
      case '>': out += "&gt;"; break;
      case '&': out += "&amp;"; break;
      case '"': out += "&quot;"; break;
      case '\n': out += "&#10;"; break;
      case '\t': out += "&#9;"; break;
      default: out += static_cast<unsigned char>(c) < 0x20 ? '?' : c; break;
    }
  }
  return out;
}

}  // namespace

std::string junit_report(const std::string& suite, const std::vector<JUnitCase>& cases) {
  const auto count = [&](JUnitCase::Outcome outcome) {
    return std::ranges::count(cases, outcome, &JUnitCase::outcome);
  };
  std::string out = fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n"
      "  <testsuite name=\"{}\" tests=\"{}\" failures=\"{}\" skipped=\"{}\" errors=\"0\">\n",
      xml_text(suite), cases.size(), count(JUnitCase::Outcome::kFailed), count(JUnitCase::Outcome::kSkipped));
  for (const JUnitCase& each : cases) {
    fmt::format_to(std::back_inserter(out), "    <testcase classname=\"{}\" name=\"{}\" file=\"{}\"",
                   xml_text(each.group), xml_text(each.name), xml_text(each.file));
    if (each.outcome == JUnitCase::Outcome::kPassed)
      out += "/>\n";
    else
      fmt::format_to(std::back_inserter(out), ">\n      <{} message=\"{}\"/>\n    </testcase>\n",
                     each.outcome == JUnitCase::Outcome::kFailed ? "failure" : "skipped", xml_text(each.message));
  }
  return out + "  </testsuite>\n</testsuites>\n";
}

}  // namespace dolmen::cli
