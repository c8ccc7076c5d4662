#include "transfer/export.h"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <fmt/format.h>
#include <memory>
#include <mutex>
#include <optional>
#include <system_error>
#include <thread>
#include <unistd.h>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "base/fail.h"
#include "base/file_writer.h"
#include "base/random.h"
#include "protocol/object_view.h"
#include "protocol/object_writer.h"
#include "transfer/aws_folder.h"
#include "transfer/csv.h"
#include "transfer/gzip.h"
#include "transfer/item_check.h"
#include "transfer/plain_json.h"
#include "value/encoded_item.h"
#include "value/json.h"

namespace dolmen::transfer {
namespace {

/// The position is saved after so many bytes.
constexpr std::uint64_t kBytesPerPosition = std::uint64_t{32} << 20;
constexpr std::size_t kStateBytes = std::size_t{64} << 20;
/// So many items decide on the columns of a CSV file.
constexpr std::uint32_t kItemsForColumns = 1000;

constexpr std::string_view kDataFile = "items.json.gz";

/// A part of the table.
struct ExportSegment {
  std::optional<Item> after;
  bool done = false;
};

class Exporting {
 public:
  Exporting(Store& store, const TableDescription& table, const ExportOptions& options)
      : store_(store),
        table_(table),
        options_(options),
        started_ms_(
            std::chrono::duration_cast<std::chrono::milliseconds>(system_clock().now().time_since_epoch()).count()),
        part_(options.to + ".part"),
        is_compressed_(options.format == Format::kAws || options.to.ends_with(".gz")) {}
  ~Exporting() {
    if (file_ != nullptr && file_ != stdout) std::fclose(file_);
  }
  Exporting(const Exporting&) = delete;
  Exporting& operator=(const Exporting&) = delete;

  Result<ExportResult> run() {
    Result<void> done = prepare();
    if (done) {
      read_segments();
      done = error_ ? Result<void>(std::unexpected(*error_)) : finish();
    }
    if (!done) {
      if (is_own_file_ && options_.resume.empty()) std::filesystem::remove_all(part_);
      return std::unexpected(done.error());
    }
    report();
    return ExportResult{.items = items_};
  }

 private:
  [[nodiscard]] bool to_standard_output() const { return options_.to == "-"; }

  Result<void> prepare() {
    if (to_standard_output() && !options_.resume.empty())
      return fail(Code::kInvalidArgument, "the standard output cannot be resumed; export to a file");
    if (!to_standard_output() && std::filesystem::exists(options_.to))
      return fail(Code::kIo, "{} exists; choose another place, or remove it", options_.to);
    const bool goes_on = !options_.resume.empty() && std::filesystem::exists(options_.resume);
    if (goes_on) DOLMEN_TRY_VOID(load());
    if (options_.format == Format::kAws) DOLMEN_TRY_VOID(prepare_folder());
    if (segments_.empty()) segments_.resize(std::max(1U, options_.segments));
    if (options_.format == Format::kCsv) DOLMEN_TRY_VOID(find_columns());
    if (to_standard_output()) {
      file_ = stdout;
    } else {
      file_ = std::fopen(written_file().c_str(), goes_on ? "r+b" : "wb");
      if (file_ == nullptr) return failed_to_write();
      is_own_file_ = true;
      // What was written after the position was saved is read again.
      if (goes_on &&
          (::ftruncate(::fileno(file_), static_cast<off_t>(bytes_)) != 0 || std::fseek(file_, 0, SEEK_END) != 0))
        return failed_to_write();
    }
    if (options_.format == Format::kCsv && bytes_ == 0) {
      std::string header;
      append_header(header, columns_);
      return append(packed(std::move(header)));
    }
    return {};
  }

  /// The file that is written: the part itself, or the data file in it.
  [[nodiscard]] std::string written_file() const {
    return options_.format == Format::kAws ? (aws_folder() / "data" / kDataFile).string() : part_;
  }
  [[nodiscard]] std::filesystem::path aws_folder() const {
    return std::filesystem::path(part_) / "AWSDynamoDB" / export_id_;
  }

  Result<void> prepare_folder() {
    if (to_standard_output()) return fail(Code::kInvalidArgument, "an export for AWS is a folder; name one with --to");
    // AWS begins the name of an export with its time.
    if (export_id_.empty()) export_id_ = fmt::format("0{}-{}", started_ms_, random_uuid(system_random()).substr(0, 8));
    return FileWriter().make_folders(aws_folder() / "data");
  }

  std::unexpected<Error> failed_to_write() const {
    return fail(Code::kIo, "cannot write {}: {}", options_.to, std::generic_category().message(errno));
  }

  Result<void> append(std::string_view text) {
    if (std::fwrite(text.data(), 1, text.size(), file_) != text.size()) return failed_to_write();
    bytes_ += text.size();
    return {};
  }

  Result<void> find_columns() {
    if (!columns_.empty()) return {};
    DOLMEN_TRY(const Page page, store_.scan_page(table_.definition.name, {.page_size = kItemsForColumns}));
    columns_ = columns_for(page.items, table_.definition);
    return {};
  }

  void read_segments() {
    std::vector<std::jthread> threads;
    for (std::size_t i = 1; i < segments_.size(); ++i) threads.emplace_back([this, i] { read_segment(i); });
    read_segment(0);
  }

  void read_segment(std::size_t number) {
    while (true) {
      ScanOptions scan{.segment = ScanSegment{.segment = static_cast<std::uint32_t>(number),
                                              .total = static_cast<std::uint32_t>(segments_.size())},
                       .consistent_read = true};
      {
        const std::scoped_lock lock(file_mutex_);
        if (error_ || segments_[number].done) return;
        scan.start_after = segments_[number].after;
      }
      const Result<Page> page = store_.scan_page(table_.definition.name, scan);
      std::string text;
      Result<void> done = page ? format(page->items, text) : std::unexpected(page.error());
      // Outside of the lock: the segments compress at the same time.
      text = packed(std::move(text));
      const std::scoped_lock lock(file_mutex_);
      if (done) done = append(text);
      if (done) {
        items_ += page->items.size();
        segments_[number] = {.after = page->last_key, .done = !page->last_key};
        report();
        if (!options_.resume.empty() && bytes_ - bytes_saved_ > kBytesPerPosition) done = save();
      }
      if (!done && !error_) error_ = done.error();
    }
  }

  [[nodiscard]] std::string packed(std::string text) const {
    return is_compressed_ && !text.empty() ? gzip_member(text) : std::move(text);
  }

  Result<void> format(const std::vector<Item>& items, std::string& text) const {
    for (const Item& item : items) {
      switch (options_.format) {
        case Format::kTyped: text += json::to_text(item); break;
        case Format::kAws: text += "{\"Item\":" + json::to_text(item) + "}"; break;
        case Format::kPlain:
          if (!options_.lossy) DOLMEN_TRY_VOID(named(item, check_plain(item, table_.definition)));
          append_plain(text, item);
          break;
        case Format::kCsv: DOLMEN_TRY_VOID(named(item, append_csv_item(text, item, columns_))); continue;
      }
      text.push_back('\n');
    }
    return {};
  }

  [[nodiscard]] Result<void> named(const Item& item, Result<void> done) const {
    if (done) return {};
    return fail(Code::kValidation, "{}: {}", plain_text(key_item(item, table_.definition)), done.error().message());
  }

  void report() const {
    if (options_.progress) options_.progress({.items = items_, .done = items_, .whole = table_.extent.item_count});
  }

  Result<void> finish() {
    if (std::fflush(file_) != 0) return failed_to_write();
    if (to_standard_output()) return {};
    std::fclose(std::exchange(file_, nullptr));
    DOLMEN_TRY_VOID(FileWriter().sync(written_file()));
    if (options_.format == Format::kAws)
      DOLMEN_TRY_VOID(write_aws_manifests({.folder = aws_folder(),
                                           .data_file = std::string(kDataFile),
                                           .items = items_,
                                           .bytes = table_.extent.size_bytes,
                                           .time_ms = started_ms_},
                                          table_));
    DOLMEN_TRY_VOID(FileWriter().rename(part_, options_.to));
    if (!options_.resume.empty()) DOLMEN_TRY_VOID(FileWriter().remove(options_.resume));
    return {};
  }

  Result<void> save() {
    if (std::fflush(file_) != 0) return failed_to_write();
    DOLMEN_TRY_VOID(FileWriter().sync(written_file()));
    const std::string state = object_text([&](ObjectWriter& object) {
      object.text("table", table_.id).text("to", options_.to).number("bytes", bytes_).number("items", items_);
      object.objects("segments", segments_, [](ObjectWriter& segment, const ExportSegment& each) {
        segment.flag("done", each.done);
        if (each.after) segment.text("after", json::to_text(*each.after));
      });
      std::string header;
      if (options_.format == Format::kCsv) append_header(header, columns_);
      object.text("columns", header).text("export", export_id_);
    });
    bytes_saved_ = bytes_;
    return FileWriter().replace(options_.resume, state);
  }

  Result<void> load() {
    const auto unusable = [&](std::string_view why) {
      return fail(Code::kIo, "{} does not belong to this export: {}; remove it to begin again", options_.resume, why);
    };
    DOLMEN_TRY(const std::string text, FileWriter::read(options_.resume, kStateBytes));
    const Result<ObjectView> state = ObjectView::response(text);
    if (!state) return unusable("it cannot be read");
    if (state->shown("table") != table_.id) return unusable("the table is another one");
    if (state->shown("to") != options_.to) return unusable("the file to write is another one");
    std::string columns = state->shown("columns");
    export_id_ = state->shown("export");
    if (columns.empty() != (options_.format != Format::kCsv) || export_id_.empty() != (options_.format != Format::kAws))
      return unusable("the format is another one");
    if (!columns.empty()) {
      columns.pop_back();
      DOLMEN_TRY(columns_, parse_header(columns, table_.definition));
    }
    if (!read_number(state->shown("bytes"), bytes_) || !read_number(state->shown("items"), items_))
      return unusable("it cannot be read");
    for (const std::string_view each : state->list("segments").value_or(std::vector<std::string_view>())) {
      DOLMEN_TRY(const ObjectView segment, ObjectView::response(each));
      ExportSegment read;
      DOLMEN_TRY(read.done, segment.flag("done"));
      DOLMEN_TRY(const std::optional<std::string> after, segment.optional_text("after"));
      if (after) {
        DOLMEN_TRY(const EncodedItem encoded, json::parse_item(*after));
        DOLMEN_TRY(read.after, decode_item(encoded.bytes));
      }
      segments_.push_back(std::move(read));
    }
    std::error_code error;
    if (const std::uintmax_t size = std::filesystem::file_size(written_file(), error); error || size < bytes_)
      return unusable(written_file() + " is missing or too short");
    bytes_saved_ = bytes_;
    return {};
  }

  static bool read_number(const std::string& text, std::uint64_t& number) {
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    return error == std::errc{} && end == text.data() + text.size();
  }

  Store& store_;
  const TableDescription& table_;
  const ExportOptions& options_;
  const std::int64_t started_ms_;
  const std::string part_;
  const bool is_compressed_;
  /// Of the export, in the words of AWS; only with Format::kAws.
  std::string export_id_;
  std::vector<CsvColumn> columns_;
  std::FILE* file_ = nullptr;
  bool is_own_file_ = false;
  std::mutex file_mutex_;  ///< Guards the file and everything below, while segments are read.
  std::vector<ExportSegment> segments_;
  std::uint64_t items_ = 0;
  std::uint64_t bytes_ = 0;
  std::uint64_t bytes_saved_ = 0;
  std::optional<Error> error_;
};

}  // namespace

Result<ExportResult> export_items(Store& store, const TableDescription& table, const ExportOptions& options) {
  return Exporting(store, table, options).run();
}

}  // namespace dolmen::transfer
