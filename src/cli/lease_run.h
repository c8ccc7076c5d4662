#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "dolmen/lease.h"

namespace dolmen::cli {

struct LeaseRun {
  std::vector<std::string> command;
  std::chrono::milliseconds length{30'000};
  /// From SIGTERM to SIGKILL when the lease was lost. Killing is done so long before the lease's end, too, because the
  /// clocks of others may be ahead. Must be shorter than half of the length.
  std::chrono::milliseconds grace{2'000};
  /// How long to wait for the lease.
  std::chrono::milliseconds wait{0};
  /// What the exit status is when the lease was held by somebody else, or lost.
  int conflict_exit_code = 1;
};

/// An error as the verbs of `lease` report it: they can create a missing table.
Error with_advice(const Error& error);

/// Blocks the signals that `run_under_lease` takes; to be called before there is another thread.
void block_lease_signals();

/// Runs a command in a process group of its own while the lease is held: it is told to stop when the lease is lost, and
/// killed with all of its group when the grace is over; the lease is given back when nothing of the group is left. What
/// a command that ends by itself leaves behind is not waited for. It finds the lease in its environment:
/// DOLMEN_LEASE_TOKEN, DOLMEN_LEASE_KEY, DOLMEN_LEASE_SORT, and DOLMEN_LEASE_GENERATION with fencing. SIGTERM, SIGINT
/// and SIGHUP are handed on to it. Returns its exit status, or 128 plus the signal that ended it; kFailed when the
/// command succeeded and the lease could not be given back.
int run_under_lease(Leases& leases, const LeaseKey& key, const LeaseRun& run);

}  // namespace dolmen::cli
