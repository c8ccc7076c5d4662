#include "entity/stored_config.h"

#include "base/fail.h"
#include "config/read.h"
#include "entity/loader.h"
#include "value/json.h"

namespace dolmen::entity {

namespace {

using config::Node;
using NodeKind = Node::Kind;

constexpr std::string_view kHashKey = "dolmen:entities";
constexpr std::string_view kRangeKey = "dolmen:config";
// Names that no property of a config has, since they would need a transcode for what they hold.
constexpr std::string_view kConfig = "dolmen:config";
constexpr std::string_view kGrowing = "dolmen:growing";
constexpr std::string_view kPosition = "dolmen:position";
constexpr std::string_view kGrowth = "dolmen:growth";

void append_json(std::string& out, const Node& node);

/// Elements with commas between them.
template <class Elements, class Append>
void append_elements(std::string& out, const Elements& elements, Append append) {
  bool first = true;
  for (const auto& element : elements) {
    if (!first) out += ',';
    first = false;
    append(element);
  }
}

void append_json(std::string& out, const Node& node) {
  switch (node.kind) {
    case NodeKind::kNull: out += "null"; break;
    case NodeKind::kBoolean: out += node.boolean ? "true" : "false"; break;
    case NodeKind::kNumber: out += node.text; break;
    case NodeKind::kString: json::append_string(out, node.text); break;
    case NodeKind::kList:
      out += '[';
      append_elements(out, node.elements, [&](const Node& element) { append_json(out, element); });
      out += ']';
      break;
    case NodeKind::kMap:
      out += '{';
      append_elements(out, node.entries, [&](const Node::Entry& entry) {
        json::append_string(out, entry.name);
        out += ':';
        append_json(out, entry.value);
      });
      out += '}';
      break;
  }
}

struct Switch {
  std::string_view name;
  bool EntityOptions::* option;
};

constexpr Switch kSwitches[] = {{"strict", &EntityOptions::strict},
                                {"readRawElements", &EntityOptions::read_raw_elements},
                                {"legacyModulus", &EntityOptions::legacy_modulus},
                                {"requeryExhausted", &EntityOptions::requery_exhausted}};

struct Counter {
  std::string_view name;
  std::uint64_t EntityGrowth::* count;
};

constexpr Counter kCounters[] = {{"scanned", &EntityGrowth::scanned},
                                 {"foreign", &EntityGrowth::foreign},
                                 {"changed", &EntityGrowth::changed},
                                 {"moved", &EntityGrowth::moved},
                                 {"refused", &EntityGrowth::refused}};

std::string text_in(const Item& row, std::string_view name) {
  const AttributeValue* value = row.find(name);
  const auto* text = value == nullptr ? nullptr : value->get_if<std::string>();
  return text == nullptr ? "" : *text;
}

const Item* map_in(const Item& row, std::string_view name) {
  const AttributeValue* value = row.find(name);
  return value == nullptr ? nullptr : value->get_if<Item>();
}

StoredConfig read_row(const Item& row) {
  StoredConfig stored{
      .config = text_in(row, kConfig), .growing = text_in(row, kGrowing), .position = std::nullopt, .growth = {}};
  if (const Item* position = map_in(row, kPosition)) stored.position = *position;
  const Item* growth = map_in(row, kGrowth);
  for (const Counter& counter : kCounters) {
    const AttributeValue* value = growth == nullptr ? nullptr : growth->find(counter.name);
    const auto* number = value == nullptr ? nullptr : value->get_if<Number>();
    const std::optional<std::int64_t> count = number == nullptr ? std::nullopt : number->to_int64();
    if (count && *count > 0) stored.growth.*counter.count = static_cast<std::uint64_t>(*count);
  }
  return stored;
}

}  // namespace

std::string config_text(const EntityManager& entities) {
  Node options;
  options.kind = NodeKind::kMap;
  for (const Switch& one : kSwitches) {
    Node value;
    value.kind = NodeKind::kBoolean;
    value.boolean = entities.options().*one.option;
    options.entries.push_back({std::string(one.name), {}, std::move(value)});
  }
  std::string text = "{\"config\":";
  append_json(text, node_of(entities.config()));
  text += ",\"options\":";
  append_json(text, options);
  text += '}';
  return text;
}

Result<EntityManager> read_config_text(std::string_view text, EntityOptions options) {
  const config::Reading reading = config::read_json(text);
  const Node* given = reading.root ? reading.root->find("config") : nullptr;
  if (!reading.problems.empty() || given == nullptr)
    return fail(Code::kInvalidEntityConfig, "the table's row {} / {} holds no config", kHashKey, kRangeKey);
  if (const Node* switches = reading.root->find("options"))
    for (const Switch& one : kSwitches)
      if (const Node* value = switches->find(one.name)) options.*one.option = value->boolean;
  const LoadedConfig loaded = config_of(*given, options);
  if (!loaded.problems.empty())
    return std::unexpected(config::error_of(Code::kInvalidEntityConfig, kRangeKey, loaded.problems));
  return EntityManager::make(loaded.config, std::move(options));
}

Item stored_config_key(const std::string& hash_key, const std::string& range_key) {
  return {{hash_key, std::string(kHashKey)}, {range_key, std::string(kRangeKey)}};
}

Result<std::optional<StoredConfig>> read_stored_config(const EntityClient& client) {
  const EntityConfig& config = client.entities().config();
  DOLMEN_TRY(const GetResult found,
             client.store().get_item(client.table(), stored_config_key(config.hash_key, config.range_key)));
  if (!found.item) return std::nullopt;
  return read_row(*found.item);
}

Result<void> write_stored_config(const EntityClient& client, const StoredConfig& stored) {
  const EntityConfig& config = client.entities().config();
  Item row = stored_config_key(config.hash_key, config.range_key);
  if (!stored.config.empty()) row.set(std::string(kConfig), stored.config);
  if (!stored.growing.empty()) {
    Item growth;
    for (const Counter& counter : kCounters) growth.set(std::string(counter.name), stored.growth.*counter.count);
    row.set(std::string(kGrowing), stored.growing);
    row.set(std::string(kGrowth), std::move(growth));
    if (stored.position) row.set(std::string(kPosition), *stored.position);
  }
  DOLMEN_TRY_VOID(client.store().put_item(client.table(), row));
  return {};
}

Result<std::string> stored_config_text(Store& store, const std::string& table) {
  DOLMEN_TRY(const TableDescription description, store.describe_table(table));
  const std::optional<KeyAttribute>& range_key = description.definition.sort_key;
  if (range_key) {
    const Item key = stored_config_key(description.definition.partition_key.name, range_key->name);
    const bool is_text =
        description.definition.partition_key.type == KeyType::kString && range_key->type == KeyType::kString;
    if (is_text) {
      DOLMEN_TRY(const GetResult found, store.get_item(table, key));
      if (found.item)
        if (std::string text = text_in(*found.item, kConfig); !text.empty()) return text;
    }
  }
  return fail(Code::kItemNotFound, "the table {} has no entities", table);
}

}  // namespace dolmen::entity
