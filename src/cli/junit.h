#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace dolmen::cli {

/// A case of a report in the form of JUnit, which CI systems read.
struct JUnitCase {
  enum class Outcome : std::uint8_t { kPassed, kFailed, kSkipped };

  std::string group;
  std::string name;
  std::string file;
  Outcome outcome = Outcome::kPassed;
  std::string message;
};

/// The report as XML. Characters that XML cannot hold become question marks.
std::string junit_report(const std::string& suite, const std::vector<JUnitCase>& cases);

}  // namespace dolmen::cli
