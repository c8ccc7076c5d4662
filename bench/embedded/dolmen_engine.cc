#include <vector>

#include "base/check.h"
#include "bench/embedded/engine.h"
#include "dolmen/embedded.h"

namespace dolmen::bench {
namespace {

constexpr const char* kTable = "rows";
constexpr const char* kIndex = "by-owner";

class DolmenEngine final : public Engine {
 public:
  explicit DolmenEngine(const EngineOptions& options)
      : rows_(options.rows),
        store_(open_embedded({.directory = options.directory.string(),
                              .durability = options.sync ? Durability::kSync : Durability::kOs})
                   .value()) {
    TableDefinition table{
        .name = kTable, .partition_key = {"p", KeyType::kString}, .sort_key = KeyAttribute{"s", KeyType::kNumber}};
    if (options.indexed)
      table.global_indexes.push_back(
          {.name = kIndex, .partition_keys = {{"owner", KeyType::kString}}, .sort_keys = {{"p", KeyType::kString}}});
    store_->create_table(table).value();
    for (std::size_t i = 0; i < rows_; ++i) items_.push_back(item_of(i, rows_));
    changed_.resize(rows_);
  }

  void put(std::size_t number) override {
    // A new row is the item of an old one with another key.
    if (number < rows_) {
      // A put of the same item would not have to write the index.
      changed_[number] = !changed_[number];
      items_[number].set("active", static_cast<bool>(changed_[number]));
      store_->put_item(kTable, items_[number]).value();
      return;
    }
    Item item = items_[number % rows_];
    item.set("p", partition_of(number));
    store_->put_item(kTable, item).value();
  }
  void get(std::size_t number) override {
    const Item key{{"p", partition_of(number)}, {"s", static_cast<std::int64_t>(number % kRowsPerPartition)}};
    DOLMEN_CHECK(store_->get_item(kTable, key).value().item.has_value(), "the row is there");
  }
  std::size_t query(std::size_t partition) override {
    return store_->query_page(kTable, {.key = key("p") == partition_of(partition * kRowsPerPartition)}).value().count;
  }
  std::size_t query_index(std::size_t owner) override {
    return store_->query_page(kTable, {.key = key("owner") == owner_of(owner, rows_), .index = kIndex}).value().count;
  }

 private:
  std::size_t rows_;
  std::unique_ptr<Store> store_;
  std::vector<Item> items_;
  std::vector<bool> changed_;
};

}  // namespace

std::unique_ptr<Engine> open_dolmen(const EngineOptions& options) { return std::make_unique<DolmenEngine>(options); }

}  // namespace dolmen::bench
