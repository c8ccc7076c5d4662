#include "cli/document_import.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <optional>
#include <thread>
#include <unistd.h>
#include <unordered_map>
#include <vector>

#include "base/fail.h"
#include "base/unicode.h"
#include "cli/print_error.h"
#include "cli/response.h"
#include "config/read.h"
#include "document/request.h"
#include "protocol/digest.h"
#include "schema/limits.h"
#include "schema/violations.h"

namespace dolmen::cli {
namespace {

using document::request_for;

/// So many wait for one sync of the disk together.
constexpr std::size_t kThreads = 16;
constexpr std::size_t kLinesTogether = 512;

struct Line {
  std::size_t number = 0;
  std::string text;
};

enum class Fate { kImported, kUnchanged, kRejected, kFailed };

/// What of a document tells it from others.
struct ImportedDocument {
  std::string id;
  /// The same for documents that differ only in the order of their fields. Numbers count as they are written.
  std::string canonical;
};

struct Outcome {
  Fate fate = Fate::kFailed;
  std::optional<Error> error = std::nullopt;
  /// Of a line that was checked.
  std::optional<ImportedDocument> document = std::nullopt;
};

config::Reading read_text(const std::string& text) {
  return config::read_json(text, {.bytes = text.size(), .depth = 100});
}

/// Reads the next lines that are not empty; none at the end.
std::vector<Line> next_lines(std::istream& input, std::size_t& number) {
  std::vector<Line> lines;
  std::string text;
  while (lines.size() < kLinesTogether && std::getline(input, text)) {
    ++number;
    if (text.find_first_not_of(" \t\r") != std::string::npos) lines.push_back({.number = number, .text = text});
  }
  return lines;
}

void append_canonical(const config::Node& node, std::string& out) {
  fmt::format_to(std::back_inserter(out), "{}{} {}:{}", static_cast<int>(node.kind), node.boolean ? 't' : 'f',
                 node.text.size(), node.text);
  fmt::format_to(std::back_inserter(out), " {}[", node.elements.size());
  for (const config::Node& element : node.elements) append_canonical(element, out);
  std::vector<const config::Node::Entry*> entries;
  for (const config::Node::Entry& entry : node.entries) entries.push_back(&entry);
  std::ranges::sort(entries, {}, &config::Node::Entry::name);
  fmt::format_to(std::back_inserter(out), " {}{{", entries.size());
  for (const config::Node::Entry* entry : entries) {
    fmt::format_to(std::back_inserter(out), "{}:{}", entry->name.size(), entry->name);
    append_canonical(entry->value, out);
  }
}

/// Nothing when it has no `_id`.
std::optional<ImportedDocument> document_of(const config::Node* node) {
  const config::Node* id = node == nullptr ? nullptr : node->find("_id");
  if (id == nullptr) return std::nullopt;
  ImportedDocument document{.id = id->text, .canonical = {}};
  append_canonical(*node, document.canonical);
  return document;
}

std::optional<ImportedDocument> read_document(const std::string& text) {
  const config::Reading reading = read_text(text);
  return document_of(reading.root ? &*reading.root : nullptr);
}

/// Whether a response to GetDocument has this very document.
bool holds(const std::string& response, const ImportedDocument& document) {
  const config::Reading reading = read_text(response);
  const std::optional<ImportedDocument> stored = document_of(reading.root ? reading.root->find("document") : nullptr);
  return stored && stored->canonical == document.canonical;
}

class Import {
 public:
  Import(OpenedDocuments& opened, const ImportFlags& flags) : opened_(opened), flags_(flags) {}

  Result<void> run();

  [[nodiscard]] std::size_t count(Fate fate) const { return counts_[static_cast<std::size_t>(fate)]; }
  [[nodiscard]] std::string rejected_file() const {
    return flags_.rejected.empty() ? flags_.file + ".rejected.jsonl" : flags_.rejected;
  }

 private:
  enum class Pass { kCheck, kInsert };

  Result<void> pass(Pass pass);
  [[nodiscard]] Outcome send(const Line& line, const char* operation) const;
  [[nodiscard]] Outcome check(const Line& line) const;
  [[nodiscard]] bool is_there_already(const std::string& text) const;
  [[nodiscard]] Result<std::string> get(const SchemaRef& ref, std::string_view id) const;
  [[nodiscard]] Outcome taken(std::string message) const;
  Result<void> find_versions();
  Outcome unless_repeated(const Line& line, Outcome outcome);
  Result<void> settle(const Line& line, const Outcome& outcome);
  void show_progress(std::uintmax_t bytes_done, bool last);

  OpenedDocuments& opened_;
  const ImportFlags& flags_;
  /// All of the schema's: an `_id` is free when it is in none.
  std::vector<SchemaRef> versions_;
  struct Seen {
    std::size_t number = 0;
    std::string digest;
  };
  /// The lines that have been checked, by `_id`.
  std::unordered_map<std::string, Seen> seen_;
  std::size_t counts_[4] = {};
  std::ofstream rejects_;
  std::uintmax_t bytes_all_ = 0;
  std::chrono::steady_clock::time_point started_ = std::chrono::steady_clock::now();
  std::chrono::steady_clock::time_point shown_ = started_;
};

Outcome Import::send(const Line& line, const char* operation) const {
  if (line.text.size() > limits::kDocumentTextBytes || !is_utf8(line.text))
    return {.fate = Fate::kRejected,
            .error = Error(Code::kSchemaValidationFailed, "the line is too long or not UTF-8")};
  const std::string request = request_for(flags_.ref, [&](ObjectWriter& object) { object.text("text", line.text); });
  const Result<std::string> response = opened_.call(operation, request);
  if (response) return {.fate = Fate::kImported};
  const Error& error = response.error();
  if (error.code() != Code::kSchemaValidationFailed) return {.fate = Fate::kFailed, .error = error};
  const bool taken = error.details().size() == 1 && error.details().front().rule == "id_unique";
  if (taken && is_there_already(line.text)) return {.fate = Fate::kUnchanged};
  return {.fate = Fate::kRejected, .error = error};
}

Outcome Import::taken(std::string message) const {
  return {.fate = Fate::kRejected,
          .error = schema::validation_error(flags_.ref,
                                            {{.path = "_id", .rule = "id_unique", .message = std::move(message)}})};
}

Result<std::string> Import::get(const SchemaRef& ref, std::string_view id) const {
  return opened_.call("GetDocument", request_for(ref, [&](ObjectWriter& object) { object.text("_id", id); }));
}

/// What `send` would say if the line were inserted now.
Outcome Import::check(const Line& line) const {
  Outcome outcome = send(line, "ValidateDocument");
  if (outcome.fate != Fate::kImported) return outcome;
  outcome.document = read_document(line.text);
  if (!outcome.document) return outcome;
  for (const SchemaRef& version : versions_) {
    const Result<std::string> stored = get(version, outcome.document->id);
    if (!stored && stored.error().code() == Code::kDocumentNotFound) continue;
    if (!stored) return {.fate = Fate::kFailed, .error = stored.error()};
    if (version == flags_.ref && holds(*stored, *outcome.document)) return {.fate = Fate::kUnchanged};
    return taken(
        fmt::format("\"{}\" is taken by a document of {} {}", outcome.document->id, version.id, version.version));
  }
  return outcome;
}

/// A line whose `_id` an earlier one has could not be inserted after it, unless both are the same.
Outcome Import::unless_repeated(const Line& line, Outcome outcome) {
  if (!outcome.document) return outcome;
  const std::string digest = hex_sha256(outcome.document->canonical);
  const auto [earlier, is_new] = seen_.try_emplace(outcome.document->id, line.number, digest);
  if (is_new || earlier->second.digest == digest) return outcome;
  return taken(fmt::format("\"{}\" is taken by line {}", outcome.document->id, earlier->second.number));
}

Result<void> Import::find_versions() {
  DOLMEN_TRY(const std::string response, opened_.call("ListSchemas", "{}"));
  DOLMEN_TRY(const ObjectView list, ObjectView::response(response));
  for (const ObjectView& schema : objects_in(list, "schemas")) {
    DOLMEN_TRY(SchemaRef ref, document::ref_in(schema));
    if (ref.id == flags_.ref.id) versions_.push_back(std::move(ref));
  }
  return {};
}

/// The `_id` is taken: by this very document?
bool Import::is_there_already(const std::string& text) const {
  const std::optional<ImportedDocument> document = read_document(text);
  if (!document) return false;
  const Result<std::string> stored = get(flags_.ref, document->id);
  return stored && holds(*stored, *document);
}

Result<void> Import::settle(const Line& line, const Outcome& outcome) {
  ++counts_[static_cast<std::size_t>(outcome.fate)];
  if (outcome.fate == Fate::kFailed) return std::unexpected(*outcome.error);
  if (outcome.fate != Fate::kRejected) return {};
  if (!rejects_.is_open()) {
    rejects_.open(rejected_file(), std::ios::trunc | std::ios::binary);
    if (!rejects_) return fail(Code::kIo, "cannot write {}", rejected_file());
  }
  rejects_ << object_text([&](ObjectWriter& entry) {
    entry.number("line", line.number).text("message", outcome.error->message());
    entry.objects("reasons", outcome.error->details(), [](ObjectWriter& reason, const ErrorDetail& detail) {
      reason.text("path", detail.path).text("rule", detail.rule).text("message", detail.message);
    });
    if (is_utf8(line.text)) entry.text("text", line.text);
  }) << "\n";
  return rejects_ ? Result<void>() : fail(Code::kIo, "cannot write {}", rejected_file());
}

void Import::show_progress(std::uintmax_t bytes_done, bool last) {
  const auto now = std::chrono::steady_clock::now();
  if (flags_.json || (!last && now - shown_ < std::chrono::milliseconds(500))) return;
  shown_ = now;
  const double seconds = std::max(std::chrono::duration<double>(now - started_).count(), 1e-3);
  const std::size_t done = count(Fate::kImported) + count(Fate::kUnchanged) + count(Fate::kRejected);
  const bool terminal = ::isatty(STDERR_FILENO) != 0;
  fmt::print(stderr, "{}{}  {:3.0f} %  {} documents  {:.0f}/s{}", terminal ? "\r" : "", flags_.file,
             bytes_all_ == 0 ? 100.0 : 100.0 * static_cast<double>(bytes_done) / static_cast<double>(bytes_all_), done,
             static_cast<double>(done) / seconds, terminal && !last ? "" : "\n");
  std::fflush(stderr);
}

Result<void> Import::pass(Pass pass) {
  std::ifstream input(flags_.file, std::ios::binary);
  if (!input) return fail(Code::kIo, "cannot read {}", flags_.file);
  std::error_code ignored;
  bytes_all_ = std::filesystem::file_size(flags_.file, ignored);
  std::uintmax_t bytes_done = 0;
  std::size_t number = 0;
  for (std::vector<Line> lines = next_lines(input, number); !lines.empty(); lines = next_lines(input, number)) {
    std::vector<Outcome> outcomes(lines.size());
    std::atomic<std::size_t> next = 0;
    {
      std::vector<std::jthread> threads;
      for (std::size_t t = 0; t < std::min(kThreads, lines.size()); ++t)
        threads.emplace_back([&] {
          for (std::size_t i = next++; i < lines.size(); i = next++)
            outcomes[i] = pass == Pass::kCheck ? check(lines[i]) : send(lines[i], "InsertDocument");
        });
    }
    for (std::size_t i = 0; i < lines.size(); ++i) {
      if (pass == Pass::kCheck) outcomes[i] = unless_repeated(lines[i], std::move(outcomes[i]));
      DOLMEN_TRY_VOID(settle(lines[i], outcomes[i]));
      bytes_done += lines[i].text.size() + 1;
    }
    show_progress(bytes_done, false);
  }
  if (input.bad()) return fail(Code::kIo, "cannot read {} to its end", flags_.file);
  show_progress(bytes_all_, true);
  return {};
}

Result<void> Import::run() {
  if (flags_.all_or_none) {
    DOLMEN_TRY_VOID(find_versions());
    DOLMEN_TRY_VOID(pass(Pass::kCheck));
    counts_[static_cast<std::size_t>(Fate::kImported)] = 0;
    if (count(Fate::kRejected) > 0) return {};
    counts_[static_cast<std::size_t>(Fate::kUnchanged)] = 0;
    seen_.clear();
  }
  return pass(Pass::kInsert);
}

}  // namespace

int import_documents(const ImportFlags& flags) {
  auto opened = documents_in(open_store(flags.store));
  if (!opened) return report(opened.error(), flags.json);
  // That the schema is there is asked once, before any line.
  if (const auto known = opened->call("DescribeSchema", request_for(flags.ref)); !known)
    return report(known.error(), flags.json);
  Import import(*opened, flags);
  const Result<void> done = import.run();
  if (!done) return report(done.error(), flags.json);
  const std::size_t rejected = import.count(Fate::kRejected);
  if (flags.json)
    fmt::print(R"({{"imported":{},"unchanged":{},"rejected":{}}})"
               "\n",
               import.count(Fate::kImported), import.count(Fate::kUnchanged), rejected);
  else
    fmt::print("{} imported, {} unchanged, {} rejected{}\n", import.count(Fate::kImported),
               import.count(Fate::kUnchanged), rejected,
               rejected == 0 ? "" : fmt::format("; see {}", import.rejected_file()));
  return rejected == 0 ? 0 : 1;
}

}  // namespace dolmen::cli
