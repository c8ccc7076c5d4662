#include "cli/item_printer.h"

#include <cstdio>
#include <fmt/format.h>

#include "cli/check_files.h"
#include "cli/command_line.h"
#include "cli/item_text.h"
#include "cli/print_error.h"
#include "cli/table_text.h"
#include "protocol/object_writer.h"

namespace dolmen::cli {
namespace {

std::string summary_members(const ReadSummary& summary) {
  std::string text = fmt::format(R"("count":{},"scanned":{})", summary.count, summary.scanned);
  if (summary.read_units) text += fmt::format(R"(,"readUnits":{})", *summary.read_units);
  if (!summary.after.empty()) text += fmt::format(R"(,"after":"{}")", summary.after);
  return text;
}

std::string summary_line(const ReadSummary& summary) {
  std::string text = counted(summary.count, "item", "items");
  if (summary.scanned != summary.count) text += fmt::format(" of {} read", summary.scanned);
  if (summary.read_units) text += fmt::format(", {} read units", *summary.read_units);
  return text;
}

}  // namespace

ItemPrinter::ItemPrinter(Options options) : options_(std::move(options)), table_(!options_.json && on_terminal()) {}

void ItemPrinter::begin_object() {
  if (!begun_) fmt::print("{{\"items\":[");
  begun_ = true;
}

void ItemPrinter::print(const std::vector<Item>& items) {
  if (table_ && !options_.typed) {
    const TableStyle style{.numbers_right = true, .colour = has_colour()};
    if (!items.empty()) fmt::print("{}{}", printed_ > 0 ? "\n" : "", table_text(items, options_.first, style));
    printed_ += items.size();
    return;
  }
  if (options_.json) begin_object();
  for (const Item& item : items) {
    if (options_.json && printed_ > 0) fmt::print(",");
    ++printed_;
    fmt::print("{}{}", item_text(item, options_.typed), options_.json ? "" : "\n");
  }
}

void ItemPrinter::print_count(const ReadSummary& summary) {
  if (options_.json)
    fmt::print("{{{}}}\n", summary_members(summary));
  else
    fmt::print("{}\n", summary.count);
}

void ItemPrinter::finish(const ReadSummary& summary) {
  if (options_.json) {
    begin_object();
    fmt::print("],{}}}\n", summary_members(summary));
    return;
  }
  std::fflush(stdout);
  if (table_) fmt::print(stderr, "{}\n", summary_line(summary));
  if (!summary.after.empty()) fmt::print(stderr, "there may be more; go on with --after {}\n", summary.after);
}

int ItemPrinter::finish(const Error& error) {
  if (!options_.json || !begun_) return report(error, options_.json);
  fmt::print("],{}\n", object_text([&](ObjectWriter& object) {
                         object.json("details", "[]").text("error", code_name(error.code()));
                         object.text("message", error.message());
                       }).substr(1));
  return kFailed;
}

}  // namespace dolmen::cli
