#include "dolmen/model/query.h"

#include <algorithm>
#include <thread>

#include "base/fail.h"
#include "model/attribute_codec.h"

namespace dolmen {

namespace {

std::vector<Path> paths_of(const std::vector<std::string>& fields) {
  std::vector<Path> paths;
  for (const std::string& field : fields) paths.push_back(attr(field));
  return paths;
}

Result<const ModelIndex*> find_index(const Model& model, const std::string& name, bool consistent_read) {
  if (name.empty()) return nullptr;
  const ModelIndex* index = model.find_index(name);
  if (index == nullptr) return fail(Code::kInvalidOperator, "model \"{}\" has no index \"{}\"", model.name, name);
  if (consistent_read && index->type == IndexType::kGlobal)
    return fail(Code::kInvalidOperator, "\"{}\" is a global index, which cannot be read consistently", name);
  return index;
}

Result<std::optional<Item>> start_of(const std::optional<std::string>& text, const Model& model, const CursorUse& use) {
  if (!text) return std::nullopt;
  DOLMEN_TRY(Cursor cursor, decode_cursor(*text));
  DOLMEN_TRY_VOID(check_cursor(cursor, model, use));
  return std::move(cursor.last_key);
}

bool mentions(const FieldCondition& condition, const std::string& name) {
  if (condition.kind() == FieldCondition::Kind::kCompare) return condition.field() == name;
  return std::ranges::any_of(condition.parts(), [&](const FieldCondition& part) { return mentions(part, name); });
}

std::string cursor_text(const Page& page, const CursorUse& use) {
  if (!page.last_key) return {};
  return encode_cursor({.last_key = *page.last_key, .index = use.index, .order = use.order});
}

/// Indexes that do not have everything give back items without some of it.
bool is_part(const Model& model, const std::string& index, const std::vector<std::string>& fields) {
  const ModelIndex* found = model.find_index(index);
  return !fields.empty() || (found != nullptr && found->projection != ProjectionType::kAll);
}

bool is_for_keys(Operator op) {
  switch (op) {
    case Operator::kEqual:
    case Operator::kLess:
    case Operator::kLessOrEqual:
    case Operator::kGreater:
    case Operator::kGreaterOrEqual:
    case Operator::kBetween:
    case Operator::kBeginsWith: return true;
    default: return false;
  }
}

Result<Condition> key_condition(const detail::ModelQueryPlan& plan, const ModelIndex* index) {
  const detail::ModelSource& source = *plan.source;
  const KeyAttribute& partition = index == nullptr ? source.model.partition_key : index->partition_key;
  const std::optional<KeyAttribute>& sort = index == nullptr ? source.model.sort_key : index->sort_key;
  if (!plan.partition || plan.partition->is_null())
    return fail(Code::kInvalidOperator, "a query needs a value of the partition key {}", partition.name);
  for (const KeyAttribute* key : {&partition, sort ? &*sort : nullptr})
    if (key != nullptr && mentions(plan.filter, key->name))
      return fail(Code::kInvalidOperator, "\"{}\" is part of the key and cannot be used in a filter", key->name);
  DOLMEN_TRY(Condition condition, compile_condition(source.model,
                                                    FieldCondition::compare(partition.name, Operator::kEqual,
                                                                            std::vector(1, *plan.partition)),
                                                    source.encoding()));
  if (plan.sort_key.empty()) return condition;
  if (!sort) return fail(Code::kInvalidOperator, "the table or index has no sort key to put a condition on");
  if (plan.sort_key.kind() != FieldCondition::Kind::kCompare || plan.sort_key.field() != sort->name)
    return fail(Code::kInvalidOperator, "the sort key takes one comparison of \"{}\"", sort->name);
  if (!is_for_keys(plan.sort_key.op()))
    return fail(Code::kInvalidOperator, "keys can be compared only with =, <, <=, >, >=, BETWEEN and BEGINS_WITH");
  DOLMEN_TRY(Condition sorted, compile_condition(source.model, plan.sort_key, source.encoding()));
  return std::move(condition) && std::move(sorted);
}

}  // namespace

// ---- Queries ----

Result<QueryOptions> detail::ModelQueryPlan::options() const {
  DOLMEN_TRY_VOID(check_encryption(source->model, source->keys));
  DOLMEN_TRY(const ModelIndex* found, find_index(source->model, index, consistent_read));
  QueryOptions options{.index = index,
                       .projection = paths_of(fields),
                       .descending = order == SortOrder::kDescending,
                       .limit = limit,
                       .page_size = page_size,
                       .consistent_read = consistent_read};
  DOLMEN_TRY(options.key, key_condition(*this, found));
  DOLMEN_TRY(options.filter, compile_condition(source->model, filter, source->encoding()));
  DOLMEN_TRY(options.start_after, start_of(cursor, source->model, {.index = index, .order = order}));
  return options;
}

std::string detail::ModelQueryPlan::next_cursor(const Page& page) const {
  return cursor_text(page, {.index = index, .order = order});
}

bool detail::ModelQueryPlan::is_partial() const { return is_part(source->model, index, fields); }

// ---- Scans ----

Result<ScanOptions> detail::ModelScanPlan::options() const {
  DOLMEN_TRY_VOID(check_encryption(source->model, source->keys));
  DOLMEN_TRY_VOID(find_index(source->model, index, consistent_read));
  if (segment && segment->segment >= segment->total)
    return fail(Code::kInvalidOperator, "segment {} of {} does not exist; segments count from 0", segment->segment,
                segment->total);
  ScanOptions options{.index = index,
                      .projection = paths_of(fields),
                      .segment = segment,
                      .limit = limit,
                      .page_size = page_size,
                      .consistent_read = consistent_read};
  DOLMEN_TRY(options.filter, compile_condition(source->model, filter, source->encoding()));
  DOLMEN_TRY(options.start_after, start_of(cursor, source->model, {.index = index}));
  return options;
}

std::string detail::ModelScanPlan::next_cursor(const Page& page) const { return cursor_text(page, {.index = index}); }

bool detail::ModelScanPlan::is_partial() const { return is_part(source->model, index, fields); }

Result<std::vector<Item>> detail::ModelScanPlan::all_segments(std::uint32_t total) const {
  constexpr std::uint32_t kSegmentsMax = 64;
  if (total == 0 || total > kSegmentsMax)
    return fail(Code::kInvalidOperator, "a parallel scan has 1 to {} segments, not {}", kSegmentsMax, total);
  if (segment || cursor || limit > 0)
    return fail(Code::kInvalidOperator, "a scan of all segments cannot have a segment, cursor or limit");
  DOLMEN_TRY(const ScanOptions whole, options());
  std::vector<Result<std::vector<Item>>> parts(total);
  {
    std::vector<std::jthread> threads;
    for (std::uint32_t i = 0; i < total; ++i)
      threads.emplace_back([&, i] {
        ScanOptions part = whole;
        part.segment = ScanSegment{i, total};
        parts[i] = source->store->scan(source->table, std::move(part)).all();
      });
  }
  std::vector<Item> items;
  for (Result<std::vector<Item>>& part : parts) {
    if (!part) return std::unexpected(std::move(part).error());
    std::ranges::move(*part, std::back_inserter(items));
  }
  return items;
}

}  // namespace dolmen
