#include "document/builder.h"

#include <algorithm>
#include <fmt/format.h>

#include "base/fail.h"
#include "base/sleep.h"
#include "document/collection.h"
#include "document/layout.h"
#include "document/limits.h"

namespace dolmen::document {
namespace {

/// A document takes two changes, and a write has room for 100.
constexpr std::uint32_t kRowsPerBuildStep = 45;

/// Whether a step may succeed when it is repeated. Repeating is safe even when an attempt that seemed to fail has
/// succeeded, because it writes the same entries again.
bool is_passing(const Error& error) {
  switch (error.code()) {
    case Code::kTransactionCanceled:
    case Code::kTransactionConflict:
    case Code::kTransactionInProgress:
    case Code::kTableInUse:
    case Code::kNoSpace:
    case Code::kIo:
    case Code::kThrottled:
    case Code::kUnavailable:
    case Code::kUnknownOutcome:
    case Code::kTimeout: return true;
    default: return false;
  }
}

std::string index_name(const SchemaRef& ref, const std::string& field) {
  return fmt::format("{} {}", to_string(ref), field);
}

}  // namespace

IndexBuilder::IndexBuilder(const Rows& rows, Published& published, IndexSets& indexes, Sleep sleep)
    : rows_(rows),
      published_(published),
      indexes_(indexes),
      sleep_(std::move(sleep)),
      thread_([this](const std::stop_token& stop) { run(stop); }) {}

IndexBuilder::~IndexBuilder() = default;

void IndexBuilder::start(SchemaRef ref, std::string field) {
  const std::scoped_lock lock(jobs_mutex_);
  Job job{.ref = std::move(ref), .field = std::move(field)};
  failures_.erase(job);
  jobs_.push_back(std::move(job));
  changed_.notify_all();
}

bool IndexBuilder::is_building(const SchemaRef& ref, const std::string& field) {
  const Job job{.ref = ref, .field = field};
  const std::scoped_lock lock(jobs_mutex_);
  return at_work_ == job || std::ranges::find(jobs_, job) != jobs_.end();
}

std::string IndexBuilder::failure_of(const SchemaRef& ref, const std::string& field) {
  const std::scoped_lock lock(jobs_mutex_);
  const auto found = failures_.find({.ref = ref, .field = field});
  return found == failures_.end() ? "" : found->second.message();
}

Result<void> IndexBuilder::wait() {
  std::unique_lock lock(jobs_mutex_);
  changed_.wait(lock, [this] { return jobs_.empty() && !at_work_; });
  if (failures_.empty()) return {};
  std::vector<std::pair<std::string, Error>> failures;
  for (const auto& [job, error] : failures_) failures.emplace_back(index_name(job.ref, job.field), error);
  return std::unexpected(build_failure(failures));
}

void IndexBuilder::run(const std::stop_token& stop) {
  std::unique_lock lock(jobs_mutex_);
  while (changed_.wait(lock, stop, [this] { return !jobs_.empty(); })) {
    const Job job = std::move(jobs_.front());
    jobs_.pop_front();
    at_work_ = job;
    lock.unlock();
    Result<void> built = build(job, stop);
    lock.lock();
    at_work_.reset();
    if (!built) failures_.insert_or_assign(job, std::move(built).error());
    changed_.notify_all();
  }
}

Result<void> IndexBuilder::patiently(const std::stop_token& stop, const std::function<Result<void>()>& step) {
  std::chrono::milliseconds delay = limits::kBuildDelayFirst;
  for (int attempt = 1;; ++attempt) {
    Result<void> done = step();
    if (done || !is_passing(done.error()) || attempt == limits::kBuildAttempts || stop.stop_requested()) return done;
    if (sleep_)
      sleep_(delay);
    else
      sleep_unless_stopped(delay, stop);
    delay = std::min(2 * delay, limits::kBuildDelayMax);
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
  return patiently(stop, [&] { return indexes_.finish(job.ref, index); });
}

Result<void> IndexBuilder::walk(const SchemaRef& ref, const std::stop_token& stop, const Page& use) {
  schema::PublishedPointer published;
  DOLMEN_TRY_VOID(patiently(stop, [&]() -> Result<void> {
    DOLMEN_TRY(published, published_.find(ref));
    return {};
  }));
  RowRange range{.partition = documents_partition(ref),
                 .lower = std::string(kFirst),
                 .upper = std::string(kLast),
                 .limit = kRowsPerBuildStep};
  while (!stop.stop_requested()) {
    RowPage page;
    DOLMEN_TRY_VOID(patiently(stop, [&]() -> Result<void> {
      DOLMEN_TRY(page, rows_.range(range));
      return use(published->schema, page.rows);
    }));
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
    // The writer of a changed document has also put it into the index.
    for (auto at = failed.rbegin(); at != failed.rend(); ++at)
      additions.erase(additions.begin() + static_cast<std::ptrdiff_t>(*at / 2));
  }
  return {};
}

Error build_failure(const std::vector<std::pair<std::string, Error>>& failures) {
  std::string message = "building indexes has stopped; create them again to continue:";
  std::vector<ErrorDetail> details;
  for (const auto& [index, error] : failures) {
    message.append(details.empty() ? " " : "; ").append(index).append(": ").append(error.message());
    details.push_back({.path = index, .rule = std::string(code_name(error.code())), .message = error.message()});
  }
  return {failures.front().second.code(), std::move(message), std::move(details)};
}

}  // namespace dolmen::document
