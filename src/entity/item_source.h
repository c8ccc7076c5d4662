#pragma once

#include "dolmen/value.h"
#include "entity/compiled.h"
#include "entity/order.h"

/// Items of DynamoDB as entities.
namespace dolmen::entity {

/// An attribute as a property. Numbers are doubles, or big integers for a property that has those.
Element element_of(const CompiledConfig& config, std::string_view name, const AttributeValue& value, KeptTexts& kept);

/// The item must outlive it.
class ItemView final : public ElementSource {
 public:
  ItemView(const CompiledConfig& config, const Item& item) : config_(config), item_(item) {}

  [[nodiscard]] Element get(std::string_view name) const override;
  void read(const SortedNames& names, std::span<Element> values, std::span<AttributePlace> places) const override;
  void each(const std::function<void(std::string_view, const Element&)>& visit) const override;

 private:
  const CompiledConfig& config_;
  const Item& item_;
};

/// The unique property of an item, or the one in its range key, because an index need not hold the property. Undefined
/// when the item has neither.
Element unique_element(const CompiledConfig& config, const CompiledEntity& entity, const ItemView& item);

/// Items of an entity, which must outlive it and must not move.
class ItemTableView final : public ElementTable {
 public:
  ItemTableView(const CompiledConfig& config, const CompiledEntity& entity, const std::vector<Item*>& items)
      : config_(config), entity_(entity), items_(items) {}

  [[nodiscard]] std::size_t size() const override { return items_.size(); }
  /// Reads the unique property as `unique_element` does.
  [[nodiscard]] std::unique_ptr<PropertyReader> reader(std::string_view property) const override;
  [[nodiscard]] std::unique_ptr<PropertyReader> sort_reader(std::string_view property) const override;

 private:
  const CompiledConfig& config_;
  const CompiledEntity& entity_;
  const std::vector<Item*>& items_;
};

/// Fails with kInvalidEntity for numbers that DynamoDB cannot hold.
Result<Item> item_of(const ElementList& elements);

}  // namespace dolmen::entity
