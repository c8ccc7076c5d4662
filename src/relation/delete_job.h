#pragma once

#include <optional>
#include <string>
#include <vector>

#include "relation/graph.h"

/// What does not fit into one transaction is a job: a Resource of a reserved type, whose parent is the queue of all
/// jobs, so that they are found without a search. It exists from the transaction that marks the root to the one that
/// removes it or its mark. Queue and jobs have a domain of their own, so that programs find them that do not know the
/// domain of the resources.
namespace dolmen::relation {

struct DeleteJob {
  DeleteProgress progress;
  /// JobKind::kAccount: the old account, if there was one, and the new one.
  std::optional<std::string> from = std::nullopt;
  std::string to = {};
};

struct NewJob {
  std::string root;
  JobKind kind = JobKind::kCascade;
  /// Only when nothing refers to the root.
  bool unused = false;
  /// A job that is gone, whose mark the root has: a delete that had been decided is decided again.
  std::optional<std::string> instead_of = std::nullopt;
};

/// The moment from which a delete cannot be taken back: the root is marked and has no parent any more.
Result<DeleteJob> begin_job(Graph& graph, const NewJob& request);

/// Notes that a job begins, and makes the record for it. Its `job` and `started_at` are filled in. There must be a
/// queue.
void plan_job(Graph& graph, Plan& plan, DeleteJob& job);
Result<void> ensure_queue(Graph& graph);

/// Nothing when it has ended.
Result<std::optional<DeleteJob>> find_job(Graph& graph, const std::string& urn);

/// All that have begun and not ended.
Result<std::vector<DeleteJob>> find_jobs(Graph& graph);

/// Adds what was deleted to the job's record.
void plan_progress(Plan& plan, const DeleteJob& job, const DeleteCount& count);

/// Notes that the job ends.
void plan_end(Plan& plan, const DeleteJob& job);

}  // namespace dolmen::relation
