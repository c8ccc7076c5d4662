#pragma once

#include <cstdint>
#include <forward_list>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "dolmen/entity/config.h"
#include "value/item_parts.h"

namespace dolmen::entity {

/// Owns texts that were made, for as long as elements refer to them.
using KeptTexts = std::forward_list<std::string>;

/// A view of one property of an entity. Its text belongs to the source that returned it.
class Element {
 public:
  enum class Kind : std::uint8_t {
    kUndefined,
    kNull,
    kBoolean,
    kNumber,
    kBigInteger,
    kString,
    kOther,  ///< a list, a map or another value that cannot be in a key; its text is that of JavaScript
  };

  Element() = default;
  static Element null() { return Element(Kind::kNull); }
  static Element of(bool value) {
    Element element(Kind::kBoolean);
    element.boolean_ = value;
    return element;
  }
  static Element of(double value) {
    Element element(Kind::kNumber);
    element.number_ = value;
    return element;
  }
  // The arguments must outlive the element.
  static Element view(std::string_view text) { return {Kind::kString, text}; }
  static Element big_integer(std::string_view digits) { return {Kind::kBigInteger, digits}; }
  static Element other(std::string_view text) { return {Kind::kOther, text}; }
  static Element of(const EntityValue& value);
  /// The same for a temporary value.
  static Element of(EntityValue value, KeptTexts& kept);

  [[nodiscard]] Kind kind() const noexcept { return kind_; }
  [[nodiscard]] bool is_undefined() const noexcept { return kind_ == Kind::kUndefined; }
  /// Undefined or null.
  [[nodiscard]] bool is_nil() const noexcept { return kind_ <= Kind::kNull; }
  /// True for values that are truthy in JavaScript: not nil, false, 0, NaN or "".
  [[nodiscard]] bool is_truthy() const noexcept;

  [[nodiscard]] bool boolean() const noexcept { return boolean_; }
  [[nodiscard]] double number() const noexcept { return number_; }
  /// Whether it has its text. Others have "" until they are spelled.
  [[nodiscard]] bool has_text() const noexcept { return kind_ >= Kind::kBigInteger; }
  /// The text of a string, a big integer (its digits), or kOther.
  [[nodiscard]] std::string_view text() const noexcept { return text_; }

  /// `String(value)`, from which keys are made.
  void append_to(std::string& out) const;
  /// Sets its text to that, written to a place with room for `text_bytes_max` bytes.
  void spell(char* room) { text_ = {room, write_to(room)}; }
  /// Writes it to a place with room for `text_bytes_max` bytes. Returns its end.
  char* write_to(char* out) const;
  [[nodiscard]] std::size_t text_bytes_max() const noexcept {
    constexpr std::size_t kNumberBytesMax = 32;
    return has_text() ? text_.size() : kNumberBytesMax;
  }
  /// The same as a text of its own.
  [[nodiscard]] std::string to_string() const;
  /// The form for transcodes. A value of another kind becomes its text.
  [[nodiscard]] EntityValue value() const;

 private:
  explicit Element(Kind kind) : kind_(kind) {}
  Element(Kind kind, std::string_view text) : kind_(kind), text_(text) {}

  Kind kind_ = Kind::kUndefined;
  bool boolean_ = false;
  double number_ = 0;
  std::string_view text_;
};

/// Unique names in the order of their bytes, so that an item is read in one pass.
struct SortedNames {
  SortedNames() = default;
  /// Sorts them and drops repetitions.
  explicit SortedNames(std::vector<std::string> unsorted);

  std::vector<std::string> names;
  std::vector<NameStart> starts;
};

/// The properties of an entity by name, for making its keys. For one thread.
class ElementSource {
 public:
  virtual ~ElementSource() = default;
  /// Undefined when the property does not exist. Valid as long as the source.
  [[nodiscard]] virtual Element get(std::string_view name) const = 0;
  /// The same for many names. `values` and `places` are memory without content for as many, which are made. Only those
  /// of an item have meaningful places.
  virtual void read(const SortedNames& names, std::span<Element> values, std::span<AttributePlace> places) const;
  /// All properties, in their order.
  virtual void each(const std::function<void(std::string_view name, const Element& value)>& visit) const = 0;

 protected:
  /// For elements whose texts are made on demand.
  [[nodiscard]] KeptTexts& kept() const noexcept { return kept_; }

 private:
  mutable KeptTexts kept_;
};

/// Elements by name. The names and texts must outlive it.
class ElementViews final : public ElementSource {
 public:
  [[nodiscard]] Element get(std::string_view name) const override;
  void each(const std::function<void(std::string_view, const Element&)>& visit) const override;

  /// Setting an element again keeps its place.
  void set(std::string_view name, Element value);
  /// Texts that it owns.
  using ElementSource::kept;
  void clear();

 private:
  std::vector<std::pair<std::string_view, Element>> entries_;
};

/// Values by name in the order of their first setting; setting a value again keeps its place.
class ElementList final : public ElementSource {
 public:
  using Entry = std::pair<std::string, EntityValue>;

  [[nodiscard]] Element get(std::string_view name) const override;
  void each(const std::function<void(std::string_view, const Element&)>& visit) const override;

  void set(std::string_view name, EntityValue value);
  [[nodiscard]] const std::vector<Entry>& entries() const noexcept { return entries_; }

 private:
  std::vector<Entry> entries_;
};

}  // namespace dolmen::entity
