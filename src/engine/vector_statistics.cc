// Sizes of vector indexes in memory, and the recall of their graphs.
#include <chrono>
#include <set>
#include <utility>

#include "base/endian.h"
#include "base/fail.h"
#include "engine/engine.h"
#include "engine/keyspaces.h"
#include "engine/row_key.h"
#include "engine/vector_search.h"

namespace dolmen::engine {
namespace {

constexpr std::size_t kSampledNeighbours = 10;

/// A row near a random place of the index; nothing when it has none.
Result<std::optional<VectorEntry>> random_entry(const VectorIndex& index, const storage::Storage& storage,
                                                std::uint64_t place) {
  std::string lower = first_key_of(index.id);
  const std::string upper = first_key_of(index.id + 1);
  const std::string first = lower;
  append_big_endian(lower, place);
  for (const std::string& from : {lower, first}) {
    auto rows = storage.iterate(keyspaces::kItems, {.lower = from, .upper = upper});
    rows.seek_first();
    DOLMEN_TRY_VOID(rows.status());
    if (!rows.valid()) continue;
    DOLMEN_TRY(VectorEntry entry, decode_vector_row(index.definition, rows.value()));
    return entry;
  }
  return std::nullopt;
}

/// Searches in both ways for the neighbours of one vector, and adds what that took and found.
Result<double> compare_searches(const VectorSets& sets, VectorSets::Query query, VectorIndexStatistics& statistics) {
  using Clock = std::chrono::steady_clock;
  const Clock::time_point begun = Clock::now();
  query.mode = vector::Mode::kExact;
  DOLMEN_TRY(const VectorSets::Answer exact, sets.search(query));
  const Clock::time_point between = Clock::now();
  query.mode = vector::Mode::kApproximate;
  DOLMEN_TRY(const VectorSets::Answer approximate, sets.search(query));
  statistics.exact_time += between - begun;
  statistics.approximate_time += Clock::now() - between;
  statistics.by_graph += approximate.trace.way == vector::Trace::Way::kScan ? 0 : 1;
  std::set<std::string_view> keys;
  for (const VectorSets::Hit& hit : approximate.hits) keys.insert(hit.row_key);
  std::size_t found = 0;
  for (const VectorSets::Hit& hit : exact.hits) found += keys.count(hit.row_key);
  return exact.hits.empty() ? 1.0 : static_cast<double>(found) / static_cast<double>(exact.hits.size());
}

}  // namespace

Result<VectorIndexStatistics> Engine::vector_statistics(const std::string& table, const std::string& index,
                                                        std::size_t sample) {
  DOLMEN_TRY(const std::shared_ptr<const Table> found, table_for_items(table));
  const VectorIndex* vectors = found->find_vector_index(index);
  if (vectors == nullptr || vectors->state == IndexState::kDeleting)
    return fail(Code::kValidation, "The table does not have the specified index: {}", index);
  if (vectors->state == IndexState::kBuilding)
    return fail(Code::kValidation, "Cannot search backfilling vector index: {}", index);
  DOLMEN_TRY_VOID(vectors->sets->load(rows_of(*vectors, *storage_), graph_options()));
  const VectorSetsSize size = vectors->sets->size();
  VectorIndexStatistics statistics{.table = table,
                                   .index = index,
                                   .dimensions = vectors->definition.dimensions,
                                   .distance = std::string(vector_distance_name(vectors->definition.distance)),
                                   .partitions = size.partitions,
                                   .vectors = size.rows,
                                   .memory_bytes = size.bytes};
  double recall = 0;
  for (std::size_t i = 0; i < sample; ++i) {
    DOLMEN_TRY(const std::optional<VectorEntry> entry, random_entry(*vectors, *storage_, options_.random->next_u64()));
    if (!entry) break;
    const SearchValues values = search_values(vectors->definition, entry->rest.bytes);
    VectorSets::Query query{.hash = values.hash, .vector = entry->vector, .top_k = kSampledNeighbours};
    query.filters.resize(values.filters.size());
    DOLMEN_TRY(const double one, compare_searches(*vectors->sets, std::move(query), statistics));
    recall += one;
    ++statistics.sample;
  }
  if (statistics.sample > 0) statistics.recall = recall / static_cast<double>(statistics.sample);
  return statistics;
}

}  // namespace dolmen::engine
