#include "cli/sql.h"

#include <algorithm>
#include <fmt/format.h>
#include <memory>
#include <string>
#include <vector>

#include "base/ascii.h"
#include "base/fail.h"
#include "cli/item_printer.h"
#include "cli/item_text.h"
#include "cli/print_error.h"
#include "cli/store_flags.h"
#include "dolmen/store.h"

namespace dolmen::cli {
namespace {

struct SqlFlags {
  StoreFlags store;
  std::string statement;
  std::vector<std::string> values;
  std::string after;
  std::uint64_t limit = 0;
  bool consistent = false;
  bool typed = false;
  bool json = false;
};

/// The statement without the semicolon that people end it with.
Result<std::string> statement_in(const SqlFlags& flags) {
  DOLMEN_TRY(const std::string text, text_or_input(flags.statement));
  std::string_view statement = trimmed(text, " \t\r\n");
  if (statement.ends_with(';')) statement = trimmed(statement.substr(0, statement.size() - 1), " \t\r\n");
  if (statement.empty()) return fail(Code::kInvalidArgument, "STATEMENT: the statement is empty");
  return std::string(statement);
}

Result<std::vector<AttributeValue>> parameters_in(const SqlFlags& flags) {
  std::vector<AttributeValue> parameters;
  for (const std::string& text : flags.values) {
    DOLMEN_TRY(AttributeValue value, read_value(text, flags.typed, fmt::format("--value: {}", text)));
    parameters.push_back(std::move(value));
  }
  return parameters;
}

bool is_select(std::string_view statement) {
  constexpr std::string_view kSelect = "select";
  return equals_ignoring_case(statement.substr(0, std::min(statement.size(), kSelect.size())), kSelect);
}

/// Prints the rows of all pages, or those up to --limit.
int print_rows(Store& store, const StatementCall& call, const SqlFlags& flags) {
  ItemPrinter printer({.json = flags.json, .typed = flags.typed});
  StatementOptions options{.consistent_read = flags.consistent, .return_capacity = ReturnCapacity::kTotal};
  if (!flags.after.empty()) options.next_token = flags.after;
  ReadSummary summary;
  do {
    // A page of as many items as are left has at most as many rows, so none has to be thrown away.
    if (flags.limit > 0) options.page_size = static_cast<std::uint32_t>(flags.limit - summary.count);
    const Result<StatementPage> page = store.execute_page(call.text, call.parameters, options);
    if (!page) return printer.finish(page.error());
    summary.count += page->items.size();
    summary.scanned = summary.count;
    if (page->capacity) summary.read_units = summary.read_units.value_or(0) + page->capacity->total;
    printer.print(page->items);
    options.next_token = page->next_token;
  } while (options.next_token && (flags.limit == 0 || summary.count < flags.limit));
  summary.after = options.next_token.value_or("");
  printer.finish(summary);
  return kDone;
}

/// What a write RETURNING something returns, or that it was done.
int print_written(Store& store, const StatementCall& call, const SqlFlags& flags) {
  const Result<StatementPage> page = store.execute_page(call.text, call.parameters, {});
  if (!page) return report(page.error(), flags.json);
  if (page->items.empty() && !flags.json) {
    fmt::print("done\n");
    return kDone;
  }
  ItemPrinter printer({.json = flags.json, .typed = flags.typed});
  printer.print(page->items);
  printer.finish({.count = page->items.size(), .scanned = page->items.size()});
  return kDone;
}

Result<int> run_statement(const SqlFlags& flags) {
  StatementCall call;
  DOLMEN_TRY(call.text, statement_in(flags));
  DOLMEN_TRY(call.parameters, parameters_in(flags));
  DOLMEN_TRY(const std::unique_ptr<Store> store, open_store(flags.store));
  if (is_select(call.text)) return print_rows(*store, call, flags);
  if (flags.limit > 0 || !flags.after.empty())
    return fail(Code::kInvalidArgument, "--limit and --after are for a SELECT");
  return print_written(*store, call, flags);
}

}  // namespace

void add_sql(const Verb& program) {
  auto flags = std::make_shared<SqlFlags>();
  const Verb verb = program.verb("sql", "Carry out a PartiQL statement: SELECT, INSERT, UPDATE or DELETE");
  verb.text("STATEMENT", flags->statement, "The statement, or - for the standard input").required();
  verb.texts("--value", flags->values, "JSON for the next question mark of the statement; can be given several times")
      .shown_as("JSON");
  verb.number("--limit", flags->limit, "Stop after so many rows of a SELECT; 0 means all", {0, 1'000'000'000});
  verb.text("--after", flags->after, "Go on where an earlier call with --limit stopped").shown_as("TOKEN").not_empty();
  verb.flag("--consistent", flags->consistent, "A strongly consistent read, which costs twice as much on AWS");
  verb.flag("--typed", flags->typed, "Read and print DynamoDB JSON, in which values name their types");
  verb.flag("--json", flags->json, "Print one JSON object with all rows, also for errors");
  add_store_flags(verb, flags->store);
  verb.runs([flags]() -> int {
    const Result<int> done = run_statement(*flags);
    return done ? *done : report(done.error(), flags->json);
  });
}

}  // namespace dolmen::cli
