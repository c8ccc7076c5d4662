#include "cli/read_items.h"

#include <algorithm>
#include <fmt/format.h>
#include <memory>
#include <optional>

#include "base/base64.h"
#include "base/fail.h"
#include "cli/item_printer.h"
#include "cli/item_text.h"
#include "cli/opened_table.h"
#include "cli/print_error.h"
#include "cli/where.h"
#include "config/node.h"
#include "value/json.h"

namespace dolmen::cli {
namespace {

struct ReadFlags {
  StoreFlags store;
  std::string table;
  std::string where;
  std::string index;
  std::string select;
  std::string after;
  std::uint64_t limit = 0;
  bool is_query = false;
  bool descending = false;
  bool count = false;
  bool consistent = false;
  bool typed = false;
  bool json = false;
};

std::unexpected<Error> wrong_flag(std::string_view option, const Error& error) {
  return fail(Code::kInvalidArgument, "{}: {}", option, error.message());
}

/// The key after which to go on, as a word without spaces.
std::string token_of(const Item& key) { return encode_base64(json::to_text(key), Base64::kUrl); }

Result<Item> key_of_token(const std::string& token) {
  if (const Result<std::string> text = decode_base64(token, Base64::kUrl))
    if (const Result<EncodedItem> encoded = json::parse_item(*text)) return decode_item(encoded->bytes);
  return fail(Code::kInvalidArgument, "--after: \"{}\" is not what an earlier query or scan has printed", token);
}

/// What is read, with the keys that it has.
Result<WhereKeys> keys_to_read(const TableDefinition& table, const std::string& name) {
  std::vector<std::string_view> names;
  for (const auto* indexes : {&table.global_indexes, &table.local_indexes})
    for (const IndexDefinition& index : *indexes) {
      if (index.name == name)
        return WhereKeys{index.partition_keys, index.sort_keys, fmt::format("index \"{}\"", name)};
      names.push_back(index.name);
    }
  if (name.empty()) {
    WhereKeys keys{.partition = {table.partition_key}, .sort = {}, .owner = fmt::format("table \"{}\"", table.name)};
    if (table.sort_key) keys.sort = {*table.sort_key};
    return keys;
  }
  const std::string_view near = config::nearest_name(name, names, std::clamp<std::size_t>(name.size() / 3, 1, 3));
  return fail(Code::kInvalidArgument, "--index: table \"{}\" has no index \"{}\"{}", table.name, name,
              near.empty() ? std::string() : fmt::format("; did you mean \"{}\"?", near));
}

/// The name of an index whose partition key the condition has.
std::string usable_index(const Where& where, const TableDefinition& table) {
  for (const IndexDefinition& index : table.global_indexes)
    if (where.names_partition(index.partition_keys)) return index.name;
  return {};
}

/// One query or scan, page by page.
class ItemReading {
 public:
  ItemReading(const ReadFlags& flags, OpenedTable& opened) : flags_(flags), opened_(opened) {}

  Result<void> prepare(const std::optional<Where>& where, const std::vector<Path>& select);
  int run();

 private:
  Result<void> set_query(const std::optional<Where>& where);
  [[nodiscard]] Result<Page> read_page() const;
  [[nodiscard]] bool is_filtered() const { return !query_.filter.empty(); }
  [[nodiscard]] Item cursor_of(const Item& item) const;
  void strip(std::vector<Item>& items) const;

  const ReadFlags& flags_;
  OpenedTable& opened_;
  WhereKeys keys_;
  QueryOptions query_;
  /// Key attributes that were asked for only to know where to go on.
  std::vector<std::string> extra_;
  std::vector<std::string> first_;
};

Result<void> ItemReading::set_query(const std::optional<Where>& where) {
  if (!flags_.is_query) {
    if (where) query_.filter = where->condition();
    return {};
  }
  if (!where)
    return fail(Code::kInvalidArgument, "--where is missing: a query needs {} = VALUE, the partition key of {}",
                keys_.partition.front().name, keys_.owner);
  Result<WhereQuery> split = where->query(keys_);
  if (!split) {
    const std::string index = flags_.index.empty() && !where->names_partition(keys_.partition)
                                  ? usable_index(*where, opened_.table.definition)
                                  : "";
    return fail(Code::kInvalidArgument, "--where: {}{}", split.error().message(),
                !index.empty()                             ? fmt::format("; add --index {}", index)
                : !where->names_partition(keys_.partition) ? "; \"dolmen scan\" reads the whole table"
                                                           : "");
  }
  query_.key = std::move(split->key);
  query_.filter = std::move(split->filter);
  return {};
}

Result<void> ItemReading::prepare(const std::optional<Where>& where, const std::vector<Path>& select) {
  const TableDefinition& table = opened_.table.definition;
  DOLMEN_TRY(keys_, keys_to_read(table, flags_.index));
  DOLMEN_TRY_VOID(set_query(where));
  for (const auto* keys : {&keys_.partition, &keys_.sort})
    for (const KeyAttribute& key : *keys) first_.push_back(key.name);
  query_.index = flags_.index;
  query_.descending = flags_.descending;
  query_.consistent_read = flags_.consistent;
  query_.return_capacity = ReturnCapacity::kTotal;
  if (!flags_.after.empty()) {
    DOLMEN_TRY(query_.start_after, key_of_token(flags_.after));
  }
  if (select.empty()) return {};
  std::vector<Path> wanted = select;
  std::vector<std::string> keys = first_;
  keys.push_back(table.partition_key.name);
  if (table.sort_key) keys.push_back(table.sort_key->name);
  for (const std::string& key : keys) {
    const Path path(key);
    const bool there =
        std::ranges::any_of(wanted, [&](const Path& each) { return each.pieces().front() == path.pieces().front(); });
    if (there) continue;
    wanted.push_back(path);
    extra_.push_back(key);
  }
  query_.projection = Projection(wanted);
  return {};
}

Result<Page> ItemReading::read_page() const {
  if (flags_.is_query) return opened_.store->query_page(flags_.table, query_);
  return opened_.store->scan_page(flags_.table, {.index = query_.index,
                                                 .filter = query_.filter,
                                                 .projection = query_.projection,
                                                 .page_size = query_.page_size,
                                                 .start_after = query_.start_after,
                                                 .consistent_read = query_.consistent_read,
                                                 .return_capacity = query_.return_capacity});
}

/// The key after this item: that of the table and of the index.
Item ItemReading::cursor_of(const Item& item) const {
  Item cursor = key_of(item, opened_.table.definition);
  for (const std::string& name : first_)
    if (const AttributeValue* value = item.find(name)) cursor.set(name, *value);
  return cursor;
}

void ItemReading::strip(std::vector<Item>& items) const {
  for (Item& item : items)
    for (const std::string& name : extra_) item.erase(name);
}

int ItemReading::run() {
  ItemPrinter printer({.json = flags_.json, .typed = flags_.typed, .first = first_});
  ReadSummary summary;
  std::optional<Item> more;
  do {
    const std::uint64_t left = flags_.limit == 0 ? 0 : flags_.limit - summary.count;
    // What a filter leaves out must not make many small pages; it is cut here instead.
    query_.page_size = is_filtered() ? 0 : static_cast<std::uint32_t>(left);
    Result<Page> page = read_page();
    if (!page) return printer.finish(page.error());
    more = page->last_key;
    if (left > 0 && page->items.size() > left) {
      page->items.resize(left);
      more = cursor_of(page->items.back());
    }
    summary.count += page->items.size();
    summary.scanned += page->scanned_count;
    if (page->capacity) summary.read_units = summary.read_units.value_or(0) + page->capacity->total;
    strip(page->items);
    if (!flags_.count) printer.print(page->items);
    query_.start_after = more;
  } while (more && (flags_.limit == 0 || summary.count < flags_.limit));
  if (more) summary.after = token_of(*more);
  if (flags_.count)
    printer.print_count(summary);
  else
    printer.finish(summary);
  return kDone;
}

int read_items(const ReadFlags& flags) {
  const auto prepared = [&]() -> Result<int> {
    std::optional<Where> where;
    if (!flags.where.empty()) {
      Result<Where> parsed = Where::parse(flags.where);
      if (!parsed) return wrong_flag("--where", parsed.error());
      where = *std::move(parsed);
    }
    std::vector<Path> select;
    if (!flags.select.empty()) {
      Result<std::vector<Path>> paths = parse_where_paths(flags.select);
      if (!paths) return wrong_flag("--select", paths.error());
      select = *std::move(paths);
    }
    DOLMEN_TRY(OpenedTable opened, open_table(flags.store, flags.table));
    ItemReading reading(flags, opened);
    DOLMEN_TRY_VOID(reading.prepare(where, select));
    return reading.run();
  }();
  return prepared ? *prepared : report(prepared.error(), flags.json);
}

void add_reading_verb(const Verb& program, const char* name, const char* help, bool is_query) {
  auto flags = std::make_shared<ReadFlags>();
  flags->is_query = is_query;
  const Verb verb = program.verb(name, help);
  verb.text("TABLE", flags->table, "Name of the table").required();
  const Option where =
      verb.text("--where", flags->where,
                is_query ? "What to find: the partition key by =, the sort key by =, <, <=, >, >=, BETWEEN or "
                           "begins_with, and anything about other attributes, such as 'topic = \"a\" AND written >= 1'"
                         : "Which items to print, such as 'size(tags) > 2 AND NOT draft = true'")
          .shown_as("CONDITION")
          .not_empty();
  if (is_query) where.required();
  verb.text("--index", flags->index, "Read this index").shown_as("NAME").not_empty();
  verb.text("--select", flags->select, "Print only these attributes, such as topic,author.name")
      .shown_as("PATHS")
      .not_empty();
  verb.number("--limit", flags->limit, "Stop after so many items; 0 means all", {0, 1'000'000'000});
  verb.text("--after", flags->after, "Go on where an earlier call with --limit stopped").shown_as("TOKEN").not_empty();
  if (is_query) verb.flag("--descending", flags->descending, "From the largest sort key to the smallest");
  verb.flag("--count", flags->count, "Print only how many there are");
  verb.flag("--consistent", flags->consistent, "A strongly consistent read, which costs twice as much on AWS");
  verb.flag("--typed", flags->typed, "Print DynamoDB JSON, in which values name their types");
  verb.flag("--json", flags->json, "Print one JSON object with all items, also for errors");
  add_store_flags(verb, flags->store);
  verb.runs([flags] { return read_items(*flags); });
}

}  // namespace

void add_query_and_scan(const Verb& program) {
  add_reading_verb(program, "query", "Print the items with one partition key, in the order of their sort keys", true);
  add_reading_verb(program, "scan", "Print all items of a table, or those that match", false);
}

}  // namespace dolmen::cli
