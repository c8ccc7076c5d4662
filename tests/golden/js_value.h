#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "config/node.h"
#include "dolmen/entity/config.h"
#include "dolmen/value.h"
#include "entity/element.h"
#include "entity/order.h"

/// Values as they are in JavaScript, where the vectors for entities were recorded: undefined is not null, and numbers
/// are not big integers.
namespace dolmen::golden {

class JsValue;
using JsList = std::vector<JsValue>;
/// In the order of the file.
using JsMap = std::vector<std::pair<std::string, JsValue>>;

class JsValue {
 public:
  // NOLINTBEGIN(google-explicit-constructor): cases are written with plain values
  JsValue() = default;
  JsValue(EntityValue scalar) : value_(std::move(scalar)) {}
  JsValue(std::string text) : value_(EntityValue(std::move(text))) {}
  JsValue(std::string_view text) : value_(EntityValue(std::string(text))) {}
  JsValue(const char* text) : value_(EntityValue(std::string(text))) {}
  JsValue(double number) : value_(EntityValue(number)) {}
  JsValue(bool boolean) : value_(EntityValue(boolean)) {}
  JsValue(JsList list) : value_(std::move(list)) {}
  JsValue(JsMap map) : value_(std::move(map)) {}
  // NOLINTEND(google-explicit-constructor)

  /// With the tags $undefined, $bigint, $number and $utf16.
  static JsValue of(const config::Node& node);
  static JsValue of(const std::vector<std::string>& texts);
  static JsValue of(const entity::ElementList& elements);

  [[nodiscard]] const EntityValue* scalar() const { return std::get_if<EntityValue>(&value_); }
  [[nodiscard]] const JsList* list() const { return std::get_if<JsList>(&value_); }
  [[nodiscard]] const JsMap* map() const { return std::get_if<JsMap>(&value_); }
  [[nodiscard]] bool is_undefined() const { return scalar() != nullptr && scalar()->index() == 0; }
  [[nodiscard]] bool is_nil() const { return scalar() != nullptr && scalar()->index() <= 1; }
  [[nodiscard]] entity::Element element(entity::KeptTexts& kept) const;
  /// The text of a string, else `String(value)`.
  [[nodiscard]] std::string text() const;
  [[nodiscard]] bool is_truthy() const;
  /// 0 for what is no number.
  [[nodiscard]] double number() const;

  /// Undefined when there is none.
  [[nodiscard]] const JsValue& at(std::string_view name) const;
  void set(std::string_view name, JsValue value);
  void erase(std::string_view name);

  /// JSON with the tags.
  [[nodiscard]] std::string show() const;

  /// Members of maps in any order; NaN equals itself, and -0 is not 0.
  friend bool operator==(const JsValue& a, const JsValue& b);

 private:
  std::variant<EntityValue, JsList, JsMap> value_;
};

/// A map as an entity. The value must outlive it.
class JsSource final : public entity::ElementSource {
 public:
  explicit JsSource(const JsValue& value) : value_(value) {}
  [[nodiscard]] entity::Element get(std::string_view name) const override { return value_.at(name).element(kept()); }
  void each(const std::function<void(std::string_view, const entity::Element&)>& visit) const override;

 private:
  const JsValue& value_;
};

class JsTable final : public entity::ElementTable {
 public:
  explicit JsTable(const JsList& rows) : rows_(rows) {}
  [[nodiscard]] std::size_t size() const override { return rows_.size(); }
  [[nodiscard]] std::unique_ptr<entity::PropertyReader> reader(std::string_view property) const override;

 private:
  const JsList& rows_;
};

/// As DynamoDB stores it; undefined members are left out.
Item item_of(const JsValue& map);
JsValue js_of(const AttributeValue& value);

/// The texts of a list; none of what is not a list.
inline std::vector<std::string> texts_of(const JsValue& list) {
  std::vector<std::string> texts;
  if (list.list() != nullptr)
    for (const JsValue& element : *list.list()) texts.push_back(element.text());
  return texts;
}

}  // namespace dolmen::golden
