#include "engine/exporter.h"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

#include "base/endian.h"
#include "base/fail.h"
#include "engine/catalogue.h"
#include "engine/export_files.h"
#include "engine/export_selection.h"
#include "engine/history.h"
#include "engine/job_failure.h"
#include "engine/keyspaces.h"
#include "engine/row_key.h"
#include "engine/stream_log.h"
#include "formats/byte_source.h"
#include "formats/item_line.h"
#include "formats/md5.h"

namespace dolmen::engine {
namespace {

formats::LineForm line_form_of(ItemFormat format) {
  return format == ItemFormat::kIon ? formats::LineForm::kIon : formats::LineForm::kDynamoJson;
}

}  // namespace

/// Fills one data file.
class Exporter::FileMaker {
 public:
  FileMaker(const transfers::ExportJob& job, const storage::Storage& copy, const Table& table,
            ExportSelection selection)
      : job_(job),
        copy_(copy),
        table_(table),
        selection_(std::move(selection)),
        form_(line_form_of(job.described.asked.format)) {}

  /// The items from the position of the job on, with `changes` undone; null when nothing is to be undone.
  Result<DataFile> items(const PastChanges* changes) {
    const std::string lower = row_key(job_.position);
    const std::string upper =
        changes != nullptr && changes->upper() ? row_key(*changes->upper()) : first_key_of(job_.source_id + 1);
    auto rows = copy_.iterate(keyspaces::kItems, {.lower = lower, .upper = upper});
    rows.seek_first();
    auto change = changes == nullptr ? Entries::const_iterator() : changes->all().lower_bound(job_.position);
    const auto end = changes == nullptr ? Entries::const_iterator() : changes->all().end();
    while (rows.valid() || change != end) {
      const std::string_view key = rows.valid() ? rows.key().substr(sizeof(TableId)) : std::string_view();
      const bool is_past = change != end && (!rows.valid() || std::string_view(change->first) <= key);
      if (is_full()) return finished(is_past ? change->first : std::string(key));
      if (!is_past) {
        DOLMEN_TRY_VOID(add_item(EncodedItem{std::string(rows.value())}));
        rows.next();
        continue;
      }
      DOLMEN_TRY(const std::optional<EncodedItem> old, PastChanges::replaced(copy_, change->second.first));
      if (old) DOLMEN_TRY_VOID(add_item(*old));
      if (rows.valid() && key == change->first) rows.next();
      ++change;
    }
    DOLMEN_TRY_VOID(rows.status());
    return finished(changes == nullptr ? std::nullopt : changes->upper());
  }

  /// The items that changed in the period of the job.
  Result<DataFile> changed_items(const PastChanges& changes) {
    for (auto change = changes.all().lower_bound(job_.position); change != changes.all().end(); ++change) {
      if (is_full()) return finished(change->first);
      DOLMEN_TRY_VOID(add_change(change->first, change->second));
    }
    return finished(changes.upper());
  }

 private:
  using Entries = std::map<std::string, PastChanges::Change, std::less<>>;

  [[nodiscard]] bool is_full() const { return gzip_.size() >= kFileBytes; }

  [[nodiscard]] std::string row_key(std::string_view without_id) const {
    std::string key;
    append_big_endian(key, job_.source_id);
    return key.append(without_id);
  }

  DataFile finished(std::optional<std::string> next) {
    file_.bytes = gzip_.finish();
    file_.next = std::move(next);
    return std::move(file_);
  }

  Result<void> add_item(const EncodedItem& item) {
    DOLMEN_TRY(const std::optional<EncodedItem> selected, selection_.select(item));
    if (!selected) return {};
    std::string line;
    DOLMEN_TRY_VOID(formats::append_item_line(line, selected->bytes, form_));
    return add_line(line, item_size(selected->bytes));
  }

  Result<void> add_change(const std::string& key, const PastChanges::Change& change) {
    DOLMEN_TRY(std::optional<EncodedItem> before, PastChanges::replaced(copy_, change.first));
    std::optional<EncodedItem> after;
    if (!change.after.empty()) {
      DOLMEN_TRY(after, PastChanges::replaced(copy_, change.after));
    } else {
      std::string value;
      DOLMEN_TRY(const bool there, copy_.get(keyspaces::kItems, row_key(key), value));
      if (there) after = EncodedItem{std::move(value)};
    }
    // What came and went in the period is not mentioned.
    if (!before && !after) return {};
    const EncodedItem whole = after ? *after : *before;
    if (before) {
      DOLMEN_TRY(before, selection_.select(*before));
    }
    if (after) {
      DOLMEN_TRY(after, selection_.select(*after));
    }
    if (!before && !after) return {};
    DOLMEN_TRY(const TableTime written, history::time_of(change.last));
    const bool old_images = job_.described.asked.window->old_images;
    formats::ChangeLine line{.written_micros = written.time_since_epoch().count() * 1000,
                             .keys = select_attributes(whole.bytes, streams::key_names(table_.keys)),
                             .new_image = std::move(after),
                             .old_image = old_images ? std::move(before) : std::nullopt};
    const std::size_t bytes = (line.new_image ? item_size(line.new_image->bytes) : 0) +
                              (line.old_image ? item_size(line.old_image->bytes) : 0);
    std::string text;
    DOLMEN_TRY_VOID(formats::append_change_line(text, line, form_));
    return add_line(text, bytes);
  }

  Result<void> add_line(std::string_view line, std::size_t bytes) {
    gzip_.add(line);
    ++file_.items;
    file_.item_bytes += bytes;
    return {};
  }

  const transfers::ExportJob& job_;
  const storage::Storage& copy_;
  const Table& table_;
  const ExportSelection selection_;
  const formats::LineForm form_;
  formats::GzipWriter gzip_;
  DataFile file_;
};

Result<BackgroundTask::Next> Exporter::step() {
  DOLMEN_TRY(std::vector<transfers::ExportJob> jobs, transfers::list<transfers::ExportJob>(parts_.storage));
  std::erase_if(jobs, [](const transfers::ExportJob& job) { return !transfers::is_running(job); });
  if (jobs.empty()) return std::nullopt;
  const auto next = std::ranges::find_if(jobs, [&](const transfers::ExportJob& job) { return job.id > last_turn_; });
  const transfers::ExportJob& turn = next == jobs.end() ? jobs.front() : *next;
  last_turn_ = turn.id;
  const Result<void> done = advance(turn);
  if (done) {
    failures_.erase(turn.id);
    return std::chrono::milliseconds(0);
  }
  const std::optional<JobFailure> failure = failure_of(done.error(), ++failures_[turn.id]);
  if (!failure) return std::unexpected(done.error());
  failures_.erase(turn.id);
  transfers::ExportJob failed = turn;
  failed.described.status = JobStatus::kFailed;
  failed.described.failure = failure;
  if (parts_.log) parts_.log(fmt::format("the export {} has failed: {}", failed.described.arn, failure->message));
  DOLMEN_TRY_VOID(end(std::move(failed)));
  return std::chrono::milliseconds(0);
}

Result<void> Exporter::advance(transfers::ExportJob job) {
  if (parts_.buckets == nullptr) return no_buckets();
  DOLMEN_TRY(const std::shared_ptr<ObjectStore> bucket, parts_.buckets->open(job.described.asked.to.bucket));
  if (job.written) return finish(std::move(job), *bucket);
  if (!job.begun) {
    DOLMEN_TRY_VOID(bucket->put(export_files::key_of(job, "_started"), ""));
    job.begun = true;
  }
  DOLMEN_TRY(const std::shared_ptr<const storage::Storage> copy, parts_.copies.open(job.copy));
  DOLMEN_TRY(const DataFile made, make_file(job, *copy));
  storage::Batch batch;
  // A table without items has an empty file.
  if (made.items > 0 || (!made.next && job.files == 0)) {
    const formats::Md5 digest = formats::md5(made.bytes);
    const transfers::ExportFile file{.key = export_files::data_key(job, job.files),
                                     .items = made.items,
                                     .md5_base64 = digest.base64,
                                     .etag = digest.hex};
    DOLMEN_TRY_VOID(bucket->put(file.key, made.bytes));
    transfers::put_file(batch, job.id, job.files, file);
    ++job.files;
  }
  job.items += made.items;
  job.bytes += made.item_bytes;
  job.position = made.next.value_or("");
  job.written = !made.next;
  transfers::put(batch, job);
  return parts_.storage.commit(std::move(batch));
}

Result<Exporter::DataFile> Exporter::make_file(const transfers::ExportJob& job, const storage::Storage& copy) {
  DOLMEN_TRY(const std::optional<Table> table, Catalogue::stored(copy, job.table));
  if (!table) return fail(Code::kCorruption, "the copy of the table {} lacks its definition", job.table);
  const ExportTableRequest& asked = job.described.asked;
  DOLMEN_TRY(ExportSelection selection, ExportSelection::of(asked.filter));
  FileMaker maker(job, copy, *table, std::move(selection));
  if (asked.window) {
    DOLMEN_TRY(const PastChanges* changes, changes_from(job, copy));
    return maker.changed_items(*changes);
  }
  // Without a history nothing has changed since.
  if (job.history_id == 0) return maker.items(nullptr);
  DOLMEN_TRY(const PastChanges* changes, changes_from(job, copy));
  return maker.items(changes);
}

Result<const PastChanges*> Exporter::changes_from(const transfers::ExportJob& job, const storage::Storage& copy) {
  const bool fits = known_ && known_->job == job.id && known_->lower <= job.position &&
                    (!known_->changes.upper() || job.position < *known_->changes.upper());
  if (fits) return &known_->changes;
  known_.reset();
  const ExportTableRequest& asked = job.described.asked;
  PastChanges::Period period{.history = job.history_id,
                             .from = asked.time.value_or(job.described.started) + std::chrono::milliseconds(1)};
  if (asked.window) {
    period.from = *asked.window->from;
    period.to = *asked.window->to;
  }
  DOLMEN_TRY(PastChanges changes, PastChanges::read(copy, period, job.position));
  known_ = KnownChanges{.job = job.id, .lower = job.position, .changes = std::move(changes)};
  return &known_->changes;
}

Result<void> Exporter::finish(transfers::ExportJob job, ObjectStore& bucket) {
  DOLMEN_TRY(const std::vector<transfers::ExportFile> files, transfers::files_of(parts_.storage, job.id));
  job.described.status = JobStatus::kCompleted;
  job.described.ended = std::chrono::time_point_cast<std::chrono::milliseconds>(parts_.clock.now());
  job.described.items = job.items;
  job.described.billed_bytes = job.bytes;
  job.described.manifest = export_files::key_of(job, "manifest-summary.json");
  const auto put = [&](const std::string& name, const std::string& content) -> Result<void> {
    DOLMEN_TRY_VOID(bucket.put(export_files::key_of(job, name + ".json"), content));
    return bucket.put(export_files::key_of(job, name + ".md5"), formats::md5(content).base64);
  };
  DOLMEN_TRY_VOID(put("manifest-files", export_files::file_lines(files)));
  DOLMEN_TRY_VOID(put("manifest-summary", export_files::summary(job)));
  return end(std::move(job));
}

Result<void> Exporter::end(transfers::ExportJob job) {
  if (!job.described.ended)
    job.described.ended = std::chrono::time_point_cast<std::chrono::milliseconds>(parts_.clock.now());
  const std::string copy = std::exchange(job.copy, "");
  storage::Batch batch;
  transfers::forget_files(batch, job.id);
  transfers::put(batch, job);
  DOLMEN_TRY_VOID(parts_.storage.commit(std::move(batch)));
  if (known_ && known_->job == job.id) known_.reset();
  parts_.copies.remove(copy);
  return {};
}

}  // namespace dolmen::engine
