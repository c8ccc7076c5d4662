#include "base/thread_policy.h"

#include <sched.h>

namespace dolmen {

void wake_without_interrupting() {
#if defined(SCHED_BATCH)
  const sched_param parameters{};
  // A system that refuses this is only slower.
  static_cast<void>(::sched_setscheduler(0, SCHED_BATCH, &parameters));
#endif
}

}  // namespace dolmen
