#include "engine/read_many.h"

#include <algorithm>
#include <fmt/format.h>
#include <set>

#include "base/fail.h"
#include "base/limits.h"
#include "engine/capacity.h"
#include "engine/data_keys.h"
#include "engine/key_counts.h"
#include "engine/key_range.h"
#include "engine/keyspaces.h"
#include "engine/moment.h"
#include "engine/page_bytes.h"
#include "engine/row_key.h"
#include "engine/traced.h"
#include "expr/condition.h"
#include "expr/path_rules.h"
#include "expr/projection.h"
#include "service/expressions.h"
#include "service/mistakes.h"
#include "storage/version_count.h"
#include "value/attribute_selection.h"

namespace dolmen::engine {
namespace {

/// The part of a page that is read at once, in bytes and in work of its filter: about a millisecond.
constexpr std::size_t kSliceBytes = std::size_t{128} << 10;
constexpr std::uint64_t kSliceWork = 50'000;

/// The request's expressions, read before any table is looked at.
struct ReadExpressions {
  std::optional<std::vector<expr::KeyCondition>> keys;
  std::optional<expr::Node> filter;
  std::optional<std::vector<expr::Path>> projection;

  static Result<ReadExpressions> read(const ReadManyRequest& request) {
    ReadExpressions expressions;
    ExpressionReader reader(request.placeholders);
    std::optional<expr::Node> key_condition;
    if (request.key_condition) {
      DOLMEN_TRY(key_condition, reader.key_condition(*request.key_condition));
    }
    if (request.filter) {
      DOLMEN_TRY(expressions.filter, reader.filter(*request.filter));
    }
    if (request.projection) {
      DOLMEN_TRY(expressions.projection, reader.projection(*request.projection));
    }
    if (key_condition) {
      DOLMEN_TRY(expressions.keys, expr::key_conditions_of(*key_condition));
    }
    if (request.key_conditions) expressions.keys = request.key_conditions;
    DOLMEN_TRY_VOID(reader.finish());
    return expressions;
  }
};

/// One Query or Scan, once its table is known.
class Reader {
 public:
  Reader(const ReadManyRequest& request, ReadExpressions expressions, const Table& table,
         const storage::Storage& storage)
      : request_(request), expressions_(std::move(expressions)), table_(table), storage_(storage) {
    if (expressions_.projection) projection_.emplace(*expressions_.projection);
  }

  /// Finds what is to be read. `work` is what other filters have taken from the budget of the page.
  Result<void> begin(std::uint64_t work = 0) {
    work_ = work;
    DOLMEN_TRY_VOID(find_index());
    if (request_.trace) {
      part_ = &request_.trace->part(table_.definition.name, request_.index.value_or(""));
      part_->set_way(is_query() ? ReadTrace::Part::Way::kQuery : ReadTrace::Part::Way::kScan);
    }
    DOLMEN_TRY_VOID(find_range());
    DOLMEN_TRY_VOID(apply_start_key());
    DOLMEN_TRY_VOID(check_paths());
    DOLMEN_TRY_VOID(check_projection());
    measures_later_ = measures_later();
    return find_rows();
  }

  /// Reads on until the page is complete, which is true, or until a slice of it is. There is no slice of a page whose
  /// filter may take long for a single item.
  Result<bool> read_slice() {
    if (expressions_.filter && expr::part_count(*expressions_.filter) > expr::kQuickPartsMax) return false;
    return read_while(kSliceBytes, kSliceWork);
  }

  /// Reads the rest of the page.
  Result<ReadManyResponse> finish() {
    DOLMEN_TRY_VOID(read_while(SIZE_MAX, UINT64_MAX));
    if (request_.return_capacity != ReturnCapacity::kNone) response_.capacity = capacity();
    if (part_ != nullptr) part_->add_capacity(capacity().total);
    return std::move(response_);
  }

  [[nodiscard]] std::uint64_t work() const { return work_; }
  [[nodiscard]] std::uint64_t rows_read() const { return response_.scanned_count; }
  /// So many rows were read before, by an attempt that came to nothing, and need not be counted again.
  void have_counted(std::uint64_t rows) { counted_ = rows; }
  /// The page goes on later.
  void wait() { enter(ReadTrace::Phase::kWait); }

 private:
  [[nodiscard]] const KeySchema& keys() const { return index_ != nullptr ? index_->keys : table_.keys; }
  [[nodiscard]] TableId id() const { return index_ != nullptr ? index_->id : table_.id; }
  [[nodiscard]] bool is_query() const { return expressions_.keys.has_value(); }

  Result<void> find_index() {
    if (!request_.index) return {};
    DOLMEN_TRY_VOID(refuse_vector_index());
    index_ = table_.find_index(*request_.index);
    if (index_ == nullptr || index_->state == IndexState::kDeleting)
      return fail(Code::kValidation, "The table does not have the specified index: {}", *request_.index);
    if (index_->state == IndexState::kBuilding)
      return fail(Code::kValidation, "Cannot read from backfilling global secondary index: {}", *request_.index);
    if (!index_->local && request_.consistent_read)
      return fail(Code::kValidation, "Consistent reads are not supported on global secondary indexes");
    return {};
  }

  /// Only SearchVectors reads vector indexes.
  Result<void> refuse_vector_index() const {
    const VectorIndex* index = table_.find_vector_index(*request_.index);
    if (index == nullptr || index->state == IndexState::kDeleting) return {};
    if (request_.consistent_read)
      return fail(Code::kValidation, "Consistent reads are not supported on global secondary indexes");
    if (is_query() && !request_.of_statement)
      return fail(Code::kValidation, "Query operation not supported on this index type.");
    return fail(Code::kValidation, "Scan operation not supported on this index type");
  }

  Result<void> check_paths() {
    std::vector<const expr::Path*> paths;
    if (expressions_.filter) expr::collect_paths(*expressions_.filter, paths);
    if (is_query() && !request_.of_statement)
      for (const expr::Path* path : paths)
        if (is_key_of_queried(path->attribute()))
          return fail(Code::kValidation, "{} can only contain non-primary key attributes: Primary key attribute: {}",
                      request_.filter->generated ? "QueryFilter" : "Filter Expression", path->attribute());
    if (!request_.of_statement) DOLMEN_TRY_VOID(check_filter_carried(paths));
    if (expressions_.projection)
      for (const expr::Path& path : *expressions_.projection) paths.push_back(&path);
    used_attributes_ = expr::attributes_of(paths);
    return check_key_paths(table_, paths);
  }

  /// A filter can use only attributes that the index carries.
  Result<void> check_filter_carried(const std::vector<const expr::Path*>& paths) {
    if (index_ == nullptr || index_->projected.empty()) return {};
    std::set<std::string> missing;
    for (const expr::Path* path : paths)
      if (!std::ranges::binary_search(index_->projected, path->attribute())) missing.insert(path->attribute());
    if (missing.empty()) return {};
    return fail(Code::kValidation,
                "One or more parameter values were invalid: Secondary index {} does not project one or more filter "
                "attributes: [{}]",
                index_->definition.name, fmt::join(missing, ", "));
  }

  [[nodiscard]] bool is_key_of_queried(std::string_view attribute) const {
    return std::ranges::count(keys().partition, attribute, &KeyAttribute::name) > 0 ||
           std::ranges::count(keys().sort, attribute, &KeyAttribute::name) > 0;
  }

  /// A global index can return only what it carries; a local one fetches the rest from the table.
  Result<void> check_projection() {
    if (index_ == nullptr || index_->projected.empty()) return {};
    const auto carried = [&](const std::string& name) { return std::ranges::binary_search(index_->projected, name); };
    if (request_.select == Select::kAllAttributes) {
      if (!index_->local)
        return fail(Code::kValidation,
                    "One or more parameter values were invalid: Select type ALL_ATTRIBUTES is not supported for global "
                    "secondary index {} because its projection type is not ALL",
                    index_->definition.name);
      fetch_ = true;
    }
    if (!expressions_.projection) return {};
    std::set<std::string> missing;
    for (const expr::Path& path : *expressions_.projection)
      if (!carried(path.attribute())) missing.insert(path.attribute());
    if (missing.empty()) return {};
    if (index_->local) {
      fetch_ = true;
      return {};
    }
    return fail(Code::kValidation,
                "One or more parameter values were invalid: Global secondary index {} does not project [{}]",
                index_->definition.name, fmt::join(missing, ", "));
  }

  Result<void> find_range() {
    if (is_query()) {
      DOLMEN_TRY(range_, range_of_query(id(), keys(), *expressions_.keys));
    } else {
      const ScanSegment segment = request_.segment.value_or(ScanSegment{});
      range_ = segment_range(id(), segment.segment, segment.total);
    }
    return {};
  }

  /// Continues after the row that the start key names, which must be one that this query could have returned.
  Result<void> apply_start_key() {
    if (!request_.start_key) return {};
    const std::string& given = request_.start_key->bytes;
    DOLMEN_TRY(const std::string row_key, start_row_key(given));
    KeyRange& range = range_;
    if (is_query()) DOLMEN_TRY_VOID(check_start_in_query(given, row_key));
    if (!is_query() && (row_key < range.lower || row_key >= range.upper)) {
      const ScanSegment segment = request_.segment.value_or(ScanSegment{});
      return fail(
          Code::kValidation,
          "The provided starting key is invalid: Invalid ExclusiveStartKey. Please use ExclusiveStartKey with correct "
          "Segment. TotalSegments: {} Segment: {}",
          segment.total, segment.segment);
    }
    if (request_.forward) {
      range.lower = row_key + '\0';
    } else {
      range.upper = row_key;
    }
    return {};
  }

  /// Without a condition on sort attributes, a start key of another partition is outside the query. With one, the sort
  /// attributes are checked first, and DynamoDB's words for another partition are strange.
  Result<void> check_start_in_query(const std::string& given, const std::string& row_key) {
    const std::string_view partition = std::string_view(range_.lower).substr(0, partition_of_query());
    const std::size_t given_partition = partition_of_item(given);
    const bool same_partition = std::string_view(row_key).substr(0, given_partition) == partition;
    if (expressions_.keys->size() == keys().partition.size()) {
      if (same_partition) return {};
      return fail(Code::kValidation,
                  "The provided starting key is outside query boundaries based on provided conditions");
    }
    const std::string in_queried = std::string(partition) + row_key.substr(given_partition);
    if (in_queried < range_.lower || in_queried >= range_.upper)
      return fail(Code::kValidation, "The provided starting key does not match the range key predicate");
    if (same_partition) return {};
    return fail(Code::kValidation, "The query can return at most one row and cannot be restarted");
  }

  /// The length of the part of a row key that names the partition: of all rows of the query.
  [[nodiscard]] std::size_t partition_of_query() const {
    std::string ordered;
    for (const KeyAttribute& attribute : keys().partition) {
      const auto condition = std::ranges::find(*expressions_.keys, attribute.name, &expr::KeyCondition::attribute);
      std::string encoded;
      append_value(encoded, condition->value);
      append_ordered_value(ordered, encoded);
    }
    return kRowPartitionAt + ordered.size();
  }

  /// The same of the row of an item or of a start key.
  [[nodiscard]] std::size_t partition_of_item(std::string_view item) const {
    std::string ordered;
    for (const KeyAttribute& attribute : keys().partition)
      append_ordered_value(ordered, *find_attribute(item, attribute.name));
    return kRowPartitionAt + ordered.size();
  }

  Result<std::string> start_row_key(const std::string& given) {
    std::set<std::string> expected;
    for (const KeySchema* schema : {&table_.keys, &keys()})
      for (const auto* attributes : {&schema->partition, &schema->sort})
        for (const KeyAttribute& attribute : *attributes) expected.insert(attribute.name);
    const bool named =
        std::ranges::all_of(expected, [&](const std::string& name) { return find_attribute(given, name).has_value(); });
    if (!named || attribute_count(given) != expected.size())
      return std::unexpected(Error(Code::kValidation, "The provided starting key is invalid",
                                   std::shared_ptr<const ErrorPayload>(new StartKeyMistake)));
    if (index_ == nullptr) return row_key_of_key(table_, given);
    std::vector<std::string> table_key{table_.definition.partition_key.name};
    if (table_.definition.sort_key) table_key.push_back(table_.definition.sort_key->name);
    std::ranges::sort(table_key);
    Result<std::string> in_table = row_key_of_key(table_, select_attributes(given, table_key).bytes);
    if (!in_table)
      return fail(Code::kValidation, "The provided starting key is invalid: {}", in_table.error().message());
    if (Result<void> checked = check_index_keys(table_, given); !checked)
      return fail(Code::kValidation, "The provided key element does not match the schema");
    return *row_key_in_index(*index_, given, *in_table);
  }

  Result<void> find_rows() {
    // Items fetched from the table must be from the same moment as the rows of the index.
    if (expressions_.keys) counts_ = (index_ == nullptr || index_->local ? table_.counts : index_->counts).get();
    if (request_.as_of) {
      moment_ = &static_cast<const EngineMoment&>(*request_.as_of).snapshot;
    } else if (fetch_) {
      moment_ = &snapshot_.emplace(storage_.snapshot());
    }
    if (range_.lower >= range_.upper) return {};
    if (names_whole_key()) return find_one_row();
    rows_.emplace(storage_.iterate(keyspaces::kItems, {.lower = range_.lower, .upper = range_.upper}, moment_));
    request_.forward ? rows_->seek_first() : rows_->seek_last();
    return {};
  }

  /// Whether the query can only find the item that has this key.
  [[nodiscard]] bool names_whole_key() const {
    if (!is_query() || index_ != nullptr || request_.start_key) return false;
    const auto is_given = [this](const KeyAttribute& attribute) {
      const auto condition = std::ranges::find(*expressions_.keys, attribute.name, &expr::KeyCondition::attribute);
      return condition != expressions_.keys->end() && condition->op == expr::KeyOperator::kEqual;
    };
    return std::ranges::all_of(keys().partition, is_given) && std::ranges::all_of(keys().sort, is_given);
  }

  /// As GetItem does: an iterator costs more, and passes the older versions of the row.
  Result<void> find_one_row() {
    std::string row;
    DOLMEN_TRY(const bool exists, storage_.get(keyspaces::kItems, range_.lower, row, moment_));
    if (exists) one_row_ = std::move(row);
    return {};
  }

  Result<bool> read_while(std::size_t bytes_max, std::uint64_t work_max) {
    if (one_row_) return read_one_row();
    if (!rows_) return true;
    enter(ReadTrace::Phase::kRead);
    const storage::VersionCount versions;
    const std::uint64_t scanned_before = response_.scanned_count;
    Result<bool> complete = read_rows(*rows_, bytes_max, work_max);
    storage_.tell_passed(keyspaces::kItems, response_.scanned_count - scanned_before, versions.passed());
    if (complete && *complete) rows_.reset();
    return complete;
  }

  Result<bool> read_one_row() {
    enter(ReadTrace::Phase::kRead);
    DOLMEN_TRY_VOID(take_row(*one_row_));
    if (is_full()) response_.last_key = key_of(*one_row_);
    one_row_.reset();
    enter(ReadTrace::Phase::kProject);
    return true;
  }

  [[nodiscard]] bool is_full() {
    return response_.scanned_count == request_.limit || work_ >= kPageWorkMax ||
           (fetch_ ? fetched_bytes_ >= limits::kPageBytes : read_.reach(limits::kPageBytes, response_.items));
  }

  /// Whether rows become items of the page as they are, and nothing but the end of the page depends on their sizes.
  [[nodiscard]] bool measures_later() const {
    return !fetch_ && !expressions_.filter && !expressions_.projection && request_.select != Select::kCount &&
           part_ == nullptr && request_.return_capacity == ReturnCapacity::kNone;
  }

  Result<bool> read_rows(storage::Iterator& rows, std::size_t bytes_max, std::uint64_t work_max) {
    while (rows.valid()) {
      if (read_.about() + fetched_bytes_ >= bytes_max || work_ >= work_max) return false;
      DOLMEN_TRY_VOID(take_row(rows.value()));
      if (is_full()) {
        response_.last_key = key_of(rows.value());
        return true;
      }
      enter(ReadTrace::Phase::kRead);
      request_.forward ? rows.next() : rows.prev();
    }
    enter(ReadTrace::Phase::kProject);
    DOLMEN_TRY_VOID(rows.status());
    return true;
  }

  /// Counts time for a phase, if the read is explained.
  void enter(ReadTrace::Phase phase) {
    if (part_ != nullptr) request_.trace->enter(phase);
  }

  Result<void> take_row(std::string_view row) {
    ++response_.scanned_count;
    if (counts_ != nullptr && response_.scanned_count > counted_) counts_->count(row);
    if (measures_later_) {
      ++response_.count;
      read_.add_unmeasured(response_.items.emplace_back(std::string(row)));
      return {};
    }
    read_.add(item_size(row));
    if (part_ != nullptr) trace_row(*part_, keys(), row, item_size(row));
    bool matches = true;
    const bool filters_row = fetch_ && request_.of_statement && expressions_.filter;
    if (filters_row) {
      DOLMEN_TRY(const Item in_index, decode_attributes(row, used_attributes_));
      matches = expr::holds(*expressions_.filter, in_index, work_);
    }
    EncodedItem fetched;
    if (fetch_) {
      enter(ReadTrace::Phase::kFetch);
      DOLMEN_TRY(fetched, fetch(row));
      row = fetched.bytes;
    }
    std::optional<Item> tree;
    if (expressions_.filter) enter(ReadTrace::Phase::kFilter);
    if (expressions_.filter || expressions_.projection) {
      DOLMEN_TRY(tree, decode_attributes(row, used_attributes_));
    }
    if (expressions_.filter && !filters_row) matches = expr::holds(*expressions_.filter, *tree, work_);
    if (!matches) return {};
    ++response_.count;
    if (part_ != nullptr) part_->returned(item_size(row));
    if (request_.select == Select::kCount) return {};
    enter(ReadTrace::Phase::kProject);
    if (expressions_.projection) {
      response_.items.push_back(encode_item(projection_->of(*tree)));
    } else {
      response_.items.push_back({std::string(row)});
    }
    return {};
  }

  /// The whole item of a row of a local index.
  Result<EncodedItem> fetch(std::string_view row) {
    DOLMEN_TRY(const std::string row_key, row_key_of_item(table_, row));
    EncodedItem item;
    DOLMEN_TRY(const bool exists, storage_.get(keyspaces::kItems, row_key, item.bytes, moment_));
    if (!exists)
      return fail(Code::kCorruption, "Index {} of table {} has a row without an item", index_->definition.name,
                  table_.definition.name);
    const std::size_t bytes = item_size(item.bytes);
    fetched_bytes_ += bytes;
    if (part_ != nullptr) part_->fetched(bytes);
    fetched_units_ += capacity::read_units(bytes, request_.consistent_read);
    return item;
  }

  [[nodiscard]] EncodedItem key_of(std::string_view row) const {
    std::vector<std::string> names;
    for (const KeySchema* schema : {&table_.keys, &keys()})
      for (const auto* attributes : {&schema->partition, &schema->sort})
        for (const KeyAttribute& attribute : *attributes) names.push_back(attribute.name);
    std::ranges::sort(names);
    return select_attributes(row, names);
  }

  [[nodiscard]] ConsumedCapacity capacity() const {
    ConsumedCapacity consumed{.table = request_.table};
    const double units = capacity::read_units(read_.measured(), request_.consistent_read);
    consumed.total = units + fetched_units_;
    consumed.of_table = index_ == nullptr ? units : fetched_units_;
    if (index_ != nullptr)
      (index_->local ? consumed.of_local_indexes : consumed.of_global_indexes)[index_->definition.name] = units;
    return consumed;
  }

  const ReadManyRequest& request_;
  ReadExpressions expressions_;
  const Table& table_;
  const storage::Storage& storage_;
  const Index* index_ = nullptr;
  KeyCounts* counts_ = nullptr;  // of a query; a scan reads all keys alike
  std::uint64_t counted_ = 0;    // rows at the beginning that are in it already
  KeyRange range_;
  bool fetch_ = false;
  std::optional<storage::Snapshot> snapshot_;  // when something is fetched
  const storage::Snapshot* moment_ = nullptr;  // null: now
  std::optional<storage::Iterator> rows_;      // nothing when all has been read
  std::optional<std::string> one_row_;         // of a query for a whole key, until it has been read
  ReadTrace::Part* part_ = nullptr;            // null unless the read is explained
  std::optional<expr::Projection> projection_;
  std::vector<std::string> used_attributes_;  // by the filter and the projection
  std::uint64_t work_ = 0;                    // of the filter
  PageBytes read_;
  bool measures_later_ = false;
  std::size_t fetched_bytes_ = 0;
  double fetched_units_ = 0;
  ReadManyResponse response_;
};

Result<std::shared_ptr<const Table>> table_to_read(const ReadManyRequest& request, const Catalogue& catalogue) {
  std::shared_ptr<const Table> table = catalogue.find(request.table);
  if (table == nullptr || table->restore) return fail(Code::kTableNotFound, "Requested resource not found");
  if (catalogue.lacks_key(*table)) return missing_key();
  return table;
}

/// A page that may go on elsewhere, with all that it needs.
struct PageRead {
  ReadManyRequest request;
  std::shared_ptr<const Table> table = nullptr;
  std::optional<Reader> reader = std::nullopt;  // points to the others
  std::uint64_t rows_counted = 0;               // before it was put off

  Result<void> open(ReadSource source) {
    DOLMEN_TRY(ReadExpressions expressions, ReadExpressions::read(request));
    DOLMEN_TRY(table, table_to_read(request, source.catalogue));
    reader.emplace(request, std::move(expressions), *table, source.storage);
    return {};
  }

  /// True when the page is complete.
  Result<bool> begin(ReadSource source) {
    DOLMEN_TRY_VOID(open(source));
    DOLMEN_TRY_VOID(reader->begin());
    return reader->read_slice();
  }

  /// The page is put off until a thread can wait for the disk. Nothing of it is kept: an iterator that has failed does
  /// not go on, and another one would show a later moment.
  void put_off() {
    rows_counted = reader ? reader->rows_read() : 0;
    reader.reset();
    if (request.trace) request.trace->begin_again();
  }

  /// The whole page, after it was put off.
  Result<ReadManyResponse> read_all(ReadSource source) {
    DOLMEN_TRY_VOID(open(source));
    reader->have_counted(rows_counted);
    DOLMEN_TRY_VOID(reader->begin());
    return reader->finish();
  }
};

}  // namespace

void read_many(ReadManyRequest request, ReadSource source, Done<ReadManyResponse> done) {
  if (request.trace) request.trace->enter(ReadTrace::Phase::kPrepare);
  if (request.elsewhere == nullptr) {
    std::uint64_t work = 0;
    return done(read_many(request, source, work));
  }
  auto page = std::make_unique<PageRead>(std::move(request));
  const Elsewhere& elsewhere = *page->request.elsewhere;
  storage::NoWaiting attempt(!HasTime::here());
  const Result<bool> complete = page->begin(source);
  if (source.storage.would_wait(attempt)) {
    page->put_off();
    return go_elsewhere<ReadManyResponse>(
        elsewhere, std::move(done),
        [page = std::move(page), source](Done<ReadManyResponse> answer) { answer(page->read_all(source)); });
  }
  if (!complete) return done(std::unexpected(complete.error()));
  if (*complete) return done(page->reader->finish());
  page->reader->wait();
  go_elsewhere<ReadManyResponse>(elsewhere, std::move(done), [page = std::move(page)](Done<ReadManyResponse> answer) {
    answer(page->reader->finish());
  });
}

Result<ReadManyResponse> read_many(const ReadManyRequest& request, ReadSource source, std::uint64_t& work) {
  if (request.trace) request.trace->enter(ReadTrace::Phase::kPrepare);
  DOLMEN_TRY(ReadExpressions expressions, ReadExpressions::read(request));
  DOLMEN_TRY(const std::shared_ptr<const Table> table, table_to_read(request, source.catalogue));
  Reader reader(request, std::move(expressions), *table, source.storage);
  DOLMEN_TRY_VOID(reader.begin(work));
  Result<ReadManyResponse> page = reader.finish();
  work = reader.work();
  return page;
}

}  // namespace dolmen::engine
