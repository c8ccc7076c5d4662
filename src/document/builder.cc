#include "document/builder.h"

#include <algorithm>

#include "base/fail.h"
#include "document/collection.h"
#include "document/layout.h"

namespace dolmen::document {
namespace {

/// Two changes for each document in one write, which has room for 100.
constexpr std::uint32_t kRowsPerBuildStep = 45;

}  // namespace

IndexBuilder::IndexBuilder(const Rows& rows, Published& published, IndexSets& indexes)
    : rows_(rows),
      published_(published),
      indexes_(indexes),
      thread_([this](const std::stop_token& stop) { run(stop); }) {}

IndexBuilder::~IndexBuilder() = default;

void IndexBuilder::start(SchemaRef ref, std::string field) {
  const std::scoped_lock lock(jobs_mutex_);
  jobs_.push_back({.ref = std::move(ref), .field = std::move(field)});
  changed_.notify_all();
}

Result<void> IndexBuilder::wait() {
  std::unique_lock lock(jobs_mutex_);
  changed_.wait(lock, [this] { return jobs_.empty() && !working_; });
  return last_;
}

void IndexBuilder::run(const std::stop_token& stop) {
  std::unique_lock lock(jobs_mutex_);
  while (changed_.wait(lock, stop, [this] { return !jobs_.empty(); })) {
    const Job job = std::move(jobs_.front());
    jobs_.pop_front();
    working_ = true;
    lock.unlock();
    Result<void> built = build(job, stop);
    lock.lock();
    working_ = false;
    last_ = std::move(built);
    changed_.notify_all();
  }
}

Result<void> IndexBuilder::finish_interrupted() {
  std::vector<Job> unfinished;
  DOLMEN_TRY(const std::vector<schema::PublishedPointer> all, published_.list());
  for (const schema::PublishedPointer& published : all) {
    const SchemaRef& ref = published->schema.ref;
    DOLMEN_TRY(const std::shared_ptr<const IndexSet> set, indexes_.get(ref));
    for (const DocumentIndex& index : set->indexes)
      if (index.state == IndexState::kBuilding) unfinished.push_back({.ref = ref, .field = index.field});
  }
  const Page check = [](const Schema& schema, const std::vector<Row>& rows) -> Result<void> {
    for (const Row& row : rows) DOLMEN_TRY_VOID(read_stored(schema, row.attributes));
    return {};
  };
  for (const Job& job : unfinished) DOLMEN_TRY_VOID(walk(job.ref, {}, check));
  for (const Job& job : unfinished) DOLMEN_TRY_VOID(build(job, {}));
  return {};
}

Result<void> IndexBuilder::build(const Job& job, const std::stop_token& stop) {
  const Result<void> built = walk(job.ref, stop, [&](const Schema& schema, const std::vector<Row>& rows) {
    return add_page(schema, job.field, rows);
  });
  if (stop.stop_requested()) return {};
  DocumentIndex index{.field = job.field, .state = IndexState::kReady};
  if (!built) {
    const Code code = built.error().code();
    if (code != Code::kCorruption && code != Code::kSchemaValidationFailed) return built;
    index.state = IndexState::kFailed;
    index.reason = built.error().message();
  }
  return indexes_.finish(job.ref, index);
}

Result<void> IndexBuilder::walk(const SchemaRef& ref, const std::stop_token& stop, const Page& use) {
  DOLMEN_TRY(const schema::PublishedPointer published, published_.find(ref));
  RowRange range{.partition = documents_partition(ref),
                 .lower = std::string(kFirst),
                 .upper = std::string(kLast),
                 .limit = kRowsPerBuildStep};
  while (!stop.stop_requested()) {
    DOLMEN_TRY(const RowPage page, rows_.range(range));
    DOLMEN_TRY_VOID(use(published->schema, page.rows));
    if (!page.more || page.rows.empty()) break;
    range.after = page.rows.back().sort;
  }
  return {};
}

Result<void> IndexBuilder::add_page(const Schema& schema, const std::string& field, const std::vector<Row>& rows) {
  std::vector<std::pair<RowChange, RowChange>> additions;
  for (const Row& row : rows) {
    DOLMEN_TRY(const StoredDocument stored, read_stored(schema, row.attributes));
    DOLMEN_TRY(const std::optional<IndexEntry> entry, entry_of(schema, stored.document, field));
    if (!entry) continue;
    additions.emplace_back(RowChange{.kind = RowChange::Kind::kCheck,
                                     .key = document_row(schema.ref, entry->id),
                                     .condition = "mark = :m",
                                     .values = {{":m", stored.mark}}},
                           RowChange{.key = entry->key, .attributes = {{"id", entry->id}}});
  }
  while (!additions.empty()) {
    std::vector<RowChange> changes;
    for (const auto& [unchanged, entry] : additions) {
      changes.push_back(unchanged);
      changes.push_back(entry);
    }
    DOLMEN_TRY(const std::vector<std::size_t> failed, rows_.write(changes, schema.ref));
    if (failed.empty()) break;
    // Whoever has changed a document since has put it into the index as well.
    for (auto at = failed.rbegin(); at != failed.rend(); ++at)
      additions.erase(additions.begin() + static_cast<std::ptrdiff_t>(*at / 2));
  }
  return {};
}

}  // namespace dolmen::document
