#pragma once

#include <memory>
#include <optional>
#include <string>

#include "dolmen/error.h"
#include "dolmen/table.h"
#include "dolmen/value.h"

namespace dolmen {

class Service;

/// How a table name page is asked for.
struct ListTables {
  /// Names that come after this one.
  std::optional<std::string> after = std::nullopt;
  /// 1 to 100.
  int limit = 100;
};

/// Tables and items, wherever they are kept. Thread-safe; every call returns when it is done, and a write that returned
/// without an error is as durable as the store was opened to be.
class Store {
 public:
  /// Use `open` (dolmen/open.h) to get a store.
  explicit Store(std::unique_ptr<Service> service);
  ~Store();
  Store(const Store&) = delete;
  Store& operator=(const Store&) = delete;

  /// Fails with kTableExists when there is a table of that name.
  Result<TableDescription> create_table(TableDefinition definition);
  Result<TableDescription> describe_table(const std::string& name);
  Result<TableDescription> delete_table(const std::string& name);
  Result<TableNamePage> list_tables(const ListTables& request = {});

  /// Adds the item, or replaces the one with the same key.
  Result<void> put_item(const std::string& table, const Item& item);
  /// Nothing when there is no item with that key.
  Result<std::optional<Item>> get_item(const std::string& table, const Item& key);
  /// Also succeeds when there is no such item.
  Result<void> delete_item(const std::string& table, const Item& key);

  /// The operations below this interface, for the other parts of Dolmen.
  [[nodiscard]] Service& service() noexcept { return *service_; }

 private:
  std::unique_ptr<Service> service_;
};

}  // namespace dolmen
