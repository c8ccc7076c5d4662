#include "cli/document_migrate.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <fmt/format.h>
#include <fstream>
#include <optional>
#include <thread>
#include <unistd.h>
#include <vector>

#include "base/fail.h"
#include "base/unicode.h"
#include "cli/filter_command.h"
#include "cli/print_error.h"
#include "config/read.h"
#include "document/mapping.h"
#include "protocol/object_writer.h"
#include "schema/violations.h"

namespace dolmen::cli {
namespace {

/// So many wait for one sync of the disk together.
constexpr std::size_t kMoversMax = 16;
constexpr std::uint32_t kDocumentsTogether = 512;
/// How often a document is read again because somebody has changed it.
constexpr int kReadAgainMax = 20;

/// What became of a document.
enum class Step { kMoved, kGone, kRejected, kFailed };

struct Moved {
  Step step = Step::kFailed;
  std::optional<Error> error = std::nullopt;
  /// What the document became, for a rejected one.
  std::string text = {};
};

std::vector<std::string> lines_of_output(std::string_view output) {
  std::vector<std::string> lines;
  while (!output.empty()) {
    const std::size_t end = std::min(output.find('\n'), output.size());
    lines.emplace_back(output.substr(0, end));
    output.remove_prefix(std::min(end + 1, output.size()));
  }
  return lines;
}

class Migration {
 public:
  Migration(Documents& documents, const MigrateFlags& flags) : documents_(documents), flags_(flags) {}

  Result<void> run();

  [[nodiscard]] std::size_t count(Step step) const { return counts_[static_cast<std::size_t>(step)]; }
  [[nodiscard]] std::string rejected_file() const {
    if (!flags_.rejected.empty()) return flags_.rejected;
    return fmt::format("{}_{}_to_{}.rejected.jsonl", flags_.ref.id, flags_.ref.version, flags_.to);
  }

 private:
  [[nodiscard]] SchemaRef target() const { return {.id = flags_.ref.id, .version = flags_.to}; }
  Result<void> prepare();
  /// What documents become. Fails when that cannot be found out for all of them.
  [[nodiscard]] Result<std::vector<Result<std::string>>> changed(const std::vector<Document>& documents) const;
  Result<void> move_page(const std::vector<Document>& documents);
  /// Reads and changes the document again when somebody else was faster.
  [[nodiscard]] Moved move_one(Document document, Result<std::string> text) const;
  [[nodiscard]] Result<void> move_or_check(const std::string& id, const Document& document,
                                           const std::string& text) const;
  Result<void> settle(const std::string& id, const Moved& moved);
  void show_progress(bool last);

  Documents& documents_;
  const MigrateFlags& flags_;
  std::optional<Schema> from_schema_;
  std::optional<Schema> to_schema_;
  std::optional<document::Mapping> mapping_;
  std::size_t counts_[4] = {};
  std::ofstream rejects_;
  std::chrono::steady_clock::time_point started_ = std::chrono::steady_clock::now();
  std::chrono::steady_clock::time_point shown_ = started_;
};

Result<void> Migration::prepare() {
  DOLMEN_TRY(const PublishedInfo from, documents_.schema(flags_.ref));
  DOLMEN_TRY(const PublishedInfo to, documents_.schema(target()));
  if (flags_.to == flags_.ref.version)
    return fail(Code::kInvalidArgument, "--to: the documents are of version {} already", flags_.to);
  DOLMEN_TRY(from_schema_, parse_schema(from.text));
  DOLMEN_TRY(to_schema_, parse_schema(to.text));
  if (flags_.mapping.empty()) return {};
  DOLMEN_TRY(const std::string text, config::read_file(flags_.mapping));
  DOLMEN_TRY(mapping_, document::Mapping::read(text, flags_.mapping, *from_schema_, *to_schema_));
  return {};
}

Result<std::vector<Result<std::string>>> Migration::changed(const std::vector<Document>& documents) const {
  std::vector<Result<std::string>> texts;
  if (flags_.command.empty()) {
    for (const Document& document : documents)
      texts.push_back(mapping_ ? mapping_->apply(document.text) : Result<std::string>(document.text));
    return texts;
  }
  std::string input;
  for (const Document& document : documents) input.append(document.text).push_back('\n');
  DOLMEN_TRY(const std::string output, filtered(flags_.command, input));
  const std::vector<std::string> lines = lines_of_output(output);
  if (lines.size() != documents.size())
    return fail(Code::kIo,
                "\"{}\" has printed {} lines for {} documents; it must print each document on one line, in their order",
                flags_.command, lines.size(), documents.size());
  texts.assign(lines.begin(), lines.end());
  return texts;
}

Result<void> Migration::move_or_check(const std::string& id, const Document& document, const std::string& text) const {
  if (!flags_.dry_run) {
    DOLMEN_TRY_VOID(documents_.move(flags_.ref, flags_.to, text, {.id = id, .expected_revision = document.revision}));
    return {};
  }
  DOLMEN_TRY_VOID(documents_.validate(target(), text));
  DOLMEN_TRY(const CheckedDocument checked, validate_document(*to_schema_, text));
  if (checked.id == id) return {};
  return std::unexpected(schema::validation_error(
      target(), {{.path = "_id",
                  .rule = "id_immutable",
                  .message = fmt::format("the _id of \"{}\" cannot change to \"{}\"", id, checked.id)}}));
}

Moved Migration::move_one(Document document, Result<std::string> text) const {
  const Result<CheckedDocument> stored = validate_document(*from_schema_, document.text);
  if (!stored) return {.step = Step::kFailed, .error = stored.error()};
  for (int attempt = 0;; ++attempt) {
    if (!text) return {.step = Step::kRejected, .error = text.error(), .text = document.text};
    const Result<void> done = move_or_check(stored->id, document, *text);
    if (done) return {.step = Step::kMoved};
    const Code code = done.error().code();
    if (code == Code::kDocumentNotFound) return {.step = Step::kGone};
    if (code == Code::kSchemaValidationFailed) return {.step = Step::kRejected, .error = done.error(), .text = *text};
    if (code != Code::kConditionFailed || attempt == kReadAgainMax)
      return {.step = Step::kFailed, .error = done.error()};
    Result<Document> again = documents_.get(flags_.ref, stored->id);
    if (!again && again.error().code() == Code::kDocumentNotFound) return {.step = Step::kGone};
    if (!again) return {.step = Step::kFailed, .error = again.error()};
    document = *std::move(again);
    auto texts = changed({document});
    if (!texts) return {.step = Step::kFailed, .error = texts.error()};
    text = std::move(texts->front());
  }
}

Result<void> Migration::move_page(const std::vector<Document>& documents) {
  DOLMEN_TRY(const std::vector<Result<std::string>> texts, changed(documents));
  std::vector<Moved> moved(documents.size());
  std::atomic<std::size_t> next = 0;
  {
    std::vector<std::jthread> threads;
    for (std::size_t t = 0; t < std::min(kMoversMax, documents.size()); ++t)
      threads.emplace_back([&] {
        for (std::size_t i = next++; i < documents.size(); i = next++) moved[i] = move_one(documents[i], texts[i]);
      });
  }
  for (std::size_t i = 0; i < documents.size(); ++i) {
    const Result<CheckedDocument> stored = validate_document(*from_schema_, documents[i].text);
    DOLMEN_TRY_VOID(settle(stored ? stored->id : std::string(), moved[i]));
  }
  return {};
}

Result<void> Migration::settle(const std::string& id, const Moved& moved) {
  ++counts_[static_cast<std::size_t>(moved.step)];
  if (moved.step == Step::kFailed) return std::unexpected(*moved.error);
  if (moved.step != Step::kRejected) return {};
  if (!rejects_.is_open()) {
    rejects_.open(rejected_file(), std::ios::trunc | std::ios::binary);
    if (!rejects_) return fail(Code::kIo, "cannot write {}", rejected_file());
  }
  rejects_ << object_text([&](ObjectWriter& entry) {
    entry.text("_id", id).text("message", moved.error->message());
    entry.objects("reasons", moved.error->details(), [](ObjectWriter& reason, const ErrorDetail& detail) {
      reason.text("path", detail.path).text("rule", detail.rule).text("message", detail.message);
    });
    if (is_utf8(moved.text)) entry.text("text", moved.text);
  }) << "\n";
  return rejects_ ? Result<void>() : fail(Code::kIo, "cannot write {}", rejected_file());
}

void Migration::show_progress(bool last) {
  const auto now = std::chrono::steady_clock::now();
  if (flags_.json || (!last && now - shown_ < std::chrono::milliseconds(500))) return;
  shown_ = now;
  const double seconds = std::max(std::chrono::duration<double>(now - started_).count(), 1e-3);
  const std::size_t done = count(Step::kMoved) + count(Step::kGone) + count(Step::kRejected);
  const bool terminal = ::isatty(STDERR_FILENO) != 0;
  fmt::print(stderr, "{}{} to {}  {} documents  {:.0f}/s{}", terminal ? "\r" : "", to_string(flags_.ref), flags_.to,
             done, static_cast<double>(done) / seconds, terminal && !last ? "" : "\n");
  std::fflush(stderr);
}

Result<void> Migration::run() {
  DOLMEN_TRY_VOID(prepare());
  ListDocumentsOptions options{.limit = kDocumentsTogether};
  do {
    DOLMEN_TRY(const DocumentPage page, documents_.list(flags_.ref, options));
    DOLMEN_TRY_VOID(move_page(page.documents));
    show_progress(false);
    options.cursor = page.cursor;
  } while (!options.cursor.empty());
  show_progress(true);
  return {};
}

std::string in_words(const Migration& migration, bool dry_run) {
  const std::size_t rejected = migration.count(Step::kRejected);
  return fmt::format("{} {}, {} gone, {} rejected{}", migration.count(Step::kMoved), dry_run ? "would move" : "moved",
                     migration.count(Step::kGone), rejected,
                     rejected == 0 ? "" : fmt::format("; see {}", migration.rejected_file()));
}

}  // namespace

int migrate_documents(const MigrateFlags& flags) {
  auto opened = documents_in(open_store(flags.store));
  if (!opened) return report(opened.error(), flags.json);
  Migration migration(opened->documents, flags);
  if (const Result<void> done = migration.run(); !done) {
    if (!flags.json && migration.count(Step::kMoved) > 0)
      fmt::print(stderr, "stopped: {}. The same command goes on from here\n", in_words(migration, flags.dry_run));
    return report(done.error(), flags.json);
  }
  if (flags.json)
    fmt::print(R"({{"moved":{},"gone":{},"rejected":{},"dry_run":{}}})"
               "\n",
               migration.count(Step::kMoved), migration.count(Step::kGone), migration.count(Step::kRejected),
               flags.dry_run);
  else
    fmt::print("{}\n", in_words(migration, flags.dry_run));
  return migration.count(Step::kRejected) == 0 ? 0 : 1;
}

}  // namespace dolmen::cli
