#include "cli/explain.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <memory>

#include "base/fail.h"
#include "cli/print_error.h"
#include "cli/store_flags.h"
#include "cli/stored_value.h"
#include "dolmen/explain.h"
#include "protocol/explanation_json.h"
#include "service/explain.h"

namespace dolmen::cli {
namespace {

struct ExplainFlags {
  std::string table;
  std::string statement;
  std::string parameters;
  std::string key;
  std::string key_condition;
  std::string index;
  std::string filter;
  std::string projection;
  std::string names;
  std::string values;
  std::uint32_t limit = 0;
  bool consistent = false;
  bool descending = false;
  StoreFlags store;
  bool json = false;
};

std::optional<Expression> optional_expression(const std::string& text) {
  return text.empty() ? std::nullopt : std::optional(Expression{text});
}

Result<expr::Placeholders> placeholders_of(const ExplainFlags& flags) {
  expr::Placeholders placeholders;
  if (!flags.values.empty()) {
    DOLMEN_TRY(placeholders.values, stored_item(flags.values, "--values"));
  }
  if (flags.names.empty()) return placeholders;
  DOLMEN_TRY(const Item names, stored_item(flags.names, "--names"));
  for (const auto& [name, attribute] : names) {
    if (attribute.type() != Type::kString)
      return fail(Code::kInvalidArgument, "--names: \"{}\" must stand for the name of an attribute", name);
    placeholders.names[name] = attribute.string();
  }
  return placeholders;
}

Result<Explanation> explain_item_read(Store& store, const ExplainFlags& flags) {
  GetItemRequest request{.table = flags.table, .projection = optional_expression(flags.projection)};
  DOLMEN_TRY(const Item key, stored_item(flags.key, "--key"));
  DOLMEN_TRY(request.placeholders, placeholders_of(flags));
  request.key = encode_item(key);
  request.consistent_read = flags.consistent;
  return explain<GetItem>(store.service(), std::move(request));
}

Result<ReadManyRequest> explained_read(const ExplainFlags& flags) {
  ReadManyRequest request{.table = flags.table,
                          .key_condition = optional_expression(flags.key_condition),
                          .filter = optional_expression(flags.filter),
                          .projection = optional_expression(flags.projection),
                          .forward = !flags.descending,
                          .consistent_read = flags.consistent};
  if (!flags.index.empty()) request.index = flags.index;
  if (flags.limit > 0) request.limit = flags.limit;
  DOLMEN_TRY(request.placeholders, placeholders_of(flags));
  return request;
}

Result<Explanation> explain_query_page(Store& store, const ExplainFlags& flags) {
  DOLMEN_TRY(ReadManyRequest request, explained_read(flags));
  return explain<Query>(store.service(), std::move(request));
}

Result<Explanation> explain_scan_page(Store& store, const ExplainFlags& flags) {
  DOLMEN_TRY(ReadManyRequest request, explained_read(flags));
  return explain<Scan>(store.service(), std::move(request));
}

Result<std::vector<AttributeValue>> parameters_of(const std::string& json) {
  if (json.empty()) return std::vector<AttributeValue>();
  // As a member of an object, because only objects can be read as a whole.
  DOLMEN_TRY(const Item wrapped, stored_item("{\"values\": " + json + "}", "--parameters"));
  const auto* values = wrapped.at("values").get_if<List>();
  if (values == nullptr) return fail(Code::kInvalidArgument, "--parameters must be a JSON list, such as '[\"a\", 1]'");
  return std::vector<AttributeValue>(values->begin(), values->end());
}

Result<Explanation> explain_statement_page(Store& store, const ExplainFlags& flags) {
  StatementCall call{.text = flags.statement};
  DOLMEN_TRY(call.parameters, parameters_of(flags.parameters));
  return explain_statement(store, call, {.page_size = flags.limit, .consistent_read = flags.consistent});
}

void print_explanation(const Explanation& explanation) {
  for (const ReadPart& part : explanation.parts) {
    fmt::print("{} of {}\n", explanation.operation,
               part.index.empty() ? part.table : fmt::format("{}, index {}", part.table, part.index));
    fmt::print("  partitions  {} read\n", part.partitions_read);
    fmt::print("  items       {} read, {} returned", part.items_read, part.items_returned);
    if (part.items_fetched > 0) fmt::print(", {} fetched from the table", part.items_fetched);
    fmt::print("\n  bytes       {} read, {} returned", part.bytes_read, part.bytes_returned);
    if (part.items_fetched > 0) fmt::print(", {} fetched from the table", part.bytes_fetched);
    fmt::print("\n  capacity    {} read units\n", part.capacity);
  }
  std::vector<std::string> times;
  for (const ReadPhase& phase : explanation.phases)
    times.push_back(fmt::format("{} {} \u00b5s", phase.name, (phase.time.count() + 500) / 1000));
  if (!times.empty()) fmt::print("  time        {}\n", fmt::join(times, ", "));
  for (const ReadWarning& warning : explanation.warnings)
    fmt::print("warning ({}): {}\n", warning.kind, warning.message);
}

using Explain = Result<Explanation> (*)(Store& store, const ExplainFlags& flags);

int run_explain(const ExplainFlags& flags, Explain explain) {
  const auto explained = [&]() -> Result<Explanation> {
    DOLMEN_TRY(const std::unique_ptr<Store> store, open_store(flags.store));
    return explain(*store, flags);
  };
  const Result<Explanation> explanation = explained();
  if (!explanation) return report(explanation.error(), flags.json);
  if (flags.json)
    fmt::print("{}\n", explanation_json(*explanation));
  else
    print_explanation(*explanation);
  return kDone;
}

struct ExplainVerb {
  Verb verb;
  std::shared_ptr<ExplainFlags> flags;
};

/// What all have in common.
void add_common_explain_flags(const ExplainVerb& added) {
  const auto& [verb, flags] = added;
  verb.flag("--consistent", flags->consistent, "Read strongly consistently, which costs twice as much");
  add_store_flags(verb, flags->store);
  verb.flag("--json", flags->json, "Print a JSON object");
}

/// What those that name a table have in common.
ExplainVerb add_explain_verb(const Verb& parent, const std::string& name, const std::string& help) {
  auto flags = std::make_shared<ExplainFlags>();
  const Verb verb = parent.verb(name, help);
  verb.text("TABLE", flags->table, "Table to read").required();
  verb.text("--projection", flags->projection, "Projection expression").shown_as("EXPRESSION");
  verb.text("--names", flags->names, "Names in the expressions, such as '{\"#t\": \"topic\"}'").shown_as("JSON");
  add_common_explain_flags({verb, flags});
  return {verb, flags};
}

void add_explain_statement(const Verb& parent) {
  auto flags = std::make_shared<ExplainFlags>();
  const Verb verb = parent.verb("statement", "Explain the first page of a SELECT");
  verb.text("STATEMENT", flags->statement, "Statement, such as \"SELECT * FROM notes WHERE topic = 'dolmen'\"")
      .required();
  verb.text("--parameters", flags->parameters, "Values of its question marks, such as '[\"dolmen\", 0]'")
      .shown_as("JSON");
  verb.number("--limit", flags->limit, "Largest number of items to read; 0 is as many as a page has");
  add_common_explain_flags({verb, flags});
  verb.runs([flags] { return run_explain(*flags, explain_statement_page); });
}

void add_explain_read_flags(const ExplainVerb& added) {
  const auto& [verb, flags] = added;
  verb.text("--index", flags->index, "Index to read instead of the table").shown_as("NAME");
  verb.text("--filter", flags->filter, "Filter expression").shown_as("EXPRESSION");
  verb.text("--values", flags->values, "Values in the expressions, such as '{\":t\": \"dolmen\"}'").shown_as("JSON");
  verb.number("--limit", flags->limit, "Largest number of items to read; 0 is as many as a page has");
}

}  // namespace

void add_explain(const Verb& program) {
  const Verb explain = program.verb("explain", "Carry out a read and say what it does and costs");
  const ExplainVerb get = add_explain_verb(explain, "get", "Explain the read of one item");
  get.verb.text("--key", get.flags->key, "Key of the item, such as '{\"topic\": \"dolmen\"}'")
      .shown_as("JSON")
      .required();
  get.verb.runs([flags = get.flags] { return run_explain(*flags, explain_item_read); });
  const ExplainVerb query = add_explain_verb(explain, "query", "Explain the first page of a query");
  query.verb.text("--key-condition", query.flags->key_condition, "Key condition, such as 'topic = :t'")
      .shown_as("EXPRESSION")
      .required();
  add_explain_read_flags(query);
  query.verb.flag("--descending", query.flags->descending, "Read from the end");
  query.verb.runs([flags = query.flags] { return run_explain(*flags, explain_query_page); });
  const ExplainVerb scan = add_explain_verb(explain, "scan", "Explain the first page of a scan");
  add_explain_read_flags(scan);
  scan.verb.runs([flags = scan.flags] { return run_explain(*flags, explain_scan_page); });
  add_explain_statement(explain);
}

}  // namespace dolmen::cli
