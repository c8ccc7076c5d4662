#include "engine/vector_search.h"

#include <algorithm>
#include <limits>
#include <set>
#include <utility>

#include "base/fail.h"
#include "engine/keyspaces.h"
#include "engine/row_key.h"
#include "engine/vector_digest.h"
#include "engine/vector_entry.h"
#include "expr/projection.h"
#include "service/expressions.h"
#include "vector/distance.h"

namespace dolmen::engine {
namespace {

/// How often a search is repeated because what it found changed meanwhile. Each time it sees all changes until then.
constexpr int kRepeatsMax = 4;
/// Searches that look at more bytes are not done by the thread that asks.
constexpr std::size_t kShortBytesMax = std::size_t{2} << 20;

vector::Mode mode_of(VectorSearchMode mode) {
  switch (mode) {
    case VectorSearchMode::kAuto: return vector::Mode::kAuto;
    case VectorSearchMode::kExact: return vector::Mode::kExact;
    case VectorSearchMode::kApproximate: return vector::Mode::kApproximate;
  }
  return vector::Mode::kAuto;
}

vector::Distance distance_between(VectorDistance distance) {
  return distance == VectorDistance::kCosine       ? vector::Distance::kCosine
         : distance == VectorDistance::kDotProduct ? vector::Distance::kDotProduct
                                                   : vector::Distance::kEuclidean;
}

std::string_view way_name(vector::Trace::Way way) {
  switch (way) {
    case vector::Trace::Way::kScan: return "scan";
    case vector::Trace::Way::kGraph: return "graph";
    case vector::Trace::Way::kBoth: return "both";
  }
  return "";
}

const SearchAttribute* find_search(const VectorIndexDefinition& definition, std::string_view name) {
  const auto found = std::ranges::find(definition.search, name, &SearchAttribute::name);
  return found == definition.search.end() ? nullptr : &*found;
}

std::string encoded(const AttributeValue& value) {
  std::string bytes;
  append_value(bytes, value);
  return bytes;
}

/// VectorSearchRequestBytes. AWS's own figures are not reproducible; these are those of small indexes.
double search_bytes(const VectorIndexDefinition& definition, const SearchVectorsResponse& response) {
  constexpr double kPerDimension = 30.6875;
  constexpr double kPerResult = 65;
  constexpr double kLeast = 1024;
  double bytes = kPerDimension * static_cast<double>(definition.dimensions);
  for (const FoundVector& found : response.results)
    bytes += kPerResult + static_cast<double>(item_size(found.item.bytes) + sizeof(float) * found.vector.size());
  return std::max(bytes, kLeast);
}

}  // namespace

/// A row of the index that was found, as it is now.
struct VectorSearch::Row {
  std::string key;
  float score = 0;
  VectorEntry entry;
};

Result<VectorSearch> VectorSearch::prepare(SearchVectorsRequest request) {
  VectorSearch search(std::move(request));
  const SearchVectorsRequest& given = *search.request_;
  ExpressionReader reader(given.placeholders);
  if (given.condition) {
    DOLMEN_TRY(const expr::Node condition, reader.search_condition(*given.condition));
    DOLMEN_TRY(search.conditions_, expr::search_conditions_of(condition));
  }
  if (given.projection) {
    DOLMEN_TRY(search.projection_, reader.projection(*given.projection));
  }
  if (given.condition || given.projection) DOLMEN_TRY_VOID(reader.finish());
  return search;
}

Result<void> VectorSearch::attach(std::shared_ptr<const Table> table, TableTime now) {
  table_ = std::move(table);
  index_ = table_->find_vector_index(request_->index);
  const bool allocating = index_ != nullptr && index_->state == IndexState::kBuilding && now < index_->allocated_at;
  if (index_ == nullptr || index_->state == IndexState::kDeleting || allocating)
    return fail(Code::kValidation, "The table does not have the specified index: {}", request_->index);
  if (index_->state == IndexState::kBuilding)
    return fail(Code::kValidation, "Cannot search backfilling vector index: {}", request_->index);
  if (std::cmp_not_equal(request_->vector.size(), index_->definition.dimensions))
    return fail(Code::kValidation, "Input search vector dimension {} does not match vector index dimension {}",
                request_->vector.size(), index_->definition.dimensions);
  DOLMEN_TRY_VOID(match_schema());
  if (!projection_) return {};
  std::vector<const expr::Path*> paths;
  for (const expr::Path& path : *projection_) paths.push_back(&path);
  return check_key_paths(*table_, paths);
}

/// Which attributes there are, then how often, then whether the HASH attribute is there, then the values.
Result<void> VectorSearch::match_schema() {
  const VectorIndexDefinition& definition = index_->definition;
  const auto hash = std::ranges::find(definition.search, SearchRole::kHash, &SearchAttribute::role);
  const std::vector<expr::SearchCondition> none;
  const std::vector<expr::SearchCondition>& conditions = conditions_ ? *conditions_ : none;
  for (const expr::SearchCondition& condition : conditions)
    if (find_search(definition, condition.attribute) == nullptr)
      return fail(Code::kValidation,
                  "SearchConditionExpression must not contain any attributes that is not in SearchSchema. Invalid "
                  "attribute: {}",
                  condition.attribute);
  std::set<std::string_view> seen;
  for (const expr::SearchCondition& condition : conditions)
    if (!seen.insert(condition.attribute).second)
      return fail(Code::kValidation,
                  "Invalid SearchConditionExpression: SearchConditionExpression must only contain one condition per "
                  "attribute");
  if (hash != definition.search.end() && !conditions_)
    return fail(Code::kValidation, "SearchConditionExpression must be provided when SearchSchema has a HASH key");
  if (hash != definition.search.end() && !seen.contains(hash->name))
    return fail(Code::kValidation,
                "SearchConditionExpression must have all HASH attributes in configured SearchSchema");
  query_ = {.vector = request_->vector, .top_k = request_->top_k, .mode = mode_of(request_->mode)};
  for (const SearchAttribute& attribute : definition.search) {
    const auto asked = std::ranges::find(conditions, attribute.name, &expr::SearchCondition::attribute);
    if (asked != conditions.end()) DOLMEN_TRY_VOID(check_operand(attribute, asked->value));
    const auto value = asked == conditions.end() ? std::nullopt : std::optional(encoded(asked->value));
    if (attribute.role == SearchRole::kHash)
      query_.hash = *value;
    else
      query_.filters.push_back(value);
  }
  return {};
}

Result<void> VectorSearch::check_operand(const SearchAttribute& attribute, const AttributeValue& value) const {
  const std::string bytes = encoded(value);
  if (!has_key_type(bytes, attribute.type))
    return fail(Code::kValidation,
                "Type of '{}' attribute in SearchConditionExpression ({}) does not match type in search schema ({})",
                attribute.name, type_name(value.type()), key_type_name(attribute.type));
  if (attribute.role == SearchRole::kHash) return check_key_length({attribute.name, attribute.type}, bytes, true);
  return {};
}

bool VectorSearch::is_short() const {
  if (!index_->sets->is_loaded()) return false;
  const auto dimensions = static_cast<std::size_t>(index_->definition.dimensions);
  return index_->sets->rows_for(query_.hash) * dimensions * sizeof(float) <= kShortBytesMax;
}

Result<SearchVectorsResponse> VectorSearch::run(const storage::Storage& storage, const GraphOptions& graphs) const {
  if (request_->trace) request_->trace->enter(ReadTrace::Phase::kRead);
  DOLMEN_TRY_VOID(index_->sets->load(rows_of(*index_, storage), graphs));
  VectorSets::Answer answer;
  std::optional<std::vector<Row>> rows;
  for (int repeats = 0; !rows; ++repeats) {
    DOLMEN_TRY(answer, index_->sets->search(query_));
    if (request_->trace) request_->trace->enter(ReadTrace::Phase::kFetch);
    DOLMEN_TRY(rows, read_rows(storage, answer.hits, repeats == kRepeatsMax));
  }
  if (request_->trace) request_->trace->enter(ReadTrace::Phase::kProject);
  DOLMEN_TRY(SearchVectorsResponse response, respond(*std::move(rows)));
  const double bytes = search_bytes(index_->definition, response);
  if (request_->return_capacity != ReturnCapacity::kNone) response.search_bytes = bytes;
  trace(answer.trace, response, bytes);
  return response;
}

std::string VectorSearch::row_key_of(const std::string& key) const { return first_key_of(index_->id).append(key); }

bool VectorSearch::matches(const VectorEntry& entry) const {
  const SearchValues values = search_values(index_->definition, entry.rest.bytes);
  if (values.hash != query_.hash) return false;
  for (std::size_t i = 0; i < query_.filters.size(); ++i)
    if (query_.filters[i] && *query_.filters[i] != values.filters[i]) return false;
  return true;
}

/// The rows decide, not the memory: between a commit and its effect in memory both may differ.
Result<std::optional<std::vector<VectorSearch::Row>>> VectorSearch::read_rows(const storage::Storage& storage,
                                                                              const std::vector<VectorSets::Hit>& hits,
                                                                              bool settled) const {
  const vector::Distance distance = distance_between(index_->definition.distance);
  std::vector<Row> rows;
  std::set<std::string_view> seen;
  bool changed = false;
  for (const VectorSets::Hit& hit : hits) {
    std::string bytes;
    DOLMEN_TRY(const bool exists, storage.get(keyspaces::kItems, row_key_of(hit.row_key), bytes));
    if (!exists || !seen.insert(hit.row_key).second) {
      changed = true;
      continue;
    }
    Row row{.key = hit.row_key, .score = hit.score};
    DOLMEN_TRY(row.entry, decode_vector_row(index_->definition, bytes));
    if (!matches(row.entry)) {
      changed = true;
      continue;
    }
    if (digest_of(row.entry.vector) != hit.digest) {
      changed = true;
      row.score = vector::score(distance, request_->vector, row.entry.vector);
    }
    rows.push_back(std::move(row));
  }
  if (changed && !settled) return std::nullopt;
  if (changed)
    std::ranges::stable_sort(rows,
                             [&](const Row& a, const Row& b) { return vector::is_better(distance, a.score, b.score); });
  return rows;
}

std::vector<float> VectorSearch::shown_elements(const std::vector<float>& vector) const {
  std::set<std::size_t> positions;
  for (const expr::Path& path : *projection_) {
    if (path.attribute() != index_->definition.attribute) continue;
    if (!path.is_nested()) return vector;
    const auto* position = std::get_if<std::uint32_t>(&path.parts[1]);
    if (position != nullptr && path.parts.size() == 2 && *position < vector.size()) positions.insert(*position);
  }
  std::vector<float> elements;
  for (const std::size_t position : positions) elements.push_back(vector[position]);
  return elements;
}

Result<FoundVector> VectorSearch::shown(const Row& row) const {
  FoundVector found{.item = row.entry.rest, .score = static_cast<double>(row.score)};
  if (!projection_) return found;
  DOLMEN_TRY(const Item tree, decode_item(row.entry.rest.bytes));
  found.item = encode_item(expr::project(tree, *projection_));
  found.vector = shown_elements(row.entry.vector);
  return found;
}

Result<SearchVectorsResponse> VectorSearch::respond(std::vector<Row> rows) const {
  SearchVectorsResponse response{.results = {}, .vector_attribute = index_->definition.attribute};
  for (const Row& row : rows) {
    DOLMEN_TRY(response.results.emplace_back(), shown(row));
  }
  return response;
}

void VectorSearch::trace(const vector::Trace& trace, const SearchVectorsResponse& response, double bytes) const {
  if (!request_->trace) return;
  ReadTrace::Part& part = request_->trace->part(table_->definition.name, index_->definition.name);
  part.searched(way_name(trace.way), trace.compared);
  for (const FoundVector& found : response.results) part.returned(item_size(found.item.bytes));
  part.add_capacity(bytes);
}

VectorSets::Source rows_of(const VectorIndex& index, const storage::Storage& storage) {
  return [&index, &storage](const auto& add) -> Result<void> {
    const std::string lower = first_key_of(index.id);
    const std::string upper = first_key_of(index.id + 1);
    auto rows = storage.iterate(keyspaces::kItems, {.lower = lower, .upper = upper});
    for (rows.seek_first(); rows.valid(); rows.next()) {
      DOLMEN_TRY(const VectorEntry entry, decode_vector_row(index.definition, rows.value()));
      add(rows.key().substr(sizeof(TableId)), entry);
    }
    return rows.status();
  };
}

}  // namespace dolmen::engine
