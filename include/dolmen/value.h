#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "dolmen/bytes.h"
#include "dolmen/number.h"

namespace dolmen {

class AttributeValue;

/// The ten types of DynamoDB, in the order of `AttributeValue`'s alternatives.
enum class Type : std::uint8_t {
  kString,
  kNumber,
  kBinary,
  kBool,
  kNull,
  kList,
  kMap,
  kStringSet,
  kNumberSet,
  kBinarySet,
};

/// DynamoDB's name of a type: S, N, B, BOOL, NULL, L, M, SS, NS, BS.
std::string_view type_name(Type type);

/// Attributes by name, in the order of their names' bytes. An item, and also the value of a map attribute.
class Item {
 public:
  using Attribute = std::pair<std::string, AttributeValue>;
  using const_iterator = std::vector<Attribute>::const_iterator;

  Item();
  /// Of attributes with the same name the last one counts.
  Item(std::initializer_list<Attribute> attributes);
  ~Item();
  Item(const Item&);
  Item(Item&&) noexcept;
  Item& operator=(const Item&);
  Item& operator=(Item&&) noexcept;

  /// Nothing when there is no such attribute.
  [[nodiscard]] const AttributeValue* find(std::string_view name) const;
  AttributeValue* find(std::string_view name);
  /// The attribute must exist; use `find` when it may not.
  [[nodiscard]] const AttributeValue& at(std::string_view name) const;
  [[nodiscard]] bool contains(std::string_view name) const { return find(name) != nullptr; }

  /// Makes room for so many attributes.
  void reserve(std::size_t attributes);
  /// Adds or replaces.
  AttributeValue& set(std::string name, AttributeValue value);
  /// False when there was nothing to remove.
  bool erase(std::string_view name);

  [[nodiscard]] std::size_t size() const noexcept;
  [[nodiscard]] bool empty() const noexcept;
  [[nodiscard]] const_iterator begin() const noexcept;
  [[nodiscard]] const_iterator end() const noexcept;

  friend bool operator==(const Item& a, const Item& b);

 private:
  friend struct ItemParts;
  std::vector<Attribute> attributes_;
};

namespace detail {

template <class T>
inline constexpr bool is_character = std::same_as<T, char> || std::same_as<T, wchar_t> || std::same_as<T, char8_t> ||
                                     std::same_as<T, char16_t> || std::same_as<T, char32_t>;

/// A value that lies elsewhere and is copied with its owner, which it does not make larger. Empty when moved from.
template <class T>
class Boxed {
 public:
  explicit Boxed(T value) : value_(std::make_unique<T>(std::move(value))) {}
  ~Boxed() = default;
  Boxed(const Boxed& other) : value_(std::make_unique<T>(*other)) {}
  Boxed(Boxed&&) noexcept = default;
  Boxed& operator=(const Boxed& other) { return *this = Boxed(other); }
  Boxed& operator=(Boxed&&) noexcept = default;

  const T& operator*() const noexcept {
    static const T empty;
    return value_ ? *value_ : empty;
  }
  T& operator*() {
    if (!value_) value_ = std::make_unique<T>();
    return *value_;
  }

  friend bool operator==(const Boxed& a, const Boxed& b) { return *a == *b; }

 private:
  std::unique_ptr<T> value_;
};

}  // namespace detail

/// One value of any of DynamoDB's types. Sets are kept sorted, so that equal values are identical.
///
///     Item item{{"id", "a"}, {"count", 3}, {"price", 9.99_n}, {"tags", StringSet{"x", "y"}}, {"seen", nullptr}};
///     item.at("count").number();
class AttributeValue {
 public:
  using List = std::vector<AttributeValue>;
  using StringSet = std::set<std::string, std::less<>>;
  using NumberSet = std::set<Number>;
  using BinarySet = std::set<Bytes>;

  // Implicit, so that items can be written down as they are.
  // NOLINTBEGIN(google-explicit-constructor)
  AttributeValue();
  AttributeValue(std::nullptr_t);
  AttributeValue(std::string value);
  AttributeValue(std::string_view value);
  AttributeValue(const char* value);
  AttributeValue(Number value);
  template <std::integral T>
    requires(!std::same_as<T, bool>)
  AttributeValue(T value) : AttributeValue(Number(value)) {
    static_assert(!detail::is_character<T>,
                  "a character is neither a text nor a number: write std::string(1, c), or int{c} for its number");
  }
  template <std::floating_point T>
  AttributeValue(T /*value*/) {
    static_assert(!std::floating_point<T>,
                  "a double is not a decimal: write 9.99_n, or Number::from_double(x), which fails for infinities");
  }
  template <std::same_as<bool> T>
  AttributeValue(T value) : AttributeValue(Boolean{value}) {}
  AttributeValue(Bytes value);
  AttributeValue(List value);
  AttributeValue(Item value);
  AttributeValue(StringSet value);
  AttributeValue(NumberSet value);
  AttributeValue(BinarySet value);
  // NOLINTEND(google-explicit-constructor)

  // Not inline: compilers of users' sources would repeat them for all ten types each time.
  ~AttributeValue();
  AttributeValue(const AttributeValue&);
  AttributeValue(AttributeValue&&) noexcept;
  AttributeValue& operator=(const AttributeValue&);
  AttributeValue& operator=(AttributeValue&&) noexcept;

  [[nodiscard]] Type type() const noexcept { return static_cast<Type>(value_.index()); }

  /// Each of these needs a value of its type; ask `type()`, or use `get_if`, when it may be another.
  [[nodiscard]] const std::string& string() const { return expect<std::string>(); }
  [[nodiscard]] const Number& number() const { return expect<Number>(); }
  [[nodiscard]] const Bytes& binary() const { return expect<Bytes>(); }
  [[nodiscard]] bool boolean() const { return expect<bool>(); }
  [[nodiscard]] const List& list() const { return expect<List>(); }
  [[nodiscard]] const Item& map() const { return expect<Item>(); }
  [[nodiscard]] const StringSet& string_set() const { return expect<StringSet>(); }
  [[nodiscard]] const NumberSet& number_set() const { return expect<NumberSet>(); }
  [[nodiscard]] const BinarySet& binary_set() const { return expect<BinarySet>(); }

  /// The value when it is of type T (std::string, Number, Bytes, bool, List, Item, StringSet, NumberSet, BinarySet).
  template <class T>
  [[nodiscard]] const T* get_if() const noexcept {
    return find<const T>(value_);
  }
  template <class T>
  [[nodiscard]] T* get_if() noexcept {
    return find<T>(value_);
  }

  /// Calls `visitor` with the value in its own type.
  template <class Visitor>
  decltype(auto) visit(Visitor&& visitor) const {
    return std::visit([&](const auto& value) -> decltype(auto) { return visitor(unboxed(value)); }, value_);
  }

  friend bool operator==(const AttributeValue& a, const AttributeValue& b);

 private:
  struct Boolean {
    bool value;
  };
  explicit AttributeValue(Boolean value);

  template <class T>
  const T& expect() const {
    const T* value = get_if<T>();
    if (value == nullptr) wrong_type(type());
    return *value;
  }
  [[noreturn]] static void wrong_type(Type actual);

  template <class T, class Values>
  static T* find(Values& values) noexcept {
    using Value = std::remove_const_t<T>;
    if constexpr (std::same_as<Value, StringSet> || std::same_as<Value, NumberSet> || std::same_as<Value, BinarySet>) {
      auto* boxed = std::get_if<detail::Boxed<Value>>(&values);
      return boxed == nullptr ? nullptr : &**boxed;
    } else {
      return std::get_if<Value>(&values);
    }
  }

  template <class T>
  static const T& unboxed(const T& value) {
    return value;  // NOLINT(bugprone-return-const-ref-from-parameter): only for members, which outlive the call
  }
  template <class T>
  static const T& unboxed(const detail::Boxed<T>& value) {
    return *value;
  }

  // Sets are rare, and larger than everything else.
  using Values = std::variant<std::string, Number, Bytes, bool, std::nullptr_t, List, Item, detail::Boxed<StringSet>,
                              detail::Boxed<NumberSet>, detail::Boxed<BinarySet>>;
  // In a union, so that the destructor can destroy the most common types without asking for each of them.
  union {
    Values value_;
  };
};

using List = AttributeValue::List;
using StringSet = AttributeValue::StringSet;
using NumberSet = AttributeValue::NumberSet;
using BinarySet = AttributeValue::BinarySet;

}  // namespace dolmen
