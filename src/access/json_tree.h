#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace dolmen::access {

/// A small JSON document as a tree, with the members of objects in their order. For policies, which are short.
class JsonTree {
 public:
  using List = std::vector<JsonTree>;
  using Object = std::vector<std::pair<std::string, JsonTree>>;
  /// A number, true, false or null, as it was written.
  struct Literal {
    std::string text;
  };

  /// Nothing when the text is not JSON, or an object in it has a name twice.
  static std::optional<JsonTree> parse(std::string_view text);

  explicit JsonTree(std::string text) : value_(std::move(text)) {}
  explicit JsonTree(List list) : value_(std::move(list)) {}
  explicit JsonTree(Object object) : value_(std::move(object)) {}
  explicit JsonTree(Literal literal) : value_(std::move(literal)) {}

  [[nodiscard]] const std::string* text() const { return std::get_if<std::string>(&value_); }
  [[nodiscard]] const List* list() const { return std::get_if<List>(&value_); }
  [[nodiscard]] const Object* object() const { return std::get_if<Object>(&value_); }
  /// A member of an object; null when there is none.
  [[nodiscard]] const JsonTree* find(std::string_view name) const;
  /// The texts of a list of texts, or the one text; nothing for everything else.
  [[nodiscard]] std::optional<std::vector<std::string>> texts() const;

  /// Compact, with the members of objects sorted, and lists of one element as that element.
  [[nodiscard]] std::string canonical() const;

 private:
  std::variant<std::string, List, Object, Literal> value_;
};

}  // namespace dolmen::access
