#pragma once

#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "dolmen/error.h"
#include "dolmen/value.h"

namespace dolmen {

/// What "#name" placeholders of an expression stand for.
using Names = std::map<std::string, std::string, std::less<>>;
/// What ":value" placeholders of an expression stand for; the keys have their colon.
using Values = Item;

namespace detail {

/// The placeholders of an expression as they were written; two may be the same.
using GivenNames = std::vector<std::pair<std::string, std::string>>;
using GivenValues = std::vector<Item::Attribute>;

/// A piece of an expression: text as it is, or an attribute name or a value that gets a placeholder of its own.
struct ExpressionPiece {
  enum class Kind : std::uint8_t { kText, kName, kValue };
  Kind kind = Kind::kText;
  std::string text = {};
  AttributeValue value = nullptr;

  friend bool operator==(const ExpressionPiece&, const ExpressionPiece&) = default;
};

using ExpressionPieces = std::vector<ExpressionPiece>;

}  // namespace detail

/// A condition, filter or key condition. Either written as DynamoDB's text with its placeholders,
///
///     Condition{"attribute_not_exists(#t) AND size(tags) < :n", {{":n", 5}}, {{"#t", "text"}}}
///
/// or built, in which case names and values need no placeholders and reserved words no care:
///
///     !attr("text").exists() && attr("tags").size() < 5
///
/// An empty one means "no condition".
class Condition {
 public:
  Condition() = default;
  // NOLINTBEGIN(google-explicit-constructor): text is a condition
  Condition(std::string text, const Values& values = {}, const Names& names = {});
  Condition(const char* text, const Values& values = {}, const Names& names = {});
  // NOLINTEND(google-explicit-constructor)
  static Condition of(detail::ExpressionPieces pieces);

  [[nodiscard]] bool empty() const noexcept { return pieces_.empty(); }
  [[nodiscard]] const detail::ExpressionPieces& pieces() const noexcept { return pieces_; }
  [[nodiscard]] const detail::GivenValues& values() const noexcept { return values_; }
  [[nodiscard]] const detail::GivenNames& names() const noexcept { return names_; }

  /// An empty condition is neutral in both.
  friend Condition operator&&(Condition a, Condition b);
  friend Condition operator||(Condition a, Condition b);
  friend Condition operator!(Condition condition);
  friend bool operator==(const Condition&, const Condition&) = default;

 private:
  static Condition joined(Condition a, std::string_view word, Condition b);

  detail::ExpressionPieces pieces_;
  detail::GivenValues values_;
  detail::GivenNames names_;
};

Condition operator&&(Condition a, Condition b);
Condition operator||(Condition a, Condition b);
Condition operator!(Condition condition);

/// Something that has a value in an item: an attribute, a part of one, the size of one.
class Operand {
 public:
  friend Condition operator==(Operand a, AttributeValue b) { return compared(std::move(a), "=", std::move(b)); }
  friend Condition operator!=(Operand a, AttributeValue b) { return compared(std::move(a), "<>", std::move(b)); }
  friend Condition operator<(Operand a, AttributeValue b) { return compared(std::move(a), "<", std::move(b)); }
  friend Condition operator<=(Operand a, AttributeValue b) { return compared(std::move(a), "<=", std::move(b)); }
  friend Condition operator>(Operand a, AttributeValue b) { return compared(std::move(a), ">", std::move(b)); }
  friend Condition operator>=(Operand a, AttributeValue b) { return compared(std::move(a), ">=", std::move(b)); }
  friend Condition operator==(Operand a, const Operand& b) { return compared(std::move(a), "=", b); }
  friend Condition operator!=(Operand a, const Operand& b) { return compared(std::move(a), "<>", b); }
  friend Condition operator<(Operand a, const Operand& b) { return compared(std::move(a), "<", b); }
  friend Condition operator<=(Operand a, const Operand& b) { return compared(std::move(a), "<=", b); }
  friend Condition operator>(Operand a, const Operand& b) { return compared(std::move(a), ">", b); }
  friend Condition operator>=(Operand a, const Operand& b) { return compared(std::move(a), ">=", b); }

  /// Both bounds are inside.
  [[nodiscard]] Condition between(AttributeValue low, AttributeValue high) const;
  /// 1 to 100 values.
  [[nodiscard]] Condition in(std::vector<AttributeValue> values) const;

  [[nodiscard]] const detail::ExpressionPieces& pieces() const noexcept { return pieces_; }

 protected:
  explicit Operand(detail::ExpressionPieces pieces) : pieces_(std::move(pieces)) {}

  detail::ExpressionPieces pieces_;

 private:
  static Condition compared(Operand a, std::string_view comparator, AttributeValue b);
  static Condition compared(Operand a, std::string_view comparator, const Operand& b);
};

/// An attribute or a part of one: `attr("address")["lines"][0]`. Names are taken as they are: a dot is part of a name.
class Path : public Operand {
 public:
  explicit Path(std::string attribute);

  [[nodiscard]] Path operator[](std::string name) const;
  [[nodiscard]] Path operator[](const char* name) const { return (*this)[std::string(name)]; }
  /// An element of a list.
  template <std::integral Index>
  [[nodiscard]] Path operator[](Index index) const {
    return element(std::to_string(index));
  }

  [[nodiscard]] Condition exists() const;
  [[nodiscard]] Condition not_exists() const;
  [[nodiscard]] Condition is(Type type) const;
  [[nodiscard]] Condition begins_with(AttributeValue prefix) const;
  /// A part of a string, or a member of a set or list.
  [[nodiscard]] Condition contains(AttributeValue part) const;
  /// The length of a string or binary, or the number of members.
  [[nodiscard]] Operand size() const;

 private:
  [[nodiscard]] Path element(const std::string& index) const;
  [[nodiscard]] Condition call(std::string_view function) const;
  [[nodiscard]] Condition call(std::string_view function, AttributeValue argument) const;
};

/// An attribute in a condition, filter, update or projection.
inline Path attr(std::string name) { return Path(std::move(name)); }
/// A key attribute in a key condition: `key("topic") == "dolmen" && key("written") > 0`.
inline Path key(std::string name) { return Path(std::move(name)); }

/// What an UpdateItem changes. Either DynamoDB's text with its placeholders, or built:
///
///     Update{}.set(attr("text"), "new").add(attr("views"), 1).remove(attr("draft"))
///
/// Every clause reads the item as it was before the update. Clauses may be added to text that does not have them yet.
class Update {
 public:
  Update() = default;
  // NOLINTBEGIN(google-explicit-constructor): text is an update
  Update(std::string text, const Values& values = {}, const Names& names = {});
  Update(const char* text, const Values& values = {}, const Names& names = {});
  // NOLINTEND(google-explicit-constructor)

  Update& set(const Path& path, AttributeValue value);
  /// Takes the value that another attribute has.
  Update& set(const Path& path, const Path& source);
  Update& set_if_not_exists(const Path& path, AttributeValue value);
  /// Adds to a number that must exist; `add` also takes one that does not.
  Update& increment(const Path& path, Number by);
  /// Counts a missing number as `start` before it adds.
  Update& increment_or_start(const Path& path, Number by, Number start);
  Update& append(const Path& path, List elements);
  Update& prepend(const Path& path, List elements);
  Update& remove(const Path& path);
  /// Adds a number, or members to a set; a missing attribute counts as 0 or the empty set.
  Update& add(const Path& path, AttributeValue value);
  /// Takes members out of a set.
  Update& erase_from(const Path& path, AttributeValue members);

  [[nodiscard]] bool empty() const noexcept;
  /// The whole expression.
  [[nodiscard]] detail::ExpressionPieces pieces() const;
  [[nodiscard]] const detail::GivenValues& values() const noexcept { return values_; }
  [[nodiscard]] const detail::GivenNames& names() const noexcept { return names_; }

 private:
  enum Clause : std::uint8_t { kSet, kRemove, kAdd, kDelete, kClauses };
  Update& clause(Clause which, detail::ExpressionPieces pieces);

  /// Text as given; clauses are added behind it.
  std::string text_;
  std::vector<detail::ExpressionPieces> clauses_ = std::vector<detail::ExpressionPieces>(kClauses);
  detail::GivenValues values_;
  detail::GivenNames names_;
};

/// Which attributes a read returns: text with its placeholders ("id, #t, tags[0]"), or paths. Empty: all of them.
class Projection {
 public:
  Projection() = default;
  // NOLINTBEGIN(google-explicit-constructor): text is a projection, and so is a list of paths
  Projection(std::string text, const Names& names = {});
  Projection(const char* text, const Names& names = {});
  Projection(const std::vector<Path>& paths);
  Projection(std::initializer_list<Path> paths) : Projection(std::vector<Path>(paths)) {}
  // NOLINTEND(google-explicit-constructor)

  [[nodiscard]] bool empty() const noexcept { return pieces_.empty(); }
  [[nodiscard]] const detail::ExpressionPieces& pieces() const noexcept { return pieces_; }
  [[nodiscard]] const detail::GivenNames& names() const noexcept { return names_; }

 private:
  detail::ExpressionPieces pieces_;
  detail::GivenNames names_;
};

}  // namespace dolmen
