// Conditions, queries and scans.
#include <algorithm>

#include "generator.h"

namespace dolmen::torture {
namespace {

using Kind = Condition::Kind;

Operand of(const Path& path) { return {.kind = Operand::Kind::kPath, .path = path}; }
Operand of(AttributeValue value) { return {.kind = Operand::Kind::kValue, .value = std::move(value)}; }
Operand size_of(const Path& path) { return {.kind = Operand::Kind::kSize, .path = path}; }

bool has_order(const AttributeValue& value) {
  return value.type() == Type::kString || value.type() == Type::kNumber || value.type() == Type::kBinary;
}

/// The beginning of a string or binary, at least one byte (a whole character) long.
AttributeValue beginning_of(const AttributeValue& value, Random& random) {
  if (value.type() == Type::kBinary) {
    const std::string_view bytes = value.binary().view();
    return Bytes(std::string(bytes.substr(0, 1 + random.below(bytes.size()))));
  }
  std::string text = value.string();
  std::size_t length = 1 + random.below(text.size());
  while (length < text.size() && (static_cast<unsigned char>(text[length]) & 0xC0U) == 0x80U) ++length;
  return text.substr(0, length);
}

std::vector<const IndexDefinition*> indexes_of(const TableDefinition& table) {
  std::vector<const IndexDefinition*> indexes;
  for (const auto* list : {&table.local_indexes, &table.global_indexes})
    for (const IndexDefinition& index : *list) indexes.push_back(&index);
  return indexes;
}

}  // namespace

Path Generator::path(const Allowed& allowed) {
  for (int tries = 0; tries < 50; ++tries) {
    Path found = random_.pick(Values::paths());
    if (random_.chance(25)) found = {random_.pick(Values::index_attributes()).name};
    if (allowed(found)) return found;
  }
  return {"absent"};
}

Condition Generator::condition(const Allowed& allowed, unsigned depth) {
  const std::size_t choice = random_.below(100);
  if (depth >= 3 || choice < 55) return leaf(allowed);
  Condition whole{.kind = choice < 75 ? Kind::kAnd : choice < 92 ? Kind::kOr : Kind::kNot};
  whole.parts.push_back(condition(allowed, depth + 1));
  if (whole.kind != Kind::kNot) whole.parts.push_back(condition(allowed, depth + 1));
  return whole;
}

Condition Generator::comparison(const Path& path, const Allowed& allowed) {
  Condition condition{.kind = static_cast<Kind>(static_cast<int>(Kind::kEqual) + static_cast<int>(random_.below(6)))};
  if (random_.chance(20)) {
    condition.operands = {size_of(path), of(AttributeValue(random_.below(5)))};
  } else if (const Path other = this->path(allowed); random_.chance(15) && !(other == path)) {
    condition.operands = {of(path), of(other)};
  } else {
    AttributeValue value = values_.nearly_value_at(path);
    if (!has_order(value) && condition.kind != Kind::kNotEqual) condition.kind = Kind::kEqual;
    condition.operands = {of(path), of(std::move(value))};
  }
  if (random_.chance(20)) std::swap(condition.operands[0], condition.operands[1]);
  return condition;
}

Condition Generator::leaf(const Allowed& allowed) {
  const Path path = this->path(allowed);
  switch (random_.below(8)) {
    case 0: return {.kind = Kind::kExists, .operands = {of(path)}};
    case 1: return {.kind = Kind::kNotExists, .operands = {of(path)}};
    case 2: {
      static const std::vector<std::string> types{"S", "N", "B", "BOOL", "NULL", "L", "M", "SS", "NS", "BS"};
      return {.kind = Kind::kType, .operands = {of(path), of(AttributeValue(random_.pick(types)))}};
    }
    case 3: {
      const KeyType type = random_.chance(70) ? KeyType::kString : KeyType::kBinary;
      return {.kind = Kind::kBeginsWith, .operands = {of(path), of(beginning_of(values_.key_value(type), random_))}};
    }
    case 4: {
      AttributeValue part = random_.chance(30) ? values_.nearly_value_at(path) : values_.scalar();
      return {.kind = Kind::kContains, .operands = {of(path), of(std::move(part))}};
    }
    case 5: {
      const auto type = static_cast<KeyType>(random_.below(3));
      AttributeValue lower = values_.key_value(type);
      AttributeValue upper = values_.key_value(type);
      if (order(lower, upper) > 0) std::swap(lower, upper);
      return {.kind = Kind::kBetween, .operands = {of(path), of(std::move(lower)), of(std::move(upper))}};
    }
    case 6: {
      Condition in{.kind = Kind::kIn, .operands = {of(path)}};
      for (std::size_t n = 1 + random_.below(4); n > 0; --n) in.operands.push_back(of(values_.nearly_value_at(path)));
      return in;
    }
    default: return comparison(path, allowed);
  }
}

std::optional<std::string> Generator::index_name(const TableDefinition& table) {
  const std::vector<const IndexDefinition*> indexes = indexes_of(table);
  if (indexes.empty() || random_.chance(35)) return std::nullopt;
  return random_.pick(indexes)->name;
}

void Generator::choose_filter_and_projection(Read& read, const TableDefinition& table) {
  const IndexDefinition* index = nullptr;
  for (const IndexDefinition* candidate : indexes_of(table))
    if (candidate->name == read.index) index = candidate;
  // Most filters are about what may be filtered; the rest must be refused.
  const bool careless = random_.chance(4);
  const auto allowed = [&](const Path& path) {
    if (careless || index == nullptr) return true;
    for (const auto* keys : {&index->partition_keys, &index->sort_keys})
      for (const KeyAttribute& key : *keys)
        if (key.name == path.root) return false;
    return index->projection == ProjectionType::kAll || std::ranges::count(index->included_attributes, path.root) > 0;
  };
  if (random_.chance(35)) read.filter = condition(allowed);
  read.projection = projection();
  if (read.projection) {
    if (random_.chance(50)) read.select = Select::kSpecific;
  } else if (random_.chance(40)) {
    const std::vector<Select> choices = read.index
                                            ? std::vector{Select::kAllAttributes, Select::kAllProjected, Select::kCount}
                                            : std::vector{Select::kAllAttributes, Select::kCount};
    read.select = random_.pick(choices);
  }
  if (random_.chance(70)) read.limit = static_cast<std::uint32_t>(1 + random_.below(random_.chance(50) ? 4 : 40));
}

KeyTerm Generator::sort_term(const KeyAttribute& attribute, const AttributeValue& near) {
  static const std::vector<Kind> kinds{Kind::kEqual,          Kind::kLess,    Kind::kLessOrEqual, Kind::kGreater,
                                       Kind::kGreaterOrEqual, Kind::kBetween, Kind::kBeginsWith};
  KeyTerm term{.attribute = attribute.name, .kind = random_.pick(kinds), .value = near};
  if (term.kind == Kind::kBeginsWith && attribute.type == KeyType::kNumber) term.kind = Kind::kGreater;
  if (term.kind == Kind::kBeginsWith) term.value = beginning_of(near, random_);
  if (term.kind == Kind::kBetween) {
    term.upper = values_.key_value(attribute.type);
    if (order(term.value, term.upper) > 0) std::swap(term.value, term.upper);
  }
  return term;
}

Read Generator::query(const std::string& table) {
  const TableDefinition& definition = definition_of(table);
  Read read{.table = table, .index = index_name(definition)};
  std::vector<KeyAttribute> partition{definition.partition_key};
  std::vector<KeyAttribute> sort;
  if (definition.sort_key) sort.push_back(*definition.sort_key);
  for (const IndexDefinition* index : indexes_of(definition)) {
    if (index->name != read.index) continue;
    partition = index->partition_keys;
    sort = index->sort_keys;
  }
  // Mostly the partition of a row that exists.
  Item near;
  const auto known = model_.tables.find(table);
  if (known != model_.tables.end() && random_.chance(80)) near = known->second.any_row(read.index, random_.below(1000));
  const auto value_near = [&](const KeyAttribute& attribute) {
    const AttributeValue* value = near.find(attribute.name);
    return value != nullptr ? *value : values_.key_value(attribute.type);
  };
  for (const KeyAttribute& attribute : partition)
    read.keys.push_back({.attribute = attribute.name, .value = value_near(attribute)});
  for (const KeyAttribute& attribute : sort) {
    if (random_.chance(45)) break;
    const bool last = attribute == sort.back() || random_.chance(50);
    KeyTerm term{.attribute = attribute.name, .value = value_near(attribute)};
    read.keys.push_back(last ? sort_term(attribute, term.value) : std::move(term));
    if (read.keys.back().kind != Kind::kEqual) break;
  }
  if (random_.chance(30)) std::swap(read.keys.front(), read.keys.back());
  read.forward = random_.chance(60);
  choose_filter_and_projection(read, definition);
  return read;
}

Read Generator::scan(const std::string& table) {
  const TableDefinition& definition = definition_of(table);
  Read read{.table = table, .index = index_name(definition)};
  choose_filter_and_projection(read, definition);
  // So many pages of a few rows would take their time.
  if (read.limit && *read.limit < 4 && random_.chance(90)) *read.limit += 20;
  return read;
}

}  // namespace dolmen::torture
