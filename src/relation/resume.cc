// Going on with what was interrupted.
#include "relation/resume.h"

#include "base/fail.h"
#include "dolmen/relation/relations.h"
#include "relation/account_move.h"
#include "relation/resumer.h"
#include "relation/sweep.h"

namespace dolmen {
namespace relation {

Result<DeleteProgress> resume(Graph& graph, DeleteJob job, const OnProgress& on_progress) {
  if (job.progress.kind == JobKind::kAccount) return AccountMove(graph, std::move(job), on_progress).run();
  return Sweep(graph, std::move(job), on_progress).run();
}

Result<std::vector<DeleteProgress>> resume_all(Graph& graph, std::vector<DeleteJob> jobs, const OnProgress& on_progress,
                                               const OnResumed& on_resumed) {
  std::vector<DeleteProgress> done;
  std::optional<Error> problem;
  for (DeleteJob& job : jobs) {
    Result<DeleteProgress> progress = resume(graph, std::move(job), on_progress);
    if (on_resumed) on_resumed(progress);
    if (progress)
      done.push_back(*std::move(progress));
    else if (!problem)
      problem = progress.error();
  }
  if (problem) return std::unexpected(*std::move(problem));
  return done;
}

Resumer::Resumer(Graph& graph, std::vector<DeleteJob> jobs)
    : graph_(graph), outcome_(std::async(std::launch::async, [&graph, jobs = std::move(jobs)]() mutable {
        return resume_all(graph, std::move(jobs), {}, graph.options.on_resumed);
      })) {}

Resumer::~Resumer() {
  graph_.interrupted = true;
  outcome_.wait();
}

}  // namespace relation

Result<std::vector<DeleteProgress>> Relations::pending_deletes() {
  DOLMEN_TRY(const std::vector<relation::DeleteJob> jobs, relation::find_jobs(*graph_));
  std::vector<DeleteProgress> pending;
  for (const relation::DeleteJob& job : jobs) pending.push_back(job.progress);
  return pending;
}

Result<std::vector<DeleteProgress>> Relations::resume_deletes(const OnProgress& on_progress) {
  DOLMEN_TRY(std::vector<relation::DeleteJob> jobs, relation::find_jobs(*graph_));
  return relation::resume_all(*graph_, std::move(jobs), on_progress);
}

Result<std::optional<DeleteProgress>> Relations::resume_delete(const std::string& job, const OnProgress& on_progress) {
  DOLMEN_TRY(std::optional<relation::DeleteJob> found, relation::find_job(*graph_, job));
  if (!found) return std::nullopt;
  DOLMEN_TRY(DeleteProgress done, relation::resume(*graph_, *std::move(found), on_progress));
  return done;
}

Result<std::vector<DeleteProgress>> Relations::wait_for_resumed() {
  if (!resumer_) return std::vector<DeleteProgress>{};
  return resumer_->wait();
}

void Relations::interrupt() { graph_->interrupted = true; }

}  // namespace dolmen
