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

bool is_key_value(const AttributeValue& value, KeyType type, bool partition) {
  return has_type(value, type) && bytes_in(value) > 0 && bytes_in(value) <= (partition ? kPartitionBytes : kSortBytes);
}

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

bool ModelTable::index_keys_are_good(const Item& item, bool& empty, const Update* update) const {
  const std::vector<std::string> own = key_names();
  const std::vector<Path> targets = update == nullptr ? std::vector<Path>{} : update->targets();
  for (const IndexDefinition* index : indexes_of(definition_))
    for (const auto* keys : {&index->partition_keys, &index->sort_keys})
      for (const KeyAttribute& key : *keys) {
        const AttributeValue* value = item.find(key.name);
        if (value == nullptr || std::ranges::count(own, key.name) > 0) continue;
        // An item from before the index existed may have a bad value, which stays until it is written.
        if (update != nullptr && std::ranges::count(targets, key.name, &Path::root) == 0) continue;
        empty = has_type(*value, key.type) && bytes_in(*value) == 0;
        if (empty || !has_type(*value, key.type)) return false;
        if (bytes_in(*value) > (keys == &index->partition_keys ? kPartitionBytes : kSortBytes)) return false;
      }
  return true;
}

bool ModelTable::empties_index_key(const Update& update) const {
  Item given;
  for (const Assignment& assignment : update.sets)
    if (assignment.form == Assignment::Form::kValue && assignment.path.steps.empty() && bytes_in(assignment.value) == 0)
      given.set(assignment.path.root, assignment.value);
  bool empty = false;
  for (const auto& [name, value] : given)
    if (!index_keys_are_good({{name, value}}, empty) && empty) return true;
  return false;
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
  return write.update && empties_index_key(*write.update) ? Fault::kEmpty : Fault::kNone;
}

const Item* ModelTable::find(const Item& key) const {
  const auto found = items_.find(key_of(key));
  return found == items_.end() ? nullptr : &found->second;
}

void ModelTable::change(const Item& key, std::optional<Item> item, bool expired) {
  const Item* found = find(key);
  std::optional<Item> before = found == nullptr ? std::nullopt : std::optional(*found);
  if (definition_.stream && before != item) changes_.push_back({std::move(before), item, expired});
  if (item) {
    items_[key_of(key)] = std::move(*item);
  } else {
    items_.erase(key_of(key));
  }
}

void ModelTable::remove_index(const std::string& name) {
  std::erase_if(definition_.global_indexes, [&](const IndexDefinition& index) { return index.name == name; });
}

void ModelTable::set_stream(std::optional<StreamView> view) {
  definition_.stream = view;
  changes_.clear();
}

void ModelTable::expire(std::int64_t now) {
  if (!definition_.ttl) return;
  constexpr std::int64_t kFiveYears = std::int64_t{5} * 365 * 24 * 3600;
  std::vector<Item> expired;
  for (const auto& [key, item] : items_) {
    const AttributeValue* value = item.find(*definition_.ttl);
    if (value == nullptr || value->type() != Type::kNumber) continue;
    const double time = value->number().to_double();
    if (time < static_cast<double>(now) && time >= static_cast<double>(now - kFiveYears)) expired.push_back(item);
  }
  for (const Item& item : expired) change(item, std::nullopt, true);
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
    Update update = write.update.value_or(Update{});
    // Where there is no item, nothing is there to be removed, and no path is wrong.
    if (!old) update.removes.clear();
    std::optional<Item> updated = apply(update, old.value_or(write.item));
    if (!updated) return {{.error = Code::kValidation}, std::nullopt};
    // Nothing comes into being by removals alone.
    const bool nothing = !old && write.update && write.update->only_removes();
    bool empty = false;
    const Update none;
    if (!nothing && !index_keys_are_good(*updated, empty, write.update ? &*write.update : &none))
      return {{.error = Code::kValidation}, std::nullopt};
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
