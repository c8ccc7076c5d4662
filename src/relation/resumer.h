#pragma once

#include <future>
#include <vector>

#include "relation/resume.h"

namespace dolmen::relation {

/// Carries jobs to their end in the background. Interrupts them when it is destroyed.
class Resumer {
 public:
  Resumer(Graph& graph, std::vector<DeleteJob> jobs);
  ~Resumer();
  Resumer(const Resumer&) = delete;
  Resumer& operator=(const Resumer&) = delete;

  /// Waits for the end.
  Result<std::vector<DeleteProgress>> wait() { return outcome_.get(); }

 private:
  Graph& graph_;
  std::shared_future<Result<std::vector<DeleteProgress>>> outcome_;
};

}  // namespace dolmen::relation
