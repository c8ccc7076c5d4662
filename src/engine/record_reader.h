#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dolmen/table.h"
#include "dolmen/value.h"

namespace dolmen::engine {

/// Reads the attributes of a record of the catalogue. A missing or mistyped attribute makes the record bad; the caller
/// checks at the end.
class RecordReader {
 public:
  RecordReader(const Item& record, bool& ok) : record_(record), ok_(ok) {}

  [[nodiscard]] bool has(std::string_view name) const { return record_.contains(name); }

  template <class T>
  T get(std::string_view name) {
    const AttributeValue* value = record_.find(name);
    const T* typed = value == nullptr ? nullptr : value->get_if<T>();
    if (typed == nullptr) ok_ = false;
    return typed == nullptr ? T{} : *typed;
  }

  std::int64_t integer(std::string_view name) {
    const std::optional<std::int64_t> value = get<Number>(name).to_int64();
    if (!value) ok_ = false;
    return value.value_or(0);
  }

  std::string text(std::string_view name) { return get<std::string>(name); }

  /// A name that `find` knows.
  template <class T>
  T named(std::string_view name, std::optional<T> (*find)(std::string_view)) {
    const std::optional<T> found = find(text(name));
    if (!found) ok_ = false;
    return found.value_or(T{});
  }

  // Attributes that may be missing.

  template <class T>
  T get_or(std::string_view name, T otherwise) {
    return has(name) ? get<T>(name) : otherwise;
  }

  std::optional<std::int64_t> number(std::string_view name) {
    return has(name) ? std::optional(integer(name)) : std::nullopt;
  }

  std::optional<TableTime> time(std::string_view name) {
    return has(name) ? std::optional(TableTime(std::chrono::milliseconds(integer(name)))) : std::nullopt;
  }

  // Structures, read by a function that takes a reader.

  template <class Read>
  auto inner(std::string_view name, Read read) {
    const Item record = get<Item>(name);
    RecordReader reader(record, ok_);
    return read(reader);
  }

  template <class Read>
  auto inner_or_default(std::string_view name, Read read) {
    return has(name) ? inner(name, read) : decltype(inner(name, read)){};
  }

  template <class Read>
  auto inner_if_there(std::string_view name, Read read) {
    return has(name) ? std::optional(inner(name, read)) : std::nullopt;
  }

  template <class Read>
  auto list(std::string_view name, Read read) {
    std::vector<decltype(read(*this))> elements;
    for (const AttributeValue& element : get<List>(name)) {
      const Item* record = element.get_if<Item>();
      if (record == nullptr) ok_ = false;
      if (record == nullptr) continue;
      RecordReader reader(*record, ok_);
      elements.push_back(read(reader));
    }
    return elements;
  }

 private:
  const Item& record_;
  bool& ok_;
};

inline Item record_of(const KeyAttribute& attribute) {
  return {{"name", attribute.name}, {"type", key_type_name(attribute.type)}};
}

inline KeyAttribute read_key_attribute(RecordReader& reader) {
  const std::string type = reader.text("type");
  return {reader.text("name"), type == "N" ? KeyType::kNumber : type == "B" ? KeyType::kBinary : KeyType::kString};
}

}  // namespace dolmen::engine
