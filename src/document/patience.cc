#include "document/patience.h"

#include <algorithm>

#include "document/limits.h"

namespace dolmen::document {

bool Patience::pause() {
  if (used_ >= limits::kWriteWaitMax) return false;
  const auto length = static_cast<std::uint64_t>(longest_.count()) + 1;
  if (const std::chrono::milliseconds time(random_() % length); time.count() > 0) sleep_(time);
  used_ += longest_;
  longest_ = std::min(2 * longest_, limits::kWritePauseMax);
  return true;
}

}  // namespace dolmen::document
