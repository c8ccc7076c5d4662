#include "base/clock.h"

#include <utility>

namespace dolmen {
namespace {

class SystemClock final : public Clock {
 public:
  [[nodiscard]] TimePoint now() const override { return std::chrono::system_clock::now(); }
};

}  // namespace

const Clock& system_clock() {
  static const SystemClock clock;
  return clock;
}

Now or_system_clock(Now given) {
  return given ? std::move(given) : Now([] { return system_clock().now(); });
}

}  // namespace dolmen
