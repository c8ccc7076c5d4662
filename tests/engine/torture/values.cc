#include "values.h"

#include <algorithm>

namespace dolmen::torture {
namespace {

KeyType any_key_type(Random& random) { return static_cast<KeyType>(random.below(3)); }

Number decimal(const char* text) { return Number::parse(text).value(); }

}  // namespace

const std::vector<KeyAttribute>& Values::index_attributes() {
  static const std::vector<KeyAttribute> attributes{
      {"g1", KeyType::kString}, {"g2", KeyType::kString}, {"g3", KeyType::kString}, {"g4", KeyType::kString},
      {"n1", KeyType::kNumber}, {"n2", KeyType::kNumber}, {"b1", KeyType::kBinary}, {"b2", KeyType::kBinary}};
  return attributes;
}

const std::vector<Path>& Values::paths() {
  using Step = Path::Step;
  static const std::vector<Path> paths{{"num"},
                                       {"txt"},
                                       {"tags"},
                                       {"nums"},
                                       {"bins"},
                                       {"flag"},
                                       {"odd"},
                                       {"lst"},
                                       {"doc"},
                                       {"doc", {Step("a")}},
                                       {"doc", {Step("b")}},
                                       {"doc", {Step("c")}},
                                       {"doc", {Step("c"), Step("d")}},
                                       {"doc", {Step("c"), Step("e"), Step(std::size_t{0})}},
                                       {"lst", {Step(std::size_t{0})}},
                                       {"lst", {Step(std::size_t{1})}},
                                       {"lst", {Step(std::size_t{2}), Step("a")}},
                                       {"lst", {Step(std::size_t{3})}},
                                       {"lst", {Step(std::size_t{9})}}};
  return paths;
}

std::string Values::text() {
  using namespace std::string_literals;
  static const std::vector<std::string> pool{
      "a", "b", "ab", "a\0"s, "a\0b"s, "b\xC3\xA9", "\xC3\xBF", "zzz", "z", "\x7F"s, "\xF0\x9F\x98\x80", "\x01"s};
  return random_.pick(pool) + (random_.chance(10) ? "a" : "");
}

Bytes Values::bytes() {
  using namespace std::string_literals;
  static const std::vector<std::string> pool{"\0"s,   "\0\0"s, "\0\x01"s, "\xFF"s,     "\xFF\xFF"s,
                                             "\x01"s, "\x7F"s, "\x80"s,   "\xFF\x00"s, "text"};
  return Bytes(random_.pick(pool) + (random_.chance(10) ? "\xFF" : ""));
}

AttributeValue Values::small_number() {
  static const std::vector<Number> pool{-10,
                                        -1,
                                        0,
                                        1,
                                        2,
                                        3,
                                        10,
                                        99999,
                                        decimal("1.5"),
                                        decimal("-1.5"),
                                        decimal("0.00001"),
                                        decimal("1e20"),
                                        decimal("-1e20"),
                                        decimal("-0.003"),
                                        12,
                                        120,
                                        1200};
  return random_.pick(pool);
}

AttributeValue Values::key_value(KeyType type) {
  switch (type) {
    case KeyType::kString: return text();
    case KeyType::kNumber: return small_number();
    case KeyType::kBinary: return bytes();
  }
  return nullptr;
}

AttributeValue Values::scalar() {
  switch (random_.below(5)) {
    case 0: return small_number();
    case 1: return bytes();
    case 2: return random_.chance(50);
    case 3: return nullptr;
    default: return text();
  }
}

AttributeValue Values::list() {
  List elements;
  for (std::size_t n = random_.below(5); n > 0; --n)
    elements.push_back(random_.chance(30) ? Item{{"a", scalar()}} : scalar());
  return elements;
}

AttributeValue Values::document() {
  Item map;
  if (random_.chance(80)) map.set("a", small_number());
  if (random_.chance(80)) map.set("b", text());
  if (random_.chance(60)) map.set("c", Item{{"d", scalar()}, {"e", list()}});
  if (random_.chance(5)) map.set("a", nullptr);
  return map;
}

AttributeValue Values::set() {
  const std::size_t members = 1 + random_.below(4);
  StringSet strings;
  NumberSet numbers;
  BinarySet binaries;
  for (std::size_t i = 0; i < members; ++i) {
    strings.insert(text());
    numbers.insert(small_number().number());
    binaries.insert(bytes());
  }
  switch (random_.below(3)) {
    case 0: return strings;
    case 1: return numbers;
    default: return binaries;
  }
}

AttributeValue Values::value_at(const Path& path) {
  const auto set_of = [&](Type type) {
    AttributeValue found = set();
    while (found.type() != type) found = set();
    return found;
  };
  for (const KeyAttribute& attribute : index_attributes())
    if (attribute.name == path.root) return key_value(attribute.type);
  if (path.root == "num") return small_number();
  if (path.root == "txt") return text();
  if (path.root == "tags") return set_of(Type::kStringSet);
  if (path.root == "nums") return set_of(Type::kNumberSet);
  if (path.root == "bins") return set_of(Type::kBinarySet);
  if (path.root == "flag") return random_.chance(70) ? AttributeValue(random_.chance(50)) : AttributeValue(nullptr);
  if (path.root == "odd") return odd_.item();
  if (path.root == "lst") return path.steps.empty() ? list() : random_.chance(30) ? Item{{"a", scalar()}} : scalar();
  if (path.steps.empty()) return document();
  if (path.steps.front() == Path::Step("a")) return small_number();
  if (path.steps.front() == Path::Step("b")) return text();
  return path.steps.size() == 1 ? AttributeValue(Item{{"d", scalar()}, {"e", list()}}) : scalar();
}

AttributeValue Values::nearly_value_at(const Path& path) {
  if (random_.chance(93)) return value_at(path);
  return random_.chance(20) ? AttributeValue("") : value_at(random_.pick(paths()));
}

Item Values::key(const TableDefinition& table) {
  Item key{{table.partition_key.name, key_value(table.partition_key.type)}};
  if (table.sort_key) key.set(table.sort_key->name, key_value(table.sort_key->type));
  return key;
}

Item Values::item(const TableDefinition& table) {
  Item item = key(table);
  for (const Path& path : paths())
    if (path.steps.empty() && random_.chance(path.root == "odd" ? 8 : 50)) item.set(path.root, nearly_value_at(path));
  for (const KeyAttribute& attribute : index_attributes())
    if (random_.chance(70))
      item.set(attribute.name, random_.chance(99) ? value_at({attribute.name}) : nearly_value_at({attribute.name}));
  return item;
}

IndexDefinition Values::index(const std::string& name, const TableDefinition& table, bool local) {
  IndexDefinition index{.name = name};
  std::vector<KeyAttribute> candidates = index_attributes();
  if (!local) {
    candidates.push_back(table.partition_key);
    if (table.sort_key) candidates.push_back(*table.sort_key);
  }
  const auto take = [&] {
    const auto at = candidates.begin() + static_cast<std::ptrdiff_t>(random_.below(candidates.size()));
    const KeyAttribute taken = *at;
    candidates.erase(at);
    return taken;
  };
  if (local) {
    index.partition_keys = {table.partition_key};
    index.sort_keys = {take()};
  } else {
    const std::size_t most = random_.chance(50) ? 1 : 4;
    for (std::size_t n = 1 + random_.below(most); n > 0; --n) index.partition_keys.push_back(take());
    for (std::size_t n = random_.below(most + 1); n > 0; --n) index.sort_keys.push_back(take());
  }
  index.projection = static_cast<ProjectionType>(random_.below(3));
  if (index.projection == ProjectionType::kInclude) index.included_attributes = {"num", "doc", "g4"};
  return index;
}

TableDefinition Values::table(const std::string& name) {
  TableDefinition table{.name = name, .partition_key = {"pk", any_key_type(random_)}};
  if (random_.chance(75)) table.sort_key = KeyAttribute{"sk", any_key_type(random_)};
  if (table.sort_key)
    for (std::size_t i = random_.below(4); i > 0; --i)
      table.local_indexes.push_back(index("local-" + std::to_string(i), table, true));
  for (std::size_t i = random_.below(5); i > 0; --i)
    table.global_indexes.push_back(index("global-" + std::to_string(i), table, false));
  if (random_.chance(30)) table.stream = static_cast<StreamView>(random_.below(4));
  if (random_.chance(30)) table.ttl = std::string(kExpiryAttribute);
  return table;
}

}  // namespace dolmen::torture
