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

/// A document takes two changes, the check of the index one, and a write has room for 100.
constexpr std::uint32_t kRowsPerBuildStep = 45;
constexpr std::uint32_t kEntriesPerClearStep = 90;

/// The first change of every write is the check that the index has its epoch.
constexpr std::size_t kEpochChanged = 0;

/// Somebody has dropped the index or builds it again, and then works on it.
std::unexpected<Error> superseded(const DeclaredIndex& index) {
  return fail(Code::kConditionFailed, "the index on {} was changed", index.field);
}

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

bool IndexBuilder::is_at_work(const SchemaRef& ref, const std::string& field) {
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
    Result<void> built = carry_out(job, stop);
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
  const Page check = [](const Schema& schema, const std::vector<Row>& rows) -> Result<void> {
    for (const Row& row : rows) DOLMEN_TRY_VOID(read_stored(schema, row.attributes));
    return {};
  };
  DOLMEN_TRY(const std::vector<schema::PublishedPointer> all, published_.list());
  for (const schema::PublishedPointer& published : all) {
    const SchemaRef& ref = published->schema.ref;
    DOLMEN_TRY(const std::shared_ptr<const IndexSet> set, indexes_.get(ref));
    for (const DeclaredIndex& index : set->indexes) {
      if (!is_unfinished(index)) continue;
      unfinished.push_back({.ref = ref, .field = index.field});
      if (index.state == IndexState::kBuilding) DOLMEN_TRY_VOID(walk(ref, {}, check));
    }
  }
  for (const Job& job : unfinished) DOLMEN_TRY_VOID(carry_out(job, {}));
  return {};
}

Result<void> IndexBuilder::check(const SchemaRef& ref, const std::string& field) {
  return walk(ref, {}, [&](const Schema& schema, const std::vector<Row>& rows) -> Result<void> {
    for (const Row& row : rows) {
      DOLMEN_TRY(const StoredDocument stored, read_stored(schema, row.attributes));
      const auto entry = entry_of(schema, stored.document, field);
      if (!entry)
        return std::unexpected(Error(entry.error().code(),
                                     fmt::format("the index on {} of {} cannot be built because of the document "
                                                 "\"{}\": {}",
                                                 field, to_string(ref), stored.document.id, entry.error().message()),
                                     entry.error().details()));
    }
    return {};
  });
}

Result<void> IndexBuilder::carry_out(const Job& job, const std::stop_token& stop) {
  std::shared_ptr<const IndexSet> set;
  DOLMEN_TRY_VOID(patiently(stop, [&]() -> Result<void> {
    DOLMEN_TRY(set, indexes_.reload(job.ref));
    return {};
  }));
  const DeclaredIndex* index = set->find(job.field);
  if (index == nullptr) return {};
  Result<void> done;
  if (index->clears) done = clear(job.ref, *index, stop);
  if (done && index->state == IndexState::kDropping && !stop.stop_requested())
    done = patiently(stop, [&] { return indexes_.finish(job.ref, *index); });
  if (done && index->state == IndexState::kBuilding) done = build(job.ref, *index, stop);
  return !done && done.error().code() == Code::kConditionFailed ? Result<void>() : done;
}

Result<void> IndexBuilder::build(const SchemaRef& ref, const DeclaredIndex& index, const std::stop_token& stop) {
  const Result<void> built = walk(
      ref, stop, [&](const Schema& schema, const std::vector<Row>& rows) { return add_page(schema, index, rows); });
  if (stop.stop_requested()) return {};
  DeclaredIndex finished{{.field = index.field, .state = IndexState::kReady}, index.epoch, false};
  if (!built) {
    const Code code = built.error().code();
    if (code != Code::kCorruption && code != Code::kSchemaValidationFailed) return built;
    finished.state = IndexState::kFailed;
    finished.reason = built.error().message();
  }
  return patiently(stop, [&] { return indexes_.finish(ref, finished); });
}

Result<void> IndexBuilder::clear(const SchemaRef& ref, const DeclaredIndex& index, const std::stop_token& stop) {
  const RowRange range{.partition = entries_partition(ref, index.field),
                       .lower = std::string(kFirst),
                       .upper = std::string(kLast),
                       .limit = kEntriesPerClearStep};
  for (bool more = true; more && !stop.stop_requested();) {
    DOLMEN_TRY_VOID(patiently(stop, [&]() -> Result<void> {
      DOLMEN_TRY(const RowPage page, rows_.range(range));
      more = page.more;
      if (page.rows.empty()) return {};
      std::vector<RowChange> changes = {IndexSets::still(ref, index)};
      for (const Row& row : page.rows)
        changes.push_back({.kind = RowChange::Kind::kDelete, .key = {.partition = range.partition, .sort = row.sort}});
      DOLMEN_TRY(const std::vector<std::size_t> failed, rows_.write(changes, ref));
      return failed.empty() ? Result<void>() : superseded(index);
    }));
  }
  return {};
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

Result<void> IndexBuilder::add_page(const Schema& schema, const DeclaredIndex& index, const std::vector<Row>& rows) {
  std::vector<std::pair<RowChange, RowChange>> additions;
  for (const Row& row : rows) {
    DOLMEN_TRY(const StoredDocument stored, read_stored(schema, row.attributes));
    DOLMEN_TRY(const std::optional<IndexEntry> entry, entry_of(schema, stored.document, index.field));
    if (!entry) continue;
    additions.emplace_back(RowChange{.kind = RowChange::Kind::kCheck,
                                     .key = document_row(schema.ref, entry->id),
                                     .condition = "mark = :m",
                                     .values = {{":m", stored.mark}}},
                           RowChange{.key = entry->key, .attributes = {{"id", entry->id}}});
  }
  while (!additions.empty()) {
    std::vector<RowChange> changes = {IndexSets::still(schema.ref, index)};
    for (const auto& [unchanged, entry] : additions) {
      changes.push_back(unchanged);
      changes.push_back(entry);
    }
    DOLMEN_TRY(const std::vector<std::size_t> failed, rows_.write(changes, schema.ref));
    if (failed.empty()) break;
    if (failed.front() == kEpochChanged) return superseded(index);
    // The writer of a changed document has also put it into the index.
    for (auto at = failed.rbegin(); at != failed.rend(); ++at)
      additions.erase(additions.begin() + static_cast<std::ptrdiff_t>((*at - 1) / 2));
  }
  return {};
}

Error build_failure(const std::vector<std::pair<std::string, Error>>& failures) {
  std::string message = "work on indexes has stopped; create or drop them again to continue:";
  std::vector<ErrorDetail> details;
  for (const auto& [index, error] : failures) {
    message.append(details.empty() ? " " : "; ").append(index).append(": ").append(error.message());
    details.push_back({.path = index, .rule = std::string(code_name(error.code())), .message = error.message()});
  }
  return {failures.front().second.code(), std::move(message), std::move(details)};
}

}  // namespace dolmen::document
