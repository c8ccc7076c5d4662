#include "cli/vector.h"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/fail.h"
#include "cli/item_text.h"
#include "cli/opened_table.h"
#include "cli/print_error.h"
#include "cli/where.h"
#include "dolmen/explain.h"
#include "protocol/explanation_json.h"
#include "protocol/object_view.h"
#include "protocol/object_writer.h"
#include "protocol/vector_statistics_json.h"
#include "service/dolmen_calls.h"
#include "service/wait.h"

namespace dolmen::cli {
namespace {

struct VectorFlags {
  std::string table;
  std::string index;
  std::string vector;
  std::string near;
  std::string where;
  std::string select;
  std::uint32_t top = 10;
  std::uint32_t sample = 20;
  bool explain = false;
  bool typed = false;
  bool json = false;
  StoreFlags store;
};

Result<std::vector<float>> given_vector(const VectorFlags& flags) {
  DOLMEN_TRY(const std::string text, text_or_input(flags.vector));
  DOLMEN_TRY(const AttributeValue value, read_value(text, false, "--vector"));
  Result<std::vector<float>> vector = vector_of(value);
  if (!vector) return fail(Code::kInvalidArgument, "--vector: {}", vector.error().message());
  return vector;
}

/// The vector of the item with this key.
Result<std::vector<float>> vector_near(const VectorFlags& flags, const OpenedTable& opened) {
  const TableDefinition& table = opened.table.definition;
  const auto index = std::ranges::find(table.vector_indexes, flags.index, &VectorIndexDefinition::name);
  if (index == table.vector_indexes.end())
    return fail(Code::kInvalidArgument, "Table \"{}\" has no vector index \"{}\"", flags.table, flags.index);
  DOLMEN_TRY(const Item key, read_item(flags.near, flags.typed, "--near", table));
  DOLMEN_TRY(const GetResult got, opened.store->get_item(flags.table, key));
  const AttributeValue* value = got.item ? got.item->find(index->attribute) : nullptr;
  if (value == nullptr)
    return fail(Code::kItemNotFound, "Table \"{}\" has no item with the key {} and the attribute {}", flags.table,
                item_text(key, flags.typed), index->attribute);
  return vector_of(*value);
}

Result<VectorSearchOptions> options_in(const VectorFlags& flags) {
  VectorSearchOptions options{.top_k = flags.top};
  if (!flags.where.empty()) {
    const Result<Where> where = Where::parse(flags.where);
    if (!where) return fail(Code::kInvalidArgument, "--where: {}", where.error().message());
    options.where = where->condition();
  }
  if (!flags.select.empty()) {
    const Result<std::vector<Path>> paths = parse_where_paths(flags.select);
    if (!paths) return fail(Code::kInvalidArgument, "--select: {}", paths.error().message());
    options.projection = *paths;
  }
  return options;
}

Result<void> explain_search(const VectorFlags& flags, Store& store, const std::vector<float>& vector,
                            const VectorSearchOptions& options) {
  DOLMEN_TRY(const Explanation explained, explain_search_vectors(store, flags.table, flags.index, vector, options));
  if (flags.json) {
    fmt::print("{{\"explanation\":{}}}\n", explanation_json(explained));
    return {};
  }
  for (const ReadPart& part : explained.parts)
    fmt::print("{} of {}, index {}: {} vectors compared by {}, {} items returned\n", explained.operation, part.table,
               part.index, part.vectors_compared, part.way, part.items_returned);
  return {};
}

Result<void> print_hits(const VectorFlags& flags, Store& store, const std::vector<float>& vector,
                        const VectorSearchOptions& options) {
  DOLMEN_TRY(const VectorHits found, store.search_vectors(flags.table, flags.index, vector, options));
  for (const auto& [item, score] : found) {
    if (flags.json)
      fmt::print("{{\"score\":{},\"item\":{}}}\n", score, item_text(item, flags.typed));
    else
      fmt::print("{:<12.6g} {}\n", score, item_text(item, flags.typed));
  }
  return flags.explain ? explain_search(flags, store, vector, options) : Result<void>();
}

Result<void> search(const VectorFlags& flags) {
  DOLMEN_TRY(const VectorSearchOptions options, options_in(flags));
  if (flags.vector.empty() == flags.near.empty())
    return fail(Code::kInvalidArgument, "give --vector or --near: the vector, or the key of an item that has one");
  DOLMEN_TRY(const OpenedTable opened, open_table(flags.store, flags.table));
  DOLMEN_TRY(const std::vector<float> vector, flags.near.empty() ? given_vector(flags) : vector_near(flags, opened));
  return print_hits(flags, *opened.store, vector, options);
}

/// As JSON: from this process, or from the server that has the index.
Result<std::string> statistics_of(const VectorFlags& flags, Store& store) {
  if (auto* vectors = store.companions().find<VectorStatistics>()) {
    DOLMEN_TRY(const VectorIndexStatistics statistics,
               vectors->vector_statistics(flags.table, flags.index, flags.sample));
    return vector_statistics_json(statistics);
  }
  auto* calls = store.companions().find<DolmenCalls>();
  if (calls == nullptr) return fail(Code::kUnsupported, "this store does not tell what its indexes hold in memory");
  const std::string body = object_text([&](ObjectWriter& object) {
    object.text("TableName", flags.table).text("IndexName", flags.index).number("Sample", flags.sample);
  });
  return wait_for<std::string>(
      [&](Done<std::string> done) { calls->call("DescribeVectorIndex", body, std::move(done)); });
}

/// Zero for what is not a number.
std::uint64_t count_in(const std::string& text) {
  std::uint64_t count = 0;
  std::from_chars(text.data(), text.data() + text.size(), count);
  return count;
}

Result<void> show_statistics(const VectorFlags& flags) {
  DOLMEN_TRY(const OpenedTable opened, open_table(flags.store, flags.table));
  DOLMEN_TRY(const std::string json, statistics_of(flags, *opened.store));
  if (flags.json) {
    fmt::print("{}\n", json);
    return {};
  }
  DOLMEN_TRY(const ObjectView object, ObjectView::response(json));
  const auto shown = [&](std::string_view name) { return std::string(object.find(name).value_or("0")); };
  fmt::print("index       {} of {}\n", flags.index, flags.table);
  fmt::print("vectors     {} of {} dimensions in {} partitions\n", shown("Vectors"), shown("Dimensions"),
             shown("Partitions"));
  fmt::print("memory      {} bytes, {} for each vector\n", shown("MemoryBytes"),
             count_in(shown("MemoryBytes")) / std::max<std::uint64_t>(count_in(shown("Vectors")), 1));
  if (!object.find("Recall")) return {};
  fmt::print("recall      {} of exact search, {} searches, {} of them by a graph\n", shown("Recall"), shown("Sample"),
             shown("ByGraph"));
  fmt::print("time        {} µs exact, {} µs approximate\n", shown("ExactMicroseconds"),
             shown("ApproximateMicroseconds"));
  return {};
}

using VectorVerb = Result<void> (*)(const VectorFlags&);

std::pair<Verb, std::shared_ptr<VectorFlags>> add_vector_verb(const Verb& parent, const std::string& name,
                                                              const std::string& help, VectorVerb run) {
  auto flags = std::make_shared<VectorFlags>();
  const Verb verb = parent.verb(name, help);
  verb.text("TABLE", flags->table, "Table").required();
  verb.text("INDEX", flags->index, "Vector index of the table").required();
  add_store_flags(verb, flags->store);
  verb.flag("--json", flags->json, "Print JSON");
  verb.runs([flags, run] {
    const Result<void> done = run(*flags);
    return done ? static_cast<int>(kDone) : report(done.error(), flags->json);
  });
  return {verb, flags};
}

}  // namespace

void add_vector(const Verb& program) {
  const Verb verb = program.verb("vector", "Search vector indexes, and see what they hold");
  const auto [searching, asked] =
      add_vector_verb(verb, "search", "Show the items whose vectors are nearest, best first", search);
  searching.text("--vector", asked->vector, "Vector as a JSON list, or - for the standard input").shown_as("JSON");
  searching.text("--near", asked->near, "Key of an item whose vector is searched for").shown_as("JSON");
  searching.text("--where", asked->where, "Values of search attributes, such as 'tenant = \"t1\"'")
      .shown_as("CONDITION");
  searching.text("--select", asked->select, "Attributes to show, with commas between them").shown_as("PATHS");
  searching.number("--top", asked->top, "Number of items", {1, 100});
  searching.flag("--explain", asked->explain, "Say how the search went");
  searching.flag("--typed", asked->typed, "Items and keys as DynamoDB JSON");
  const auto [telling, told] = add_vector_verb(
      verb, "stats", "Show the size of an index in memory, and the recall of its graph", show_statistics);
  telling.number("--sample", told->sample, "Number of searches that are compared with exact ones", {0, 10'000});
}

}  // namespace dolmen::cli
