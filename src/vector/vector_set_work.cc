#include <bit>
#include <utility>
#include <vector>

#include "vector/graph.h"
#include "vector/graph_file.h"
#include "vector/vector_set.h"

namespace dolmen::vector {
namespace {

/// A graph is repaired when a fifth of its nodes are dead: one pass over all nodes then costs each removal about as
/// much as an insertion. It is made anew when more than half are.
constexpr std::size_t kRepairPart = 5;
constexpr std::size_t kRenewPart = 2;

}  // namespace

bool VectorSet::is_work_due() const {
  if (no_memory_.load()) return false;
  const std::size_t size = size_.load();
  if (!has_graph_.load()) return size >= options_.graph_rows_min;
  const std::size_t nodes = nodes_.load();
  const std::size_t dead = dead_.load();
  return size + dead != nodes || dead * kRepairPart > nodes || size * 2 < options_.graph_rows_min;
}

void VectorSet::tell_of_work() {
  if (options_.work_due && is_work_due() && !told_.exchange(true)) options_.work_due(*this);
}

bool VectorSet::work(std::size_t rows) {
  if (working_.exchange(true)) return false;
  while (rows > 0 && is_work_due() && work_some(rows)) {}
  // Who changes the set from now on sees that the owner has to be told, or is seen here.
  told_.store(false);
  const bool more = is_work_due() && !told_.exchange(true);
  end_work();
  return more;
}

void VectorSet::wait_for_worker() const {
  while (working_.exchange(true)) working_.wait(true);
}

void VectorSet::end_work() const {
  working_.store(false);
  working_.notify_all();
}

std::string VectorSet::save_graph() const {
  wait_for_worker();
  // Only the worker replaces the graph.
  std::string bytes = graph_ == nullptr ? std::string() : GraphFile::save(*graph_);
  end_work();
  return bytes;
}

Result<std::size_t> VectorSet::load_graph(std::string_view bytes) {
  wait_for_worker();
  auto graph = std::make_shared<Graph>(store_, options_.distance, options_.seed);
  Result<std::size_t> nodes =
      has_graph_.load() || size() < options_.graph_rows_min ? Result<std::size_t>(0) : GraphFile::load(bytes, *graph);
  if (nodes && *nodes > 0) {
    const std::scoped_lock lock(pool_mutex_);
    graph_ = std::move(graph);
    nodes_.store(*nodes);
    has_graph_.store(true);
  }
  end_work();
  tell_of_work();
  return nodes;
}

bool VectorSet::work_some(std::size_t& rows) {
  if (!has_graph_.load()) {
    const std::scoped_lock lock(pool_mutex_);
    graph_ = std::make_shared<Graph>(store_, options_.distance, options_.seed);
    has_graph_.store(true);
    return true;
  }
  const std::size_t nodes = nodes_.load();
  const std::size_t dead = dead_.load();
  if (dead * kRenewPart > nodes || size_.load() * 2 < options_.graph_rows_min) {
    drop_graph();
    return true;
  }
  if (graph_->is_repairing()) {
    repair(rows);
    return true;
  }
  if (dead * kRepairPart > nodes) {
    begin_repair();
    return true;
  }
  const std::optional<Row> row = claim_waiting_row();
  if (!row) return false;
  insert_next_row(*row);
  --rows;
  return true;
}

std::optional<Row> VectorSet::claim_waiting_row() {
  const std::size_t words = (store_.end() + 63) / 64;
  for (std::size_t i = 0; i < words; ++i, ++next_word_) {
    if (next_word_ >= words) next_word_ = 0;
    std::uint64_t waiting = store_.live_word(next_word_) & ~graph_->links().node_word(next_word_);
    for (; waiting != 0; waiting &= waiting - 1) {
      const auto row = static_cast<Row>(next_word_ * 64 + static_cast<std::size_t>(std::countr_zero(waiting)));
      const std::scoped_lock lock(pool_mutex_);
      if (!store_.is_live(row)) continue;
      inserting_ = row;
      return row;
    }
  }
  return std::nullopt;
}

void VectorSet::insert_next_row(Row row) {
  const bool inserted = graph_->insert(row);
  {
    const std::scoped_lock lock(pool_mutex_);
    inserting_ = kNoRow;
    nodes_.store(graph_->links().nodes());
    // A row that was removed meanwhile counts as a dead node, which it did not become.
    if (!inserted && !store_.is_live(row)) pool_.retire(row);
  }
  if (inserted) return;
  drop_graph();
  no_memory_.store(true);
}

void VectorSet::begin_repair() {
  std::vector<Row> dead;
  for (std::size_t word = 0; word * 64 < store_.end(); ++word)
    for (std::uint64_t bits = graph_->links().node_word(word) & ~store_.live_word(word); bits != 0; bits &= bits - 1)
      dead.push_back(static_cast<Row>(word * 64 + static_cast<std::size_t>(std::countr_zero(bits))));
  graph_->begin_repair(std::move(dead));
}

void VectorSet::repair(std::size_t& rows) {
  const std::vector<Row> dead = graph_->repair(rows);
  const std::scoped_lock lock(pool_mutex_);
  for (const Row row : dead) pool_.retire(row);
  dead_.fetch_sub(dead.size());
  nodes_.store(graph_->links().nodes());
}

void VectorSet::drop_graph() {
  const std::scoped_lock lock(pool_mutex_);
  for (std::size_t word = 0; word * 64 < store_.end(); ++word)
    for (std::uint64_t bits = graph_->links().node_word(word) & ~store_.live_word(word); bits != 0; bits &= bits - 1)
      pool_.retire(static_cast<Row>(word * 64 + static_cast<std::size_t>(std::countr_zero(bits))));
  graph_.reset();
  has_graph_.store(false);
  nodes_.store(0);
  dead_.store(0);
  next_word_ = 0;
}

}  // namespace dolmen::vector
