#pragma once

#include <optional>
#include <string>
#include <vector>

#include "relation/graph.h"

/// A delete that does not fit into one transaction is a job: a Resource of a reserved type, whose parent is the queue
/// of all jobs, so that they are found without a search. It exists from the transaction that marks the root to the one
/// that removes it.
namespace dolmen::relation {

enum class JobKind : std::uint8_t { kCascade, kPurge };

struct DeleteJob {
  JobKind kind = JobKind::kCascade;
  DeleteProgress progress;
};

/// The parent of all jobs.
std::string queue_urn(const Graph& graph);

struct NewJob {
  std::string root;
  JobKind kind = JobKind::kCascade;
  /// Only when the root has no children.
  bool childless = false;
  /// A job that is gone, whose mark the root has: a delete that had been decided is decided again.
  std::optional<std::string> instead_of = std::nullopt;
};

/// The moment from which a delete cannot be taken back: the root is marked and has no parent any more.
Result<DeleteJob> begin_job(Graph& graph, const NewJob& request);

/// Nothing when it has ended.
Result<std::optional<DeleteJob>> find_job(Graph& graph, const std::string& urn);

/// All that have begun and not ended.
Result<std::vector<DeleteJob>> find_jobs(Graph& graph);

/// Adds what was deleted to the job's record.
void plan_progress(Plan& plan, const DeleteJob& job, const DeleteCount& count);

/// Notes that the job ends.
void plan_end(const Graph& graph, Plan& plan, const DeleteJob& job);

}  // namespace dolmen::relation
