#include "dolmen/model_query.h"

#include <algorithm>
#include <thread>

#include "base/fail.h"

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
    return fail(Code::kInvalidOperator, "\"{}\" is a global index, which has no consistent reads", name);
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

Result<std::vector<LogicalItem>> decoded(const std::vector<Item>& items, const ModelSource& source) {
  std::vector<LogicalItem> values;
  for (const Item& item : items) {
    DOLMEN_TRY(DecodedItem decoded, decode_item(source.model, item, {.keys = source.keys}));
    values.push_back(std::move(decoded.values));
  }
  return values;
}

Result<ModelPage> page_of(const Page& page, const ModelSource& source, const CursorUse& use) {
  ModelPage result{.items = {}, .cursor = {}, .scanned_count = page.scanned_count};
  DOLMEN_TRY(result.items, decoded(page.items, source));
  if (page.last_key)
    result.cursor = encode_cursor({.last_key = *page.last_key, .index = use.index, .order = use.order});
  return result;
}

Result<std::vector<LogicalItem>> rest_of(ItemRange range, const ModelSource& source) {
  DOLMEN_TRY(const std::vector<Item> items, range.all());
  return decoded(items, source);
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

}  // namespace

// ---- Ranges ----

ModelRange::Iterator ModelRange::begin() {
  if (!std::exchange(started_, true)) read();
  return Iterator(this);
}

void ModelRange::read() {
  current_.reset();
  // This is where the items are, not where they began.
  const ItemRange::Iterator item = items_.begin();
  if (item == items_.end()) return;
  if (!*item) {
    current_.emplace(std::unexpected(item->error()));
    return;
  }
  Result<DecodedItem> decoded = decode_item(model_, **item, decoding_);
  if (decoded)
    current_.emplace(std::move(decoded->values));
  else
    current_.emplace(std::unexpected(std::move(decoded).error()));
}

// ---- Queries ----

ModelQuery& ModelQuery::index(std::string name) {
  index_ = std::move(name);
  return *this;
}

ModelQuery& ModelQuery::partition(LogicalValue value) {
  partition_ = std::move(value);
  return *this;
}

ModelQuery& ModelQuery::sort_key(FieldCondition condition) {
  sort_key_ = std::move(condition);
  return *this;
}

ModelQuery& ModelQuery::filter(FieldCondition condition) {
  filter_ = std::move(filter_) && std::move(condition);
  return *this;
}

ModelQuery& ModelQuery::project(std::vector<std::string> fields) {
  fields_ = std::move(fields);
  return *this;
}

ModelQuery& ModelQuery::ascending() {
  order_ = SortOrder::kAscending;
  return *this;
}

ModelQuery& ModelQuery::descending() {
  order_ = SortOrder::kDescending;
  return *this;
}

ModelQuery& ModelQuery::limit(std::uint32_t items) {
  limit_ = items;
  return *this;
}

ModelQuery& ModelQuery::page_size(std::uint32_t items) {
  page_size_ = items;
  return *this;
}

ModelQuery& ModelQuery::consistent_read(bool consistent) {
  consistent_read_ = consistent;
  return *this;
}

ModelQuery& ModelQuery::cursor(std::string text) {
  cursor_ = std::move(text);
  return *this;
}

Result<Condition> ModelQuery::key_condition(const ModelIndex* index) const {
  const KeyAttribute& partition = index == nullptr ? source_.model.partition_key : index->partition_key;
  const std::optional<KeyAttribute>& sort = index == nullptr ? source_.model.sort_key : index->sort_key;
  if (!partition_) return fail(Code::kInvalidOperator, "a query needs a value of the partition key {}", partition.name);
  for (const KeyAttribute* key : {&partition, sort ? &*sort : nullptr})
    if (key != nullptr && mentions(filter_, key->name))
      return fail(Code::kInvalidOperator, "\"{}\" is part of the key, on which there are no filters", key->name);
  DOLMEN_TRY(Condition condition,
             compile_condition(source_.model,
                               FieldCondition::compare(partition.name, Operator::kEqual, std::vector(1, *partition_))));
  if (sort_key_.empty()) return condition;
  if (!sort) return fail(Code::kInvalidOperator, "there is no sort key to put a condition on");
  if (sort_key_.kind() != FieldCondition::Kind::kCompare || sort_key_.field() != sort->name)
    return fail(Code::kInvalidOperator, "the sort key takes one comparison of \"{}\"", sort->name);
  if (!is_for_keys(sort_key_.op()))
    return fail(Code::kInvalidOperator, "keys are compared by =, <, <=, >, >=, BETWEEN and BEGINS_WITH only");
  DOLMEN_TRY(Condition sorted, compile_condition(source_.model, sort_key_));
  return std::move(condition) && std::move(sorted);
}

Result<QueryOptions> ModelQuery::options() const {
  DOLMEN_TRY_VOID(check_encryption(source_.model, source_.keys));
  DOLMEN_TRY(const ModelIndex* index, find_index(source_.model, index_, consistent_read_));
  QueryOptions options{.index = index_,
                       .projection = paths_of(fields_),
                       .descending = order_ == SortOrder::kDescending,
                       .limit = limit_,
                       .page_size = page_size_,
                       .consistent_read = consistent_read_};
  DOLMEN_TRY(options.key, key_condition(index));
  DOLMEN_TRY(options.filter, compile_condition(source_.model, filter_));
  DOLMEN_TRY(options.start_after, start_of(cursor_, source_.model, {.index = index_, .order = order_}));
  return options;
}

Result<ModelPage> ModelQuery::page() const {
  DOLMEN_TRY(const QueryOptions read, options());
  DOLMEN_TRY(const Page page, source_.store->query_page(source_.table, read));
  return page_of(page, source_, {.index = index_, .order = order_});
}

Result<std::vector<LogicalItem>> ModelQuery::all() const {
  DOLMEN_TRY(const QueryOptions read, options());
  return rest_of(source_.store->query(source_.table, read), source_);
}

Result<ModelRange> ModelQuery::range() const {
  DOLMEN_TRY(const QueryOptions read, options());
  return ModelRange(source_.store->query(source_.table, read), source_.model, {.keys = source_.keys});
}

Result<std::uint64_t> ModelQuery::count() const {
  DOLMEN_TRY(QueryOptions read, options());
  read.projection = {};
  DOLMEN_TRY(const Counted counted, source_.store->count(source_.table, std::move(read)));
  return counted.count;
}

Result<LogicalItem> ModelQuery::first() const {
  DOLMEN_TRY(std::vector<LogicalItem> items, ModelQuery(*this).limit(1).all());
  if (items.empty()) return fail(Code::kItemNotFound, "no {} matches", source_.model.name);
  return std::move(items.front());
}

// ---- Scans ----

ModelScan& ModelScan::index(std::string name) {
  index_ = std::move(name);
  return *this;
}

ModelScan& ModelScan::filter(FieldCondition condition) {
  filter_ = std::move(filter_) && std::move(condition);
  return *this;
}

ModelScan& ModelScan::project(std::vector<std::string> fields) {
  fields_ = std::move(fields);
  return *this;
}

ModelScan& ModelScan::limit(std::uint32_t items) {
  limit_ = items;
  return *this;
}

ModelScan& ModelScan::page_size(std::uint32_t items) {
  page_size_ = items;
  return *this;
}

ModelScan& ModelScan::consistent_read(bool consistent) {
  consistent_read_ = consistent;
  return *this;
}

ModelScan& ModelScan::segment(std::uint32_t segment, std::uint32_t total) {
  segment_ = ScanSegment{segment, total};
  return *this;
}

ModelScan& ModelScan::cursor(std::string text) {
  cursor_ = std::move(text);
  return *this;
}

Result<ScanOptions> ModelScan::options() const {
  DOLMEN_TRY_VOID(check_encryption(source_.model, source_.keys));
  DOLMEN_TRY_VOID(find_index(source_.model, index_, consistent_read_));
  if (segment_ && segment_->segment >= segment_->total)
    return fail(Code::kInvalidOperator, "there is no segment {} of {}", segment_->segment, segment_->total);
  ScanOptions options{.index = index_,
                      .projection = paths_of(fields_),
                      .segment = segment_,
                      .limit = limit_,
                      .page_size = page_size_,
                      .consistent_read = consistent_read_};
  DOLMEN_TRY(options.filter, compile_condition(source_.model, filter_));
  DOLMEN_TRY(options.start_after, start_of(cursor_, source_.model, {.index = index_}));
  return options;
}

Result<ModelPage> ModelScan::page() const {
  DOLMEN_TRY(const ScanOptions read, options());
  DOLMEN_TRY(const Page page, source_.store->scan_page(source_.table, read));
  return page_of(page, source_, {.index = index_});
}

Result<std::vector<LogicalItem>> ModelScan::all() const {
  DOLMEN_TRY(const ScanOptions read, options());
  return rest_of(source_.store->scan(source_.table, read), source_);
}

Result<ModelRange> ModelScan::range() const {
  DOLMEN_TRY(const ScanOptions read, options());
  return ModelRange(source_.store->scan(source_.table, read), source_.model, {.keys = source_.keys});
}

Result<std::uint64_t> ModelScan::count() const {
  DOLMEN_TRY(ScanOptions read, options());
  read.projection = {};
  DOLMEN_TRY(const Counted counted, source_.store->count(source_.table, std::move(read)));
  return counted.count;
}

Result<std::vector<LogicalItem>> ModelScan::all_segments(std::uint32_t total) const {
  constexpr std::uint32_t kSegmentsMax = 64;
  if (total == 0 || total > kSegmentsMax)
    return fail(Code::kInvalidOperator, "a parallel scan has 1 to {} segments, not {}", kSegmentsMax, total);
  if (segment_ || cursor_ || limit_ > 0)
    return fail(Code::kInvalidOperator, "a scan of all segments has no segment, cursor or limit of its own");
  std::vector<Result<std::vector<LogicalItem>>> parts(total);
  {
    std::vector<std::jthread> threads;
    for (std::uint32_t i = 0; i < total; ++i)
      threads.emplace_back([&, i] { parts[i] = ModelScan(*this).segment(i, total).all(); });
  }
  std::vector<LogicalItem> items;
  for (Result<std::vector<LogicalItem>>& part : parts) {
    if (!part) return std::unexpected(std::move(part).error());
    std::ranges::move(*part, std::back_inserter(items));
  }
  return items;
}

}  // namespace dolmen
