#include "vector/vector_set.h"

#include <algorithm>
#include <utility>

#include "base/check.h"
#include "base/fail.h"
#include "vector/comparer.h"
#include "vector/graph.h"

namespace dolmen::vector {

VectorSet::VectorSet(const SetOptions& options)
    : options_(options), store_(options.dimensions), pool_(std::min(options.rows_max, kRowsMax)) {
  DOLMEN_CHECK(options.dimensions > 0, "vectors have dimensions");
}

VectorSet::~VectorSet() = default;

Result<Row> VectorSet::stage(std::span<const float> vector) {
  if (vector.size() != options_.dimensions)
    return fail(Code::kValidation, "a vector of {} dimensions cannot be in a set of vectors of {} dimensions",
                vector.size(), options_.dimensions);
  Row row = 0;
  {
    const std::scoped_lock lock(pool_mutex_);
    const std::optional<Row> taken = pool_.take();
    if (!taken) return fail(Code::kLimitExceeded, "a set of vectors has at most {} rows", options_.rows_max);
    if (!store_.grow(pool_.end())) {
      pool_.give_back(*taken);
      return fail(Code::kLimitExceeded, "there is no memory for more than {} vectors of {} dimensions", store_.end(),
                  options_.dimensions);
    }
    row = *taken;
  }
  store_.write(row, vector, measure_of(options_.distance, vector));
  return row;
}

void VectorSet::publish(Row row) {
  store_.set_live(row);
  size_.fetch_add(1);
  tell_of_work();
}

void VectorSet::remove(Row row) {
  {
    const std::scoped_lock lock(pool_mutex_);
    if (!store_.clear_live(row)) return pool_.give_back(row);
    size_.fetch_sub(1);
    // Walks pass through a dead node until the graph is repaired.
    if (graph_ != nullptr && (inserting_ == row || graph_->links().is_node(row)))
      dead_.fetch_add(1);
    else
      pool_.retire(row);
  }
  tell_of_work();
}

Result<Row> VectorSet::add(std::span<const float> vector) {
  DOLMEN_TRY(const Row row, stage(vector));
  publish(row);
  return row;
}

Stats VectorSet::stats() const {
  const std::scoped_lock lock(pool_mutex_);
  Stats stats{.rows = size(), .retired = pool_.retired(), .bytes = store_.bytes() + pool_.bytes()};
  if (graph_ != nullptr) {
    stats.has_graph = true;
    stats.graph_nodes = nodes_.load();
    stats.graph_dead = dead_.load();
    stats.graph_bytes = graph_->links().bytes();
  }
  return stats;
}

VectorSet::Reading VectorSet::read() const {
  const std::scoped_lock lock(pool_mutex_);
  return {*this, pool_.enter(), graph_};
}

void VectorSet::leave(RowPool::Generation generation) const {
  const std::scoped_lock lock(pool_mutex_);
  pool_.leave(generation);
}

VectorSet::Reading::Reading(const VectorSet& set, RowPool::Generation generation, std::shared_ptr<const Graph> graph)
    : set_(&set), generation_(generation), graph_(std::move(graph)) {}

VectorSet::Reading::Reading(Reading&& other) noexcept
    : set_(std::exchange(other.set_, nullptr)), generation_(other.generation_), graph_(std::move(other.graph_)) {}

VectorSet::Reading::~Reading() {
  if (set_ != nullptr) set_->leave(generation_);
}

std::span<const float> VectorSet::Reading::vector(Row row) const {
  return {set_->store_.floats(row), set_->store_.dimensions()};
}

bool VectorSet::Reading::contains(Row row) const { return row < set_->store_.end() && set_->store_.is_live(row); }

}  // namespace dolmen::vector
