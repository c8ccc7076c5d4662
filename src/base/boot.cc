#include "base/boot.h"

#include <ctime>
#include <fstream>

namespace dolmen {

std::chrono::nanoseconds time_since_boot() {
  timespec time = {};
  ::clock_gettime(CLOCK_BOOTTIME, &time);
  return std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec);
}

std::string boot_name() {
  std::ifstream file("/proc/sys/kernel/random/boot_id");
  std::string name;
  file >> name;
  return name;
}

}  // namespace dolmen
