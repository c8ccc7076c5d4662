#pragma once

namespace dolmen {

/// Lets the threads on the core of the calling one go on when the calling one is woken, where the system can do that
/// (SCHED_BATCH of Linux); an idle core wakes it at once as before. A thread that is woken for each request of busy
/// clients on the same machine then finds many requests each time, and neither side is interrupted for each of them.
void wake_without_interrupting();

}  // namespace dolmen
