#include "cli/entity_store.h"

#include <cstdio>
#include <fmt/format.h>
#include <functional>
#include <unistd.h>

#include "base/fail.h"
#include "base/limits.h"
#include "cli/check_files.h"
#include "cli/document_flags.h"
#include "cli/entity_flags.h"
#include "cli/print_error.h"
#include "cli/print_json.h"
#include "cli/stored_value.h"
#include "cli/table_text.h"

namespace dolmen::cli {

namespace {

/// What an action has to say, for people and for programs.
struct EntityAnswer {
  std::string text;
  LogicalItem json;
  /// For people, beside the answer.
  std::string note = {};
};

using EntityAction = std::function<Result<EntityAnswer>(const EntityClient& client, const EntityStoreFlags& flags)>;

/// Without its keys and generated properties, which people have not written.
Item own_properties(const EntityClient& client, const EntityStoreFlags& flags, Item item) {
  return client.entities().remove_keys(flags.entity, item).value_or(std::move(item));
}

/// What an index that holds few properties still says of an entity: the elements of which its keys are made.
Item known_properties(const EntityClient& client, const EntityStoreFlags& flags, const Item& item) {
  Item known = own_properties(client, flags, item);
  const EntityConfig& config = client.entities().config();
  std::vector<std::string> keys{config.range_key};
  for (const GeneratedProperty& property : config.unsharded) keys.push_back(property.name);
  for (const std::string& key : keys) {
    const AttributeValue* value = item.find(key);
    const auto* text = value == nullptr ? nullptr : value->get_if<std::string>();
    if (text == nullptr) continue;
    const Result<Item> elements = client.entities().decode_generated_property(*text);
    if (!elements) continue;
    for (const auto& [name, element] : *elements)
      if (known.find(name) == nullptr) known.set(name, element);
  }
  return known;
}

std::string property_lines(const Item& item) {
  std::string text;
  for (const auto& [name, value] : item) {
    const Result<std::string> json = canonical_json(shown_value(value));
    text += fmt::format("{} = {}\n", name, json ? *json : std::string(type_name(value.type())));
  }
  return text;
}

EntityAnswer answer_with(const EntityClient& client, const EntityStoreFlags& flags, const Item& item) {
  return {.text = property_lines(own_properties(client, flags, item)), .json = {{"item", shown_item(item)}}};
}

// ---- One entity ----

Result<EntityAnswer> get_entity(const EntityClient& client, const EntityStoreFlags& flags) {
  DOLMEN_TRY(const Item key, unique_item(client.entities().config(), flags));
  DOLMEN_TRY(const std::optional<Item> item, client.get(flags.entity, key));
  if (!item) return fail(Code::kItemNotFound, "there is no {} \"{}\"", flags.entity, flags.value);
  return answer_with(client, flags, *item);
}

Result<EntityAnswer> put_entity(const EntityClient& client, const EntityStoreFlags& flags) {
  std::string text = flags.item;
  if (!flags.file.empty() || text.empty() || text == "-") {
    DOLMEN_TRY(text, read_input(flags.file.empty() ? "-" : flags.file, limits::kItemBytes * 4));
  }
  DOLMEN_TRY(Item item, stored_item(text, "the entity"));
  EntityWriteOptions options;
  if (flags.is_new) options.condition = attr(client.entities().config().hash_key).not_exists();
  DOLMEN_TRY(const Item stored, client.put(flags.entity, std::move(item), options));
  return answer_with(client, flags, stored);
}

Result<Update> entity_update(const EntityStoreFlags& flags) {
  Update update;
  for (const std::string& assignment : flags.set) {
    DOLMEN_TRY(NamedText split, split_assignment(assignment));
    update.set(attr(std::move(split.name)), std::move(split.text));
  }
  for (const std::string& assignment : flags.set_json) {
    DOLMEN_TRY(NamedText split, split_assignment(assignment));
    const Result<LogicalValue> json = parse_json(split.text);
    if (!json) return fail(Code::kInvalidArgument, "--set-json: {} is not JSON", split.text);
    DOLMEN_TRY(AttributeValue value, stored_value(*json));
    update.set(attr(std::move(split.name)), std::move(value));
  }
  for (const std::string& name : flags.unset) update.remove(attr(name));
  if (update.empty())
    return fail(Code::kInvalidArgument, "there is nothing to update; give --set, --set-json or --remove");
  return update;
}

Result<EntityAnswer> update_entity(const EntityClient& client, const EntityStoreFlags& flags) {
  DOLMEN_TRY(const Item key, unique_item(client.entities().config(), flags));
  DOLMEN_TRY(const Update changes, entity_update(flags));
  DOLMEN_TRY(const Item now, client.update(flags.entity, key, changes));
  return answer_with(client, flags, now);
}

Result<EntityAnswer> remove_entity(const EntityClient& client, const EntityStoreFlags& flags) {
  DOLMEN_TRY(const Item key, unique_item(client.entities().config(), flags));
  DOLMEN_TRY(const WriteResult removed, client.remove(flags.entity, key, {.return_values = ReturnValues::kAllOld}));
  const bool was_there = removed.attributes.has_value();
  return EntityAnswer{.text = was_there ? "removed\n" : fmt::format("there is no such {}\n", flags.entity),
                      .json = {{"removed", was_there}}};
}

// ---- Many ----

Result<EntityAnswer> query_entities(const EntityClient& client, const EntityStoreFlags& flags) {
  DOLMEN_TRY(const EntityQuery asked, query_in(client, flags));
  EntityQueryResult page;
  if (flags.all) {
    DOLMEN_TRY(page.items, asked.all());
  } else {
    DOLMEN_TRY(page, asked.run(flags.token));
  }
  EntityAnswer answer;
  std::vector<Item> shown;
  LogicalValue::List items;
  for (const Item& item : page.items) {
    items.emplace_back(shown_item(item));
    shown.push_back(flags.project.empty() ? known_properties(client, flags, item) : item);
  }
  const EntityDefinition* entity = client.entities().config().find_entity(flags.entity);
  const std::vector<std::string> first =
      flags.project.empty() ? std::vector{entity->unique_property, entity->timestamp_property} : flags.project;
  answer.json = {{"count", page.items.size()}, {"hasMore", page.has_more}, {"items", std::move(items)}};
  if (page.has_more) answer.json.emplace("pageToken", page.page_token);
  if (!shown.empty()) answer.text = table_text(shown, first);
  answer.note = counted(shown.size(), "entity", "entities") +
                (page.has_more ? "; continue with --token " + page.page_token : "") + "\n";
  return answer;
}

// ---- The table ----

/// One line on a terminal, and a line now and then elsewhere.
class GrowthLine {
 public:
  explicit GrowthLine(bool silent) : silent_(silent) {}
  ~GrowthLine() {
    if (shown_) fmt::print(stderr, "\n");
  }
  GrowthLine(const GrowthLine&) = delete;
  GrowthLine& operator=(const GrowthLine&) = delete;

  void show(const EntityGrowth& growth) {
    if (silent_ || isatty(STDERR_FILENO) != 1) return;
    fmt::print(stderr, "\r{} of about {} items  {} changed  {} moved  {} indexes", growth.scanned, growth.items,
               growth.changed, growth.moved, growth.indexes);
    std::fflush(stderr);
    shown_ = true;
  }

 private:
  bool silent_;
  bool shown_ = false;
};

Result<EntityAnswer> migrate_table(const EntityClient& client, const EntityStoreFlags& flags) {
  EntityGrowth last;
  {
    GrowthLine line(flags.json);
    DOLMEN_TRY_VOID(client.ensure_table({}, {.progress =
                                                 [&](const EntityGrowth& growth) {
                                                   last = growth;
                                                   line.show(growth);
                                                 },
                                             .all = flags.all,
                                             .page_size = flags.pages}));
  }
  return EntityAnswer{.text = fmt::format("{} is ready: {} looked at, {} changed, {} moved, {} refused, {} added\n",
                                          flags.table, counted(last.scanned, "item", "items"), last.changed, last.moved,
                                          last.refused, counted(last.indexes, "index", "indexes")),
                      .json = {{"table", flags.table},
                               {"scanned", last.scanned},
                               {"foreign", last.foreign},
                               {"changed", last.changed},
                               {"moved", last.moved},
                               {"refused", last.refused},
                               {"indexes", last.indexes}}};
}

// ---- Running ----

Result<EntityAnswer> carry_out_entity(const EntityStoreFlags& flags, const EntityAction& action, bool makes_table) {
  EntityOptions options{.strict = !flags.loose, .legacy_modulus = flags.legacy_modulus};
  if (!flags.json)
    options.logger.error = [](const EntityLogEntry& entry) {
      if (entry.operation == "growTable") fmt::print(stderr, "{}: {}\n", entry.subject, entry.message);
    };
  DOLMEN_TRY(EntityManager entities, EntityManager::load(flags.config, std::move(options)));
  DOLMEN_TRY(const std::unique_ptr<Store> store,
             makes_table ? open_or_create_store(flags.store) : open_store(flags.store));
  return action(EntityClient(std::move(entities), *store, flags.table), flags);
}

int run_entity(const EntityStoreFlags& flags, const EntityAction& action, bool makes_table) {
  const Result<EntityAnswer> answer = carry_out_entity(flags, action, makes_table);
  if (!answer) return report(answer.error(), flags.json);
  if (flags.json) return print_json(answer->json) ? kDone : kFailed;
  fmt::print("{}", answer->text);
  fmt::print(stderr, "{}", answer->note);
  return kDone;
}

struct AddedEntityVerb {
  Verb verb;
  std::shared_ptr<EntityStoreFlags> flags;
};

struct EntityVerbKind {
  bool of_entity = true;
  bool makes_table = false;
};

AddedEntityVerb add_entity_verb(const Verb& parent, const char* name, const char* help, EntityAction action,
                                EntityVerbKind kind = {}) {
  auto flags = std::make_shared<EntityStoreFlags>();
  const Verb verb = parent.verb(name, help);
  if (kind.of_entity) verb.text("ENTITY", flags->entity, "Kind of entity, such as user").required();
  verb.text("--config", flags->config, "Entity config, in YAML or JSON").shown_as("FILE").required();
  verb.text("--table", flags->table, "Name of the table").shown_as("NAME").required();
  verb.flag("--json", flags->json, "Print JSON");
  verb.flag("--loose", flags->loose, "Allow names and values with which keys cannot be read back");
  verb.flag("--legacy-modulus", flags->legacy_modulus, "Choose shards as version 6 of the JavaScript package does");
  add_store_flags(verb, flags->store);
  verb.runs([flags, action = std::move(action), kind] { return run_entity(*flags, action, kind.makes_table); });
  return {verb, flags};
}

void add_unique_value(const AddedEntityVerb& added) {
  added.verb.text("VALUE", added.flags->value, "Value of the unique property").required();
}

void add_entity_question(const AddedEntityVerb& added) {
  EntityStoreFlags& flags = *added.flags;
  const Verb& verb = added.verb;
  verb.texts("--index", flags.indexes, "Index to read; several are read as one list").shown_as("NAME").required();
  verb.texts("--range", flags.ranges,
             "Range of the indexes by a property, such as \"created >= 5\", \"lastName begins_with lo\" or \"created "
             "between 1 5\"")
      .shown_as("CONDITION");
  verb.texts("--filter", flags.filters, "Condition on what is read").shown_as("CONDITION");
  verb.text("--item", flags.item, "Properties of sharded hash keys, as JSON").shown_as("JSON");
  verb.texts("--sort", flags.sort, "Property to sort by; - before it for descending order").shown_as("PROPERTY");
  verb.texts("--project", flags.project, "Attribute to show").shown_as("NAME");
  verb.number("--limit", flags.limit, "Stop asking when there are so many entities", {.smallest = 1});
  verb.number("--page-size", flags.page_size, "Entities that one shard is asked for at a time", {.smallest = 1});
  verb.number("--from", flags.from, "Made at this timestamp or later");
  verb.number("--to", flags.to, "Made at this timestamp or earlier");
  verb.flag("--backward", flags.backward, "Read the indexes from their end");
  verb.flag("--merge", flags.merge, "Exactly --limit entities, in the order of the index");
  const Option all = verb.flag("--all", flags.all, "All pages, as one list");
  verb.text("--token", flags.token, "Continue after the previous page, which printed the token").not_with(all);
}

}  // namespace

void add_entity_store(const Verb& entity) {
  add_unique_value(add_entity_verb(entity, "get", "Print an entity by its unique value", get_entity));
  const AddedEntityVerb putting = add_entity_verb(entity, "put", "Write a whole entity", put_entity);
  putting.verb.text("ITEM", putting.flags->item, "The entity, as JSON; - or nothing reads the standard input");
  putting.verb.text("--file", putting.flags->file, "File that holds the entity").shown_as("FILE");
  putting.verb.flag("--new", putting.flags->is_new, "Only when there is no such entity");
  const AddedEntityVerb updating = add_entity_verb(entity, "update", "Change properties of an entity", update_entity);
  add_unique_value(updating);
  updating.verb.texts("--set", updating.flags->set, "Set a property to a text").shown_as("NAME=TEXT");
  updating.verb.texts("--set-json", updating.flags->set_json, "Set a property that is not a text")
      .shown_as("NAME=JSON");
  updating.verb.texts("--remove", updating.flags->unset, "Remove a property").shown_as("NAME");
  add_unique_value(add_entity_verb(entity, "remove", "Remove an entity by its unique value", remove_entity));
  add_entity_question(add_entity_verb(entity, "query", "List entities of all shards", query_entities));
  const AddedEntityVerb migrating = add_entity_verb(
      entity, "migrate",
      "Create the table, or let it grow to what the config says: indexes, generated properties, shard bumps",
      migrate_table, {.of_entity = false, .makes_table = true});
  migrating.verb.flag("--all", migrating.flags->all, "Look at all items even when the config has not changed");
  migrating.verb.number("--page-size", migrating.flags->pages, "Items that are read at a time", {1, 10'000});
}

}  // namespace dolmen::cli
