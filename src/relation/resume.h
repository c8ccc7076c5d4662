#pragma once

#include <functional>
#include <vector>

#include "relation/delete_job.h"

namespace dolmen::relation {

/// Carries a job of any kind to its end.
Result<DeleteProgress> resume(Graph& graph, DeleteJob job, const OnProgress& on_progress);

using OnResumed = std::function<void(const Result<DeleteProgress>&)>;

/// All jobs. One that fails does not stop the others; the first error is then the answer.
Result<std::vector<DeleteProgress>> resume_all(Graph& graph, std::vector<DeleteJob> jobs, const OnProgress& on_progress,
                                               const OnResumed& on_resumed = {});

}  // namespace dolmen::relation
