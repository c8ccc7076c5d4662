#pragma once

#include <algorithm>
#include <ctime>
#include <map>
#include <string>

namespace dolmen {

/// The CPU time of the process or, with CLOCK_THREAD_CPUTIME_ID, of this thread.
inline double cpu_microseconds(clockid_t clock = CLOCK_PROCESS_CPUTIME_ID) {
  timespec now{};
  clock_gettime(clock, &now);
  return static_cast<double>(now.tv_sec) * 1e6 + static_cast<double>(now.tv_nsec) / 1e3;
}

/// The CPU time of one operation by its name, the minimum of all rounds. 0 when it was not measured.
class LeastTimes {
 public:
  void add(const std::string& name, double microseconds) {
    const auto [known, added] = times_.emplace(name, microseconds);
    if (!added) known->second = std::min(known->second, microseconds);
  }
  double operator[](const std::string& name) const {
    const auto found = times_.find(name);
    return found == times_.end() ? 0 : found->second;
  }

 private:
  std::map<std::string, double> times_;
};

}  // namespace dolmen
