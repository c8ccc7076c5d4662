#include "cli/item.h"

#include <fmt/format.h>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/fail.h"
#include "cli/item_text.h"
#include "cli/opened_table.h"
#include "cli/print_error.h"
#include "cli/print_json.h"
#include "cli/table_view.h"
#include "cli/where.h"

namespace dolmen::cli {
namespace {

struct ItemFlags {
  StoreFlags store;
  std::string table;
  std::string json_text;
  std::string condition;
  std::string select;
  std::vector<std::string> set;
  std::vector<std::string> add;
  std::vector<std::string> remove;
  bool is_new = false;
  bool eventual = false;
  bool typed = false;
  bool json = false;
};

/// The mistake in the value of an option.
std::unexpected<Error> wrong_option(std::string_view option, const Error& error) {
  return fail(Code::kInvalidArgument, "{}: {}", option, error.message());
}

Result<Condition> condition_in_if(const ItemFlags& flags) {
  if (flags.condition.empty()) return Condition();
  const Result<Where> where = Where::parse(flags.condition);
  if (!where) return wrong_option("--if", where.error());
  return where->condition();
}

/// The condition of --new, that there is no item with that key, and of --if.
Result<Condition> put_condition(const ItemFlags& flags, const TableDefinition& table) {
  DOLMEN_TRY(Condition condition, condition_in_if(flags));
  if (flags.is_new) condition = std::move(condition) && attr(table.partition_key.name).not_exists();
  return condition;
}

Result<Item> key_in(const ItemFlags& flags, const TableDefinition& table) {
  DOLMEN_TRY(const std::string text, text_or_input(flags.json_text));
  const Result<Item> key = read_item(text, flags.typed, "the key", table);
  const std::string wanted = fmt::format("table \"{}\" has the key {}", flags.table, keys_text(table));
  if (!key) return fail(Code::kInvalidArgument, "{}; {}", key.error().message(), wanted);
  if (key_of(*key, table).size() != (table.sort_key ? 2U : 1U) || key_of(*key, table) != *key)
    return fail(Code::kInvalidArgument, "{}; {} is not such a key", wanted, item_text(*key, flags.typed));
  return key;
}

// ---- The verbs ----

Result<void> get_one(const ItemFlags& flags) {
  GetOptions options{.consistent_read = !flags.eventual};
  if (!flags.select.empty()) {
    const Result<std::vector<Path>> paths = parse_where_paths(flags.select);
    if (!paths) return wrong_option("--select", paths.error());
    options.projection = *paths;
  }
  DOLMEN_TRY(const OpenedTable opened, open_table(flags.store, flags.table));
  DOLMEN_TRY(const Item key, key_in(flags, opened.table.definition));
  DOLMEN_TRY(const GetResult got, opened.store->get_item(flags.table, key, options));
  if (!got.item)
    return fail(Code::kItemNotFound, "Table \"{}\" has no item with the key {}", flags.table,
                item_text(key, flags.typed));
  fmt::print("{}\n", item_text(*got.item, flags.typed));
  return {};
}

Result<void> put_one(const ItemFlags& flags) {
  DOLMEN_TRY_VOID(condition_in_if(flags));
  DOLMEN_TRY(const OpenedTable opened, open_table(flags.store, flags.table));
  DOLMEN_TRY(const std::string text, text_or_input(flags.json_text));
  DOLMEN_TRY(const Item item, read_item(text, flags.typed, "the item", opened.table.definition));
  PutOptions options{.return_values = ReturnValues::kAllOld};
  DOLMEN_TRY(options.condition, put_condition(flags, opened.table.definition));
  DOLMEN_TRY(const WriteResult written, opened.store->put_item(flags.table, item, options));
  const bool replaced = written.attributes && !written.attributes->empty();
  if (flags.json)
    print_json(LogicalItem{{"replaced", replaced}});
  else
    fmt::print("{}\n", replaced ? "replaced" : "added");
  return {};
}

struct UpdatedPath {
  Path path;
  std::string text;
};

/// "PATH=VALUE"; the first = outside back quotes divides them.
Result<UpdatedPath> assignment_in(std::string_view option, const std::string& text) {
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '`') quoted = !quoted;
    if (text[i] != '=' || quoted) continue;
    Result<Path> path = parse_where_path(text.substr(0, i));
    if (!path) return wrong_option(option, path.error());
    return UpdatedPath{.path = *std::move(path), .text = text.substr(i + 1)};
  }
  return fail(Code::kInvalidArgument, "{}: \"{}\" is not PATH=JSON", option, text);
}

Result<Update> update_in(const ItemFlags& flags) {
  Update update;
  for (const std::string& text : flags.set) {
    DOLMEN_TRY(const UpdatedPath to, assignment_in("--set", text));
    DOLMEN_TRY(AttributeValue value, read_value(to.text, flags.typed, fmt::format("--set: {}", to.text)));
    update.set(to.path, std::move(value));
  }
  for (const std::string& text : flags.add) {
    DOLMEN_TRY(const UpdatedPath to, assignment_in("--add", text));
    DOLMEN_TRY(AttributeValue value, read_value(to.text, flags.typed, fmt::format("--add: {}", to.text)));
    update.add(to.path, std::move(value));
  }
  for (const std::string& text : flags.remove) {
    const Result<Path> path = parse_where_path(text);
    if (!path) return wrong_option("--remove", path.error());
    update.remove(*path);
  }
  if (update.empty()) return fail(Code::kInvalidArgument, "there is nothing to update; give --set, --add or --remove");
  return update;
}

Result<void> update_one(const ItemFlags& flags) {
  DOLMEN_TRY(const Update update, update_in(flags));
  UpdateOptions options{.return_values = ReturnValues::kAllNew};
  DOLMEN_TRY(options.condition, condition_in_if(flags));
  DOLMEN_TRY(const OpenedTable opened, open_table(flags.store, flags.table));
  DOLMEN_TRY(const Item key, key_in(flags, opened.table.definition));
  DOLMEN_TRY(const WriteResult written, opened.store->update_item(flags.table, key, update, options));
  fmt::print("{}\n", item_text(written.attributes.value_or(Item()), flags.typed));
  return {};
}

Result<void> delete_one(const ItemFlags& flags) {
  DeleteOptions options{.return_values = ReturnValues::kAllOld};
  DOLMEN_TRY(options.condition, condition_in_if(flags));
  DOLMEN_TRY(const OpenedTable opened, open_table(flags.store, flags.table));
  DOLMEN_TRY(const Item key, key_in(flags, opened.table.definition));
  DOLMEN_TRY(const WriteResult written, opened.store->delete_item(flags.table, key, options));
  const bool was_there = written.attributes && !written.attributes->empty();
  if (flags.json)
    print_json(LogicalItem{{"deleted", was_there}});
  else
    fmt::print("{}\n", was_there ? "deleted" : "there was no such item");
  return {};
}

using ItemAction = Result<void> (*)(const ItemFlags&);

std::pair<Verb, std::shared_ptr<ItemFlags>> add_item_verb(const Verb& parent, const char* name, const char* help,
                                                          ItemAction action) {
  auto flags = std::make_shared<ItemFlags>();
  const Verb verb = parent.verb(name, help);
  verb.text("TABLE", flags->table, "Name of the table").required();
  const bool whole = action == put_one;
  verb.text(
          whole ? "ITEM" : "KEY", flags->json_text,
          whole ? "The item as JSON, or - for the standard input" : "The key of the item as JSON, such as {\"id\": 1}")
      .required();
  verb.flag("--typed", flags->typed, "Take and print DynamoDB JSON, in which values name their types");
  if (action != get_one)
    verb.text("--if", flags->condition, "Only if this holds for the item, such as 'views < 10 AND NOT draft = true'")
        .shown_as("CONDITION")
        .not_empty();
  verb.flag("--json", flags->json, "Print JSON, also for errors");
  add_store_flags(verb, flags->store);
  verb.runs([flags, action]() -> int {
    const Result<void> done = action(*flags);
    return done ? kDone : report(done.error(), flags->json);
  });
  return {verb, flags};
}

}  // namespace

void add_item(const Verb& program) {
  const Verb verb = program.verb("item", "Get, put, update and delete single items");
  const auto [getting, get_flags] = add_item_verb(verb, "get", "Print an item; fails when there is none", get_one);
  getting.text("--select", get_flags->select, "Only these attributes, such as topic,author.name")
      .shown_as("PATHS")
      .not_empty();
  getting.flag("--eventual", get_flags->eventual, "An eventually consistent read, which costs half on AWS");
  const auto [putting, put_flags] = add_item_verb(verb, "put", "Add an item, or replace the one with its key", put_one);
  putting.flag("--new", put_flags->is_new, "Only if there is no item with that key");
  const auto [updating, update_flags] =
      add_item_verb(verb, "update", "Change an item, or create it, and print what it is then", update_one);
  updating.texts("--set", update_flags->set, "Set an attribute, such as --set 'author.name=\"Ada\"'")
      .shown_as("PATH=JSON");
  updating.texts("--add", update_flags->add, "Add to a number, or with --typed to a set, such as --add views=1")
      .shown_as("PATH=JSON");
  updating.texts("--remove", update_flags->remove, "Remove an attribute").shown_as("PATH");
  add_item_verb(verb, "delete", "Delete an item", delete_one);
}

}  // namespace dolmen::cli
