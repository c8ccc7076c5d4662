#include "cli/table.h"

#include <algorithm>
#include <fmt/format.h>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/fail.h"
#include "cli/copy.h"
#include "cli/opened_table.h"
#include "cli/print_error.h"
#include "cli/print_json.h"
#include "cli/stored_value.h"
#include "cli/table_definition.h"
#include "cli/table_view.h"
#include "dolmen/tables.h"

namespace dolmen::cli {
namespace {

struct TableFlags {
  StoreFlags store;
  std::string name;
  std::string keys;
  IndexFlags indexes;
  std::vector<std::string> dropped_indexes;
  std::string ttl;
  bool no_ttl = false;
  std::string stream;
  bool no_stream = false;
  std::optional<bool> protect;
  std::vector<std::string> tags;
  std::vector<std::string> removed_tags;
  std::optional<std::uint64_t> read_units;
  std::optional<std::uint64_t> write_units;
  bool on_demand = false;
  std::string table_class;
  bool yes = false;
  bool json = false;
};

constexpr std::uint64_t kUnitsMax = 1'000'000'000;

Result<std::map<std::string, std::string>> tags_in(const std::vector<std::string>& texts) {
  std::map<std::string, std::string> tags;
  for (const std::string& text : texts) {
    DOLMEN_TRY(const NamedText tag, split_assignment(text));
    tags[tag.name] = tag.text;
  }
  return tags;
}

Result<std::optional<Throughput>> throughput_in(const TableFlags& flags) {
  if (!flags.read_units && !flags.write_units) return std::optional<Throughput>();
  if (!flags.read_units || !flags.write_units)
    return fail(Code::kInvalidArgument, "--read-units and --write-units must be given together");
  return std::optional(Throughput{.read_units = static_cast<std::int64_t>(*flags.read_units),
                                  .write_units = static_cast<std::int64_t>(*flags.write_units)});
}

std::optional<TableClass> class_in(const TableFlags& flags) {
  if (flags.table_class.empty()) return std::nullopt;
  return flags.table_class == "standard" ? TableClass::kStandard : TableClass::kInfrequentAccess;
}

Result<void> print_view(Store& store, TableDescription table, bool json) {
  DOLMEN_TRY(const TableView view, view_of(store, std::move(table)));
  if (json)
    print_json(view_object(view));
  else
    fmt::print("{}", view_text(view));
  return {};
}

// ---- The verbs ----

Result<void> list_tables(const TableFlags& flags) {
  DOLMEN_TRY(const std::unique_ptr<Store> store, open_store(flags.store));
  LogicalValue::List names;
  ListTables request;
  do {
    DOLMEN_TRY(const TableNamePage page, store->list_tables(request));
    for (const std::string& name : page.names)
      if (flags.json)
        names.emplace_back(name);
      else
        fmt::print("{}\n", name);
    request.after = page.last_name;
  } while (request.after);
  if (flags.json) print_json(LogicalItem{{"tables", std::move(names)}});
  return {};
}

Result<TableDefinition> definition_in(const TableFlags& flags) {
  TableDefinition table{.name = flags.name, .partition_key = {}};
  DOLMEN_TRY_VOID(add_keys(table, flags.keys));
  DOLMEN_TRY_VOID(add_indexes(table, flags.indexes));
  DOLMEN_TRY(const std::optional<Throughput> throughput, throughput_in(flags));
  if (throughput) {
    table.billing_mode = BillingMode::kProvisioned;
    table.throughput = *throughput;
    for (IndexDefinition& index : table.global_indexes) index.throughput = *throughput;
  }
  if (!flags.stream.empty()) {
    DOLMEN_TRY(table.stream, parse_stream_view(flags.stream));
  }
  if (!flags.ttl.empty()) table.ttl = flags.ttl;
  DOLMEN_TRY(table.tags, tags_in(flags.tags));
  table.table_class = class_in(flags);
  table.deletion_protection = flags.protect.value_or(false);
  return table;
}

Result<void> create_table(const TableFlags& flags) {
  DOLMEN_TRY(TableDefinition definition, definition_in(flags));
  DOLMEN_TRY(const std::unique_ptr<Store> store, open_or_create_store(flags.store));
  DOLMEN_TRY_VOID(store->create_table(std::move(definition)));
  DOLMEN_TRY(TableDescription table, wait_until_active(*store, flags.name));
  return print_view(*store, std::move(table), flags.json);
}

Result<void> describe_table(const TableFlags& flags) {
  DOLMEN_TRY(OpenedTable opened, open_table(flags.store, flags.name));
  return print_view(*opened.store, std::move(opened.table), flags.json);
}

/// The changes that UpdateTable makes, each of which DynamoDB wants in a request of its own.
Result<std::vector<TableUpdate>> updates_in(const TableFlags& flags, const TableDefinition& table) {
  std::vector<TableUpdate> updates;
  const auto change = [&]() -> TableUpdate& { return updates.emplace_back(TableUpdate{.table = flags.name}); };
  DOLMEN_TRY(const std::optional<Throughput> throughput, throughput_in(flags));
  if (throughput) {
    TableUpdate& update = change();
    if (table.billing_mode != BillingMode::kProvisioned) {
      update.billing_mode = BillingMode::kProvisioned;
      for (const IndexDefinition& index : table.global_indexes)
        update.indexes.emplace_back(UpdateIndex{.name = index.name, .throughput = throughput});
    }
    update.throughput = throughput;
  }
  if (flags.on_demand) change().billing_mode = BillingMode::kPayPerRequest;
  for (const std::string& name : flags.dropped_indexes) {
    const bool vectors = std::ranges::count(table.vector_indexes, name, &VectorIndexDefinition::name) > 0;
    if (vectors)
      change().vector_indexes.emplace_back(DeleteVectorIndex{name});
    else
      change().indexes.emplace_back(DeleteIndex{name});
  }
  TableDefinition wanted{.name = table.name, .partition_key = table.partition_key, .sort_key = table.sort_key};
  DOLMEN_TRY_VOID(add_indexes(wanted, flags.indexes));
  for (IndexDefinition& index : wanted.global_indexes) {
    if (table.billing_mode == BillingMode::kProvisioned) index.throughput = throughput.value_or(table.throughput);
    change().indexes.emplace_back(CreateIndex{std::move(index)});
  }
  for (VectorIndexDefinition& index : wanted.vector_indexes)
    change().vector_indexes.emplace_back(CreateVectorIndex{std::move(index)});
  if (!flags.stream.empty()) {
    DOLMEN_TRY(const StreamView view, parse_stream_view(flags.stream));
    change().stream = StreamUpdate{.enabled = true, .view = view};
  }
  if (flags.no_stream) change().stream = StreamUpdate{.enabled = false};
  if (flags.protect) change().deletion_protection = flags.protect;
  if (const std::optional<TableClass> wanted_class = class_in(flags)) change().table_class = wanted_class;
  return updates;
}

Result<bool> update_ttl(Store& store, const TableFlags& flags) {
  if (!flags.ttl.empty()) {
    DOLMEN_TRY_VOID(store.update_time_to_live(flags.name, {.attribute = flags.ttl, .enabled = true}));
  } else if (flags.no_ttl) {
    DOLMEN_TRY(const TimeToLive now, store.describe_time_to_live(flags.name));
    if (!now.attribute) return fail(Code::kValidation, "Table \"{}\" has no time to live", flags.name);
    DOLMEN_TRY_VOID(store.update_time_to_live(flags.name, {.attribute = *now.attribute, .enabled = false}));
  }
  return !flags.ttl.empty() || flags.no_ttl;
}

Result<void> update_table(const TableFlags& flags) {
  DOLMEN_TRY(const OpenedTable opened, open_table(flags.store, flags.name));
  DOLMEN_TRY(std::vector<TableUpdate> updates, updates_in(flags, opened.table.definition));
  DOLMEN_TRY(const auto tags, tags_in(flags.tags));
  for (const std::string& index : flags.dropped_indexes)
    DOLMEN_TRY_VOID(confirm(fmt::format("Delete the index \"{}\" of \"{}\"?", index, flags.name), flags.yes));
  for (TableUpdate& update : updates) {
    DOLMEN_TRY_VOID(opened.store->update_table(std::move(update)));
    DOLMEN_TRY_VOID(wait_until_active(*opened.store, flags.name));
  }
  DOLMEN_TRY(const bool changed_ttl, update_ttl(*opened.store, flags));
  if (!tags.empty()) DOLMEN_TRY_VOID(opened.store->tag_resource(opened.table.arn, tags));
  if (!flags.removed_tags.empty()) DOLMEN_TRY_VOID(opened.store->untag_resource(opened.table.arn, flags.removed_tags));
  if (updates.empty() && !changed_ttl && tags.empty() && flags.removed_tags.empty())
    return fail(Code::kInvalidArgument, "there is nothing to update; \"dolmen table update --help\" lists what can be");
  DOLMEN_TRY(TableDescription now, wait_until_active(*opened.store, flags.name));
  return print_view(*opened.store, std::move(now), flags.json);
}

Result<void> delete_table(const TableFlags& flags) {
  DOLMEN_TRY(const OpenedTable opened, open_table(flags.store, flags.name));
  DOLMEN_TRY_VOID(confirm(fmt::format("Delete the table \"{}\" with {} items in {}?", flags.name,
                                      opened.table.extent.item_count, store_name(flags.store)),
                          flags.yes));
  DOLMEN_TRY_VOID(opened.store->delete_table(flags.name));
  DOLMEN_TRY_VOID(wait_until_deleted(*opened.store, flags.name));
  if (flags.json)
    print_json(LogicalItem{{"deleted", flags.name}});
  else
    fmt::print("deleted {}\n", flags.name);
  return {};
}

// ---- Their options ----

void add_index_flags(const Verb& verb, IndexFlags& flags) {
  verb.texts(
          "--index", flags.global,
          "Global index with its partition key and, if it has one, its sort key, such as by-author:author:S,written:N; "
          "can be given several times")
      .shown_as("NAME:KEYS");
  verb.texts("--vector", flags.vectors,
             "Vector index with its attribute, dimensions, distance (cosine, euclidean or dot) and the attributes by "
             "which searches choose, such as by_meaning:embedding:384:cosine,hash=tenant:S,filter=year:N")
      .shown_as("NAME:ATTRIBUTE:DIMENSIONS");
  verb.texts("--project", flags.projections,
             "What an index has besides keys: INDEX=all (the default), INDEX=keys or INDEX=attribute,attribute")
      .shown_as("INDEX=WHAT");
}

void add_setting_flags(const Verb& verb, TableFlags& flags) {
  verb.text("--ttl", flags.ttl, "Attribute with the time, in seconds since 1970, after which items are removed")
      .shown_as("ATTRIBUTE")
      .not_empty();
  verb.text("--stream", flags.stream, "Record changes: keys-only, new-image, old-image or new-and-old-images")
      .shown_as("VIEW")
      .not_empty();
  verb.flag("--protect", flags.protect, "Refuse to delete the table; --protect=false allows it again");
  verb.texts("--tag", flags.tags, "Tag of the table; can be given several times").shown_as("KEY=VALUE");
  verb.number("--read-units", flags.read_units, "Provisioned reads a second, with --write-units", {1, kUnitsMax});
  verb.number("--write-units", flags.write_units, "Provisioned writes a second, with --read-units", {1, kUnitsMax});
  verb.text("--class", flags.table_class, "Table class, by which AWS bills").one_of({"standard", "infrequent-access"});
}

void add_update_flags(const Verb& verb, TableFlags& flags) {
  add_index_flags(verb, flags.indexes);
  add_setting_flags(verb, flags);
  verb.texts("--drop-index", flags.dropped_indexes, "Index to delete; asks, or needs --yes").shown_as("NAME");
  verb.flag("--no-ttl", flags.no_ttl, "Items are not removed any more");
  verb.flag("--no-stream", flags.no_stream, "Record no changes any more");
  verb.texts("--untag", flags.removed_tags, "Key of a tag to remove; can be given several times").shown_as("KEY");
  verb.flag("--on-demand", flags.on_demand, "Bill by requests instead of provisioned units");
  verb.flag("--yes", flags.yes, "Do not ask");
}

using TableAction = Result<void> (*)(const TableFlags&);

std::pair<Verb, std::shared_ptr<TableFlags>> add_table_verb(const Verb& parent, const char* name, const char* help,
                                                            TableAction action) {
  auto flags = std::make_shared<TableFlags>();
  const Verb verb = parent.verb(name, help);
  if (action != list_tables) verb.text("NAME", flags->name, "Name of the table").required();
  verb.flag("--json", flags->json, "Print JSON");
  add_store_flags(verb, flags->store);
  verb.runs([flags, action]() -> int {
    const Result<void> done = action(*flags);
    return done ? kDone : report(done.error(), flags->json);
  });
  return {verb, flags};
}

}  // namespace

void add_table(const Verb& program) {
  const Verb verb = program.verb("table", "List, create, describe, change and delete tables");
  add_table_verb(verb, "list", "List the names of all tables", list_tables);
  const auto [creating, created] =
      add_table_verb(verb, "create", "Create a table, and its store if that does not exist", create_table);
  creating.text("--key", created->keys, "Partition key and, if it has one, sort key, such as topic:S,written:N")
      .shown_as("KEYS")
      .required();
  add_index_flags(creating, created->indexes);
  creating.texts("--local-index", created->indexes.local, "Local index with its sort key, such as by-size:size:N")
      .shown_as("NAME:KEY");
  add_setting_flags(creating, *created);
  add_table_verb(verb, "describe", "Show the keys, indexes, settings and size of a table", describe_table);
  const auto [updating, updated] =
      add_table_verb(verb, "update", "Change a table; waits until the change is complete", update_table);
  add_update_flags(updating, *updated);
  const auto [deleting, deleted] =
      add_table_verb(verb, "delete", "Delete a table with its items; asks, or needs --yes", delete_table);
  deleting.flag("--yes", deleted->yes, "Do not ask");
  add_table_copy_and_diff(verb);
}

}  // namespace dolmen::cli
