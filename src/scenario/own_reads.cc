#include <limits>

#include "base/fail.h"
#include "scenario/fields.h"
#include "scenario/own_steps.h"

namespace dolmen::scenario {

namespace {

constexpr std::int64_t kSegmentsMax = 1'000'000;

/// The parts that queries and scans have in common.
template <class Read>
Result<void> set_common(const LogicalItem& step, World& world, const Model& model, Read& read) {
  if (find(step, "index") != nullptr) {
    DOLMEN_TRY(std::string index, text_of(step, "index"));
    read.index(std::move(index));
  }
  DOLMEN_TRY(FieldCondition filter, condition_of(step, "filter", model));
  read.filter(std::move(filter));
  DOLMEN_TRY(std::vector<std::string> fields, names_of(step, "project"));
  read.project(std::move(fields));
  DOLMEN_TRY(const bool consistent, flag_of(step, "consistent_read"));
  read.consistent_read(consistent);
  DOLMEN_TRY(const std::optional<std::int64_t> limit, optional_integer_of(step, "limit"));
  if (limit && (*limit < 1 || *limit > std::numeric_limits<std::int32_t>::max()))
    return fail(Code::kInvalidArgument, "limit must be at least 1");
  if (limit) read.limit(static_cast<std::uint32_t>(*limit));
  DOLMEN_TRY(std::optional<std::string> cursor, cursor_of(step, world.variables));
  if (cursor) read.cursor(*std::move(cursor));
  return {};
}

Result<Outcome> page_outcome(const Result<ModelPage>& page) {
  if (!page) return Outcome{.failure = Failure::of(page.error())};
  return Outcome{.items = page->items, .cursor = page->cursor};
}

Result<ModelQuery> query_of(const LogicalItem& step, World& world) {
  DOLMEN_TRY(ModelTable* const table, world.table_for(step));
  ModelQuery query = table->query();
  DOLMEN_TRY_VOID(set_common(step, world, table->model(), query));
  if (find(step, "partition") != nullptr) {
    DOLMEN_TRY(LogicalValue value, partition_of(step, table->model()));
    query.partition(std::move(value));
  }
  DOLMEN_TRY(FieldCondition sort_key, condition_of(step, "sort_key", table->model()));
  query.sort_key(std::move(sort_key));
  if (find(step, "order") != nullptr) {
    DOLMEN_TRY(const std::string order, text_of(step, "order"));
    if (order != "ASC" && order != "DESC") return fail(Code::kInvalidArgument, "order must be ASC or DESC");
    if (order == "DESC") query.descending();
  }
  return query;
}

Result<ModelScan> scan_of(const LogicalItem& step, World& world) {
  DOLMEN_TRY(ModelTable* const table, world.table_for(step));
  ModelScan scan = table->scan();
  DOLMEN_TRY_VOID(set_common(step, world, table->model(), scan));
  return scan;
}

}  // namespace

Result<Outcome> query_items(const LogicalItem& step, World& world) {
  DOLMEN_TRY(const ModelQuery query, query_of(step, world));
  return page_outcome(query.page());
}

Result<Outcome> scan_items(const LogicalItem& step, World& world) {
  DOLMEN_TRY(const ModelScan scan, scan_of(step, world));
  DOLMEN_TRY(const std::optional<std::int64_t> segments, optional_integer_of(step, "segments"));
  if (!segments) return page_outcome(scan.page());
  if (*segments < 0 || *segments > kSegmentsMax)
    return fail(Code::kInvalidArgument, "segments must be from 0 to {}", kSegmentsMax);
  const Result<std::vector<LogicalItem>> items = scan.all_segments(static_cast<std::uint32_t>(*segments));
  if (!items) return Outcome{.failure = Failure::of(items.error())};
  return Outcome{.items = *items};
}

Result<Outcome> count_items(const LogicalItem& step, World& world) {
  DOLMEN_TRY(const std::string of, text_of(step, "of"));
  if (of != "query" && of != "scan") return fail(Code::kInvalidArgument, "of must be query or scan");
  Result<std::uint64_t> counted = 0;
  if (of == "query") {
    DOLMEN_TRY(const ModelQuery query, query_of(step, world));
    counted = query.count();
  } else {
    DOLMEN_TRY(const ModelScan scan, scan_of(step, world));
    counted = scan.count();
  }
  if (!counted) return Outcome{.failure = Failure::of(counted.error())};
  return Outcome{.count = static_cast<std::int64_t>(*counted)};
}

Result<Outcome> get_batch(const LogicalItem& step, World& world) {
  DOLMEN_TRY(ModelTable* const table, world.table_for(step));
  DOLMEN_TRY(const std::vector<LogicalItem> keys, items_of(step, "keys", table->model()));
  const Result<ModelGetManyResult> got = table->get_many(keys);
  if (!got) return Outcome{.failure = Failure::of(got.error())};
  if (!got->not_done.empty()) return fail(Code::kInvalidArgument, "{} keys were not processed", got->not_done.size());
  return Outcome{.items = got->items};
}

}  // namespace dolmen::scenario
