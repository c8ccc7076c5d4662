#include "cli/transfer.h"

#include <algorithm>
#include <fmt/format.h>
#include <memory>

#include "base/fail.h"
#include "cli/check_files.h"
#include "cli/opened_table.h"
#include "cli/print_error.h"
#include "cli/print_json.h"
#include "cli/progress_line.h"
#include "transfer/export.h"
#include "transfer/import.h"

namespace dolmen::cli {
namespace {

using transfer::Format;

struct TransferFlags {
  StoreFlags store;
  std::string table;
  std::string file;
  std::string format;
  std::string rejected;
  std::string resume;
  std::uint32_t connections = 0;
  std::uint32_t segments = 4;
  bool typed = false;
  bool lossy = false;
  bool dry_run = false;
  bool json = false;
};

Format format_in(const TransferFlags& flags) {
  if (flags.typed || flags.format == "typed") return Format::kTyped;
  if (flags.format == "csv") return Format::kCsv;
  if (flags.format == "aws") return Format::kAws;
  return flags.format == "plain" ? Format::kPlain : transfer::format_of_file(flags.file);
}

std::string rate_text(std::uint64_t items, double seconds) {
  return fmt::format("{} in {} ({}/s)", counted(items, "item", "items"), duration_text(seconds),
                     grouped_digits(static_cast<std::uint64_t>(static_cast<double>(items) / std::max(seconds, 1e-3))));
}

void print_import(const TransferFlags& flags, const transfer::ImportResult& result, double seconds) {
  if (flags.json) {
    LogicalValue::List problems(result.problems.begin(), result.problems.end());
    print_json(LogicalItem{{flags.dry_run ? "valid" : "imported", result.items},
                           {"rejected", result.rejected},
                           {"before", result.before},
                           {"problems", std::move(problems)}});
    return;
  }
  for (const std::string& problem : result.problems) fmt::print(stderr, "{}\n", problem);
  if (result.rejected > result.problems.size())
    fmt::print(stderr, "… and {} more\n", result.rejected - result.problems.size());
  if (flags.dry_run)
    fmt::print("{} valid, {} not; nothing was written\n", counted(result.items, "item is", "items are"),
               result.rejected);
  else
    fmt::print("imported {}{}{}\n", rate_text(result.items, seconds),
               result.before == 0 ? "" : fmt::format(", after {} before", result.before),
               result.rejected == 0 ? "" : fmt::format("; {} rejected, see {}", result.rejected, flags.rejected));
}

Result<int> import_file(const TransferFlags& flags) {
  DOLMEN_TRY(const OpenedTable opened, open_table(flags.store, flags.table));
  ProgressLine line(flags.file, flags.json);
  const Result<transfer::ImportResult> result =
      transfer::import_items(*opened.store, opened.table.definition,
                             {.from = flags.file,
                              .format = format_in(flags),
                              .dry_run = flags.dry_run,
                              .rejected = flags.rejected,
                              .resume = flags.resume,
                              .connections = batches_at_a_time(flags.store, flags.connections),
                              .progress = [&](const transfer::Progress& progress) { line.show(progress); }});
  if (!result && !flags.resume.empty() && result.error().code() != Code::kInvalidArgument)
    return std::unexpected(
        Error(result.error().code(), result.error().message() + "; the same command goes on where it stopped"));
  if (!result) return std::unexpected(result.error());
  print_import(flags, *result, line.seconds());
  return result->rejected == 0 ? kDone : kFailed;
}

Result<int> export_file(const TransferFlags& flags) {
  DOLMEN_TRY(const OpenedTable opened, open_table(flags.store, flags.table));
  ProgressLine line(flags.file, flags.json);
  DOLMEN_TRY(const transfer::ExportResult result,
             transfer::export_items(*opened.store, opened.table,
                                    {.to = flags.file,
                                     .format = format_in(flags),
                                     .lossy = flags.lossy,
                                     .resume = flags.resume,
                                     .segments = flags.segments,
                                     .progress = [&](const transfer::Progress& progress) { line.show(progress); }}));
  if (flags.file == "-") return kDone;
  if (flags.json)
    print_json(LogicalItem{{"exported", result.items}, {"to", flags.file}});
  else
    fmt::print("exported {} to {}\n", rate_text(result.items, line.seconds()), flags.file);
  return kDone;
}

using TransferAction = Result<int> (*)(const TransferFlags&);

std::pair<Verb, std::shared_ptr<TransferFlags>> add_transfer_verb(const Verb& program, const char* name,
                                                                  const char* help, TransferAction action) {
  auto flags = std::make_shared<TransferFlags>();
  const Verb verb = program.verb(name, help);
  verb.text("TABLE", flags->table, "Name of the table").required();
  const Option format = verb.text("--format", flags->format,
                                  "Lines of plain JSON, lines of DynamoDB JSON, CSV, or the folder of an export by "
                                  "AWS; aws for a folder, csv "
                                  "for a name that ends in .csv, else plain. Files that end in .gz are compressed")
                            .one_of({"plain", "typed", "csv", "aws"});
  verb.flag("--typed", flags->typed, "The same as --format typed").not_with(format);
  verb.text("--resume", flags->resume,
            "Keep the position in this file, and go on from it when it exists; it is removed at the end")
      .shown_as("FILE")
      .not_empty();
  verb.flag("--json", flags->json, "Print JSON");
  add_store_flags(verb, flags->store);
  verb.runs([flags, action]() -> int {
    const Result<int> done = action(*flags);
    return done ? *done : report(done.error(), flags->json);
  });
  return {verb, flags};
}

}  // namespace

void add_import_and_export(const Verb& program) {
  const auto [importing, import_flags] =
      add_transfer_verb(program, "import", "Put the items of a file into a table", import_file);
  importing
      .text("--from", import_flags->file,
            "File with the items, folder of an export by AWS, or - for the standard input")
      .shown_as("FILE")
      .not_empty()
      .required();
  importing.flag("--dry-run", import_flags->dry_run, "Only check the file, and say what is wrong with it");
  importing
      .text("--rejected", import_flags->rejected,
            "Write records that are not items of the table to this file, and go on; otherwise the first one ends the "
            "import")
      .shown_as("FILE")
      .not_empty();
  importing.number("--connections", import_flags->connections,
                   "Batches that are written at a time; 0 means 16 over the network and 128 in a directory", {0, 256});
  const auto [exporting, export_flags] =
      add_transfer_verb(program, "export", "Write the items of a table to a file", export_file);
  exporting.text("--to", export_flags->file, "File or folder to make, or - for the standard output")
      .shown_as("FILE")
      .not_empty()
      .required();
  exporting.flag("--lossy", export_flags->lossy,
                 "Write sets as lists and bytes as base64 into plain JSON; otherwise they are refused");
  exporting.number("--segments", export_flags->segments,
                   "Parts of the table that are read at a time; 1 keeps the order of the table", {1, 64});
}

}  // namespace dolmen::cli
