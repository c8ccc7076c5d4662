#include <algorithm>

#include "model.h"
#include "value/json.h"

namespace dolmen::torture {
namespace {

bool has_type(const AttributeValue& value, KeyType type) { return type_name(value.type()) == key_type_name(type); }

std::size_t bytes_in(const AttributeValue& value) {
  if (value.type() == Type::kString) return value.string().size();
  return value.type() == Type::kBinary ? value.binary().size() : 1;
}

std::vector<const IndexDefinition*> indexes_of(const TableDefinition& definition) {
  std::vector<const IndexDefinition*> indexes;
  for (const auto* list : {&definition.local_indexes, &definition.global_indexes})
    for (const IndexDefinition& index : *list) indexes.push_back(&index);
  return indexes;
}

constexpr std::size_t kPartitionBytes = 2048;
constexpr std::size_t kSortBytes = 1024;

}  // namespace

bool ModelTable::ItemOrder::operator()(const std::vector<AttributeValue>& a,
                                       const std::vector<AttributeValue>& b) const {
  for (std::size_t i = 0; i < a.size(); ++i)
    if (const int difference = order(a[i], b[i]); difference != 0) return difference < 0;
  return false;
}

std::vector<std::string> ModelTable::key_names() const {
  std::vector<std::string> names{definition_.partition_key.name};
  if (definition_.sort_key) names.push_back(definition_.sort_key->name);
  return names;
}

std::vector<AttributeValue> ModelTable::key_of(const Item& item) const {
  std::vector<AttributeValue> key;
  for (const std::string& name : key_names()) key.push_back(item.at(name));
  return key;
}

std::string ModelTable::identity(const Item& item) const {
  Item key;
  for (const std::string& name : key_names()) key.set(name, item.at(name));
  return json::to_text(key);
}

bool ModelTable::is_key(const Item& item) const {
  return fault_of({.kind = WriteKind::kDelete, .item = item}) == Fault::kNone;
}

bool ModelTable::index_keys_are_good(const Item& item, bool& empty) const {
  const std::vector<std::string> own = key_names();
  for (const IndexDefinition* index : indexes_of(definition_))
    for (const auto* keys : {&index->partition_keys, &index->sort_keys})
      for (const KeyAttribute& key : *keys) {
        const AttributeValue* value = item.find(key.name);
        if (value == nullptr || std::ranges::count(own, key.name) > 0) continue;
        empty = has_type(*value, key.type) && bytes_in(*value) == 0;
        if (empty || !has_type(*value, key.type)) return false;
        if (bytes_in(*value) > (keys == &index->partition_keys ? kPartitionBytes : kSortBytes)) return false;
      }
  return true;
}

ModelTable::Fault ModelTable::fault_of(const Write& write) const {
  const std::vector<std::string> names = key_names();
  if (write.kind != WriteKind::kPut && write.item.size() != names.size()) return Fault::kBad;
  std::vector<KeyAttribute> keys{definition_.partition_key};
  if (definition_.sort_key) keys.push_back(*definition_.sort_key);
  for (const KeyAttribute& key : keys) {
    const AttributeValue* value = write.item.find(key.name);
    if (value == nullptr || !has_type(*value, key.type)) return Fault::kBad;
  }
  for (const KeyAttribute& key : keys) {
    const std::size_t size = bytes_in(write.item.at(key.name));
    if (size == 0) return Fault::kEmpty;
    if (size > (key == keys[0] ? kPartitionBytes : kSortBytes)) return Fault::kBad;
  }
  bool empty = false;
  if (write.kind == WriteKind::kPut && !index_keys_are_good(write.item, empty))
    return empty ? Fault::kEmpty : Fault::kBad;
  if (write.update)
    for (const Path& path : write.update->targets())
      if (std::ranges::count(names, path.root) > 0) return Fault::kBad;
  return Fault::kNone;
}

const Item* ModelTable::find(const Item& key) const {
  const auto found = items_.find(key_of(key));
  return found == items_.end() ? nullptr : &found->second;
}

void ModelTable::store(const Item& key, std::optional<Item> item) {
  if (item) {
    items_[key_of(key)] = std::move(*item);
  } else {
    items_.erase(key_of(key));
  }
}

std::pair<WriteAnswer, std::optional<Item>> ModelTable::decide(const Write& write) const {
  const Item* found = find(write.item);
  const std::optional<Item> old = found == nullptr ? std::nullopt : std::optional(*found);
  if (write.condition && !holds(*write.condition, old.value_or(Item{})))
    return {{.error = Code::kConditionFailed, .item = write.return_on_failure ? old : std::nullopt}, std::nullopt};
  std::optional<Item> item;
  if (write.kind == WriteKind::kPut) item = write.item;
  if (write.kind == WriteKind::kCheck) item = old;
  if (write.kind == WriteKind::kUpdate) {
    std::optional<Item> updated = apply(write.update.value_or(Update{}), old.value_or(write.item));
    if (!updated) return {{.error = Code::kValidation}, std::nullopt};
    // Nothing comes into being by removals alone.
    const bool nothing = !old && write.update && write.update->only_removes();
    bool empty = false;
    if (!nothing && !index_keys_are_good(*updated, empty)) return {{.error = Code::kValidation}, std::nullopt};
    if (!nothing) item = std::move(updated);
  }
  // The paths of the update are looked up in the item before or after it, whatever is there then.
  const auto part = [&](const std::optional<Item>& of) {
    Item kept = of && write.update ? project(*of, write.update->targets()) : Item{};
    return kept.empty() ? std::nullopt : std::optional(std::move(kept));
  };
  std::optional<Item> returned;
  switch (write.return_values) {
    case ReturnValues::kNone: break;
    case ReturnValues::kAllOld: returned = old; break;
    case ReturnValues::kAllNew: returned = item; break;
    case ReturnValues::kUpdatedOld: returned = part(old); break;
    case ReturnValues::kUpdatedNew: returned = part(item); break;
  }
  return {{.item = std::move(returned)}, std::move(item)};
}

}  // namespace dolmen::torture
