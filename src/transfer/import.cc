#include "transfer/import.h"

#include <charconv>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <mutex>
#include <optional>

#include "base/fail.h"
#include "base/file_writer.h"
#include "base/unicode.h"
#include "protocol/object_view.h"
#include "protocol/object_writer.h"
#include "transfer/item_source.h"
#include "transfer/parallel_writer.h"
#include "transfer/plain_json.h"

namespace dolmen::transfer {
namespace {

/// After so many items everything is written out and the position is saved.
constexpr std::uint64_t kItemsPerPosition = 50'000;
constexpr std::uint64_t kItemsPerProgress = 1'000;
constexpr std::size_t kProblemsKept = 20;
constexpr std::size_t kResumeBytes = 65536;

/// How far an import was.
struct ImportPosition {
  SourcePosition at;
  std::uint64_t items = 0;
};

/// Where a record comes from.
struct Origin {
  std::string file;
  std::uint64_t line;
};

class Importing {
 public:
  Importing(Store& store, const TableDefinition& table, const ImportOptions& options)
      : store_(store), table_(table), options_(options) {}

  Result<ImportResult> run() {
    ImportPosition start;
    if (!options_.resume.empty() && std::filesystem::exists(options_.resume)) {
      DOLMEN_TRY(start, saved_position());
    }
    result_.before = start.items;
    DOLMEN_TRY(source_, ItemSource::open(options_.from, options_.format, table_, start.at));
    if (!options_.dry_run) {
      ParallelWriter::Options lanes{.lanes = options_.connections};
      if (!options_.rejected.empty())
        lanes.refused = [this](std::uint64_t line, const Item& item, const Error& error) {
          reject({options_.from, line}, plain_text(item), error);
        };
      writer_.emplace(store_, table_, std::move(lanes));
    }
    DOLMEN_TRY_VOID(read_all());
    if (writer_) {
      DOLMEN_TRY_VOID(writer_->drain());
      result_.items = writer_->written();
    }
    report();
    if (rejects_failed_) return fail(Code::kIo, "cannot write {}", options_.rejected);
    if (!options_.resume.empty() && !options_.dry_run) DOLMEN_TRY_VOID(FileWriter().remove(options_.resume));
    return std::move(result_);
  }

 private:
  Result<void> read_all() {
    Incoming incoming;
    for (std::uint64_t count = 1;; ++count) {
      DOLMEN_TRY(const bool there, source_->next(incoming));
      if (!there) return {};
      if (incoming.problem) {
        DOLMEN_TRY_VOID(handle_problem(incoming));
      } else if (writer_) {
        DOLMEN_TRY_VOID(writer_->put(std::move(incoming.item), incoming.line));
      } else {
        ++result_.items;
      }
      if (count % kItemsPerProgress == 0) report();
      if (count % kItemsPerPosition == 0) DOLMEN_TRY_VOID(save_position());
    }
  }

  Result<void> handle_problem(const Incoming& incoming) {
    if (options_.rejected.empty() && !options_.dry_run) {
      // What was read before is written, so that the message says how far the import got.
      DOLMEN_TRY_VOID(writer_->drain());
      return fail(Code::kValidation, "{}:{}: {} ({} items were imported before it)", incoming.file, incoming.line,
                  incoming.problem->message(), writer_->written());
    }
    reject({incoming.file, incoming.line}, incoming.text, *incoming.problem);
    return {};
  }

  void reject(const Origin& origin, const std::string& text, const Error& error) {
    const std::scoped_lock lock(rejects_mutex_);
    ++result_.rejected;
    if (result_.problems.size() < kProblemsKept)
      result_.problems.push_back(fmt::format("{}:{}: {}", origin.file, origin.line, error.message()));
    if (options_.rejected.empty()) return;
    if (!rejects_.is_open()) rejects_.open(options_.rejected, std::ios::binary | std::ios::trunc);
    rejects_ << object_text([&](ObjectWriter& entry) {
      entry.number("line", origin.line).text("message", error.message());
      if (is_utf8(text)) entry.text("text", text);
    }) << "\n";
    rejects_.flush();
    if (!rejects_) rejects_failed_ = true;
  }

  void report() const {
    if (!options_.progress) return;
    options_.progress(
        {.items = writer_ ? writer_->written() : result_.items, .done = source_->consumed(), .whole = source_->size()});
  }

  Result<void> save_position() {
    if (!writer_ || options_.resume.empty()) return {};
    DOLMEN_TRY_VOID(writer_->drain());
    const std::string state = object_text([&](ObjectWriter& object) {
      object.text("table", table_.name).text("from", options_.from).number("size", source_->size());
      object.number("file", source_->position().file)
          .number("offset", source_->position().offset)
          .number("lines", source_->position().lines);
      object.number("items", result_.before + writer_->written());
    });
    return FileWriter().replace(options_.resume, state);
  }

  Result<ImportPosition> saved_position() const {
    const auto unusable = [&](std::string_view why) {
      return fail(Code::kIo, "{} does not belong to this import: {}; remove it to begin again", options_.resume, why);
    };
    DOLMEN_TRY(const std::string text, FileWriter::read(options_.resume, kResumeBytes));
    const Result<ObjectView> state = ObjectView::response(text);
    if (!state) return unusable("it cannot be read");
    const auto number = [&](std::string_view name) { return number_in<std::uint64_t>(state->shown(name)); };
    if (state->shown("table") != table_.name) return unusable("the table is another one");
    DOLMEN_TRY(const std::unique_ptr<ItemSource> whole, ItemSource::open(options_.from, options_.format, table_));
    if (state->shown("from") != options_.from || number("size") != whole->size())
      return unusable("the file to import is another one, or has changed");
    const auto file = number("file");
    const auto offset = number("offset");
    const auto lines = number("lines");
    const auto items = number("items");
    if (!file || !offset || !lines || !items) return unusable("it cannot be read");
    return ImportPosition{.at = {.file = *file, .offset = *offset, .lines = *lines}, .items = *items};
  }

  template <class T>
  static std::optional<T> number_in(const std::string& text) {
    T number{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    return error == std::errc{} && end == text.data() + text.size() ? std::optional(number) : std::nullopt;
  }

  Store& store_;
  const TableDefinition& table_;
  const ImportOptions& options_;
  std::unique_ptr<ItemSource> source_;
  ImportResult result_;
  std::mutex rejects_mutex_;  ///< Guards the rejects and their counts.
  std::ofstream rejects_;
  bool rejects_failed_ = false;
  /// Its threads use everything above.
  std::optional<ParallelWriter> writer_;
};

}  // namespace

Result<ImportResult> import_items(Store& store, const TableDefinition& table, const ImportOptions& options) {
  if (options.from == "-" && !options.resume.empty())
    return fail(Code::kInvalidArgument, "the standard input cannot be resumed; import from a file");
  return Importing(store, table, options).run();
}

}  // namespace dolmen::transfer
