#include "engine/vector_sets.h"

#include <cstring>
#include <utility>

#include "base/fail.h"
#include "base/hash.h"
#include "engine/vector_digest.h"
#include "engine/vector_partition.h"

namespace dolmen::engine {
namespace {

vector::Distance distance_of(VectorDistance distance) {
  switch (distance) {
    case VectorDistance::kCosine: return vector::Distance::kCosine;
    case VectorDistance::kDotProduct: return vector::Distance::kDotProduct;
    case VectorDistance::kEuclidean: return vector::Distance::kEuclidean;
  }
  return vector::Distance::kCosine;
}

std::size_t filters_of(const VectorIndexDefinition& definition) {
  std::size_t count = 0;
  for (const SearchAttribute& attribute : definition.search) count += attribute.role == SearchRole::kInlineFilter;
  return count;
}

}  // namespace

VectorSets::VectorSets(const VectorIndexDefinition& definition) : definition_(definition) {}
VectorSets::~VectorSets() = default;

void VectorSets::apply(std::string_view row_key, const VectorEntry* entry) {
  const std::lock_guard lock(changes_mutex_);
  switch (state_) {
    case State::kUnloaded: return;
    case State::kLoading:
      pending_.push_back({std::string(row_key), entry == nullptr ? std::nullopt : std::optional(*entry)});
      return;
    case State::kLoaded: return change(row_key, entry);
  }
}

void VectorSets::change(std::string_view row_key, const VectorEntry* entry) {
  std::optional<Place> old;
  if (const auto found = places_.find(row_key); found != places_.end()) {
    old = std::move(found->second);
    places_.erase(found);
  }
  if (entry != nullptr)
    if (Result<void> added = add(row_key, *entry); !added) failure_ = std::move(added).error();
  // A search in between finds both rows, and sees by the digest which one counts.
  if (old) remove(*old);
}

Result<void> VectorSets::add(std::string_view row_key, const VectorEntry& entry) {
  const SearchValues values = search_values(definition_, entry.rest.bytes);
  std::shared_ptr<VectorPartition> partition = partition_of(values.hash);
  DOLMEN_TRY(const vector::Row row, partition->add(row_key, entry.vector, values.filters));
  const std::string_view key = partition->key(row);
  places_.insert_or_assign(key, Place{.partition = std::move(partition), .row = row});
  return {};
}

void VectorSets::remove(const Place& place) {
  place.partition->remove(place.row);
  if (place.partition->set().size() == 0) partitions_.erase(place.partition->hash());
}

std::shared_ptr<VectorPartition> VectorSets::partition_of(const std::string& hash) {
  std::shared_ptr<VectorPartition>& partition = partitions_[hash];
  if (partition != nullptr) return partition;
  // The set calls it while the lock is held, so it must not come back here.
  auto self = std::make_shared<std::weak_ptr<VectorPartition>>();
  vector::SetOptions options{.dimensions = static_cast<std::size_t>(definition_.dimensions),
                             .distance = distance_of(definition_.distance)};
  if (graphs_.rows_min > 0) options.graph_rows_min = graphs_.rows_min;
  if (graphs_.work_due) options.work_due = [self, due = graphs_.work_due](vector::VectorSet&) { due(*self); };
  partition = std::make_shared<VectorPartition>(hash, std::move(options), filters_of(definition_));
  *self = partition;
  return partition;
}

void VectorSets::clear() {
  places_.clear();
  partitions_.clear();
  pending_.clear();
  failure_.reset();
}

bool VectorSets::is_loaded() const {
  const std::lock_guard lock(changes_mutex_);
  return state_ == State::kLoaded;
}

Result<void> VectorSets::load(const Source& source, const GraphOptions& graphs) {
  {
    std::unique_lock lock(changes_mutex_);
    loaded_.wait(lock, [this] { return state_ != State::kLoading; });
    if (state_ == State::kLoaded) return {};
    state_ = State::kLoading;
    graphs_ = graphs;
  }
  // Changes from now on wait, and what was changed before is in the source. A change that is in both has the same
  // effect twice. Nobody else looks into the sets while they are being loaded.
  Result<void> added;
  Result<void> read = source([&](std::string_view row_key, const VectorEntry& entry) {
    if (added) added = add(row_key, entry);
  });
  if (read && !added) read = std::move(added);
  const std::lock_guard lock(changes_mutex_);
  if (read) {
    for (const Change& waiting : std::exchange(pending_, {}))
      change(waiting.row_key, waiting.entry ? &*waiting.entry : nullptr);
  } else {
    clear();
  }
  state_ = read ? State::kLoaded : State::kUnloaded;
  loaded_.notify_all();
  return read;
}

Result<VectorSets::Answer> VectorSets::search(const Query& query) const {
  std::shared_ptr<const VectorPartition> partition;
  std::optional<VectorPartition::Selection> selection;
  {
    const std::lock_guard lock(changes_mutex_);
    if (failure_) return std::unexpected(*failure_);
    const auto found = partitions_.find(query.hash);
    if (found == partitions_.end()) return Answer{};
    partition = found->second;
    selection.emplace(*partition, query.filters);
  }
  if (selection->is_empty()) return Answer{};
  const auto tie_before = [&](vector::Row a, vector::Row b) { return partition->key(a) < partition->key(b); };
  DOLMEN_TRY(const vector::Found found, selection->reading().search({.query = query.vector,
                                                                     .top_k = query.top_k,
                                                                     .mode = query.mode,
                                                                     .filter = selection->filter(),
                                                                     .tie_before = tie_before}));
  Answer answer{.hits = {}, .trace = found.trace};
  for (const vector::Hit& hit : found.hits)
    answer.hits.push_back({.row_key = std::string(partition->key(hit.row)),
                           .score = hit.score,
                           .digest = digest_of(selection->reading().vector(hit.row))});
  return answer;
}

std::size_t VectorSets::rows_for(const std::string& hash) const {
  const std::lock_guard lock(changes_mutex_);
  const auto found = partitions_.find(hash);
  return found == partitions_.end() ? 0 : found->second->set().size();
}

VectorSetsSize VectorSets::size() const {
  const std::lock_guard lock(changes_mutex_);
  VectorSetsSize size{.partitions = partitions_.size()};
  for (const auto& [hash, partition] : partitions_) {
    size.rows += partition->set().size();
    size.bytes += partition->bytes() + hash.size();
  }
  // Each place is a node of a map, which also has the key of the row.
  constexpr std::size_t kNodeBytes = 2 * sizeof(void*);
  size.bytes += places_.size() * (sizeof(std::string_view) + sizeof(Place) + kNodeBytes);
  for (const auto& [key, place] : places_)
    if (key.size() > sizeof(std::string) / 2) size.bytes += key.size() + 1;
  return size;
}

bool work_on(VectorPartition& partition) {
  constexpr std::size_t kRowsAtOnce = 64;
  return partition.set().work(kRowsAtOnce);
}

}  // namespace dolmen::engine
