#include "vector/vector_set.h"

#include <algorithm>
#include <utility>

#include "base/check.h"
#include "base/fail.h"
#include "vector/prepared_query.h"
#include "vector/scan.h"
#include "vector/top_hits.h"

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
  store_.write(row, vector, PreparedQuery::measure(options_.distance, vector));
  return row;
}

void VectorSet::publish(Row row) {
  store_.set_live(row);
  size_.fetch_add(1, std::memory_order_relaxed);
}

void VectorSet::remove(Row row) {
  const bool was_live = store_.clear_live(row);
  if (was_live) size_.fetch_sub(1, std::memory_order_relaxed);
  const std::scoped_lock lock(pool_mutex_);
  if (was_live)
    pool_.retire(row);
  else
    pool_.give_back(row);
}

Result<Row> VectorSet::add(std::span<const float> vector) {
  DOLMEN_TRY(const Row row, stage(vector));
  publish(row);
  return row;
}

Stats VectorSet::stats() const {
  const std::scoped_lock lock(pool_mutex_);
  return {.rows = size(), .waiting = pool_.retired(), .bytes = store_.bytes() + pool_.bytes()};
}

bool VectorSet::work(std::size_t) { return false; }

VectorSet::Reading VectorSet::read() const {
  const std::scoped_lock lock(pool_mutex_);
  return {*this, pool_.enter()};
}

void VectorSet::leave(RowPool::Generation generation) const {
  const std::scoped_lock lock(pool_mutex_);
  pool_.leave(generation);
}

VectorSet::Reading::Reading(Reading&& other) noexcept
    : set_(std::exchange(other.set_, nullptr)), generation_(other.generation_) {}

VectorSet::Reading::~Reading() {
  if (set_ != nullptr) set_->leave(generation_);
}

Result<Found> VectorSet::Reading::search(const Search& search) const {
  const SetOptions& options = set_->options_;
  if (search.query.size() != options.dimensions)
    return fail(Code::kValidation, "a vector of {} dimensions cannot be searched among vectors of {} dimensions",
                search.query.size(), options.dimensions);
  const PreparedQuery query(options.distance, set_->store_.stride(), search.query);
  TopHits hits(query, set_->store_, search);
  Found found;
  found.trace.compared = scan(set_->store_, query, search.filter, hits);
  found.hits = hits.take();
  return found;
}

std::span<const float> VectorSet::Reading::vector(Row row) const {
  return {set_->store_.floats(row), set_->store_.dimensions()};
}

bool VectorSet::Reading::contains(Row row) const { return row < set_->store_.end() && set_->store_.is_live(row); }

}  // namespace dolmen::vector
