#pragma once

#include <gtest/gtest.h>
#include <memory>
#include <string>

#include "dolmen/dolmen.h"

/// Tests of the Store interface that hold for every store, wherever it keeps its items.
namespace dolmen::conformance {

/// The address that the program was started with.
const std::string& store_address();

/// A store, and a table of the test's own that is gone afterwards:
///   partition key "p" (string), sort key "s" (number)
///   local index "by-text" on (p, text), keys only
///   global index "by-group" on (group, rank), all attributes
///   global index "by-kind" on (kind), including "extra"
class StoreTest : public testing::Test {
 protected:
  void SetUp() override;
  void TearDown() override;

  Store& store() { return *store_; }
  const std::string& table() const { return table_; }

  /// Another table, also deleted afterwards.
  std::string make_table(const TableDefinition& definition);
  /// A name that no other test uses.
  static std::string fresh_name(const std::string& stem);

  void put(const Item& item);
  std::optional<Item> get(const Item& key);
  /// Puts s = first..last into partition p, with text "t<s>".
  void put_range(const std::string& partition, int first, int last);

 private:
  std::unique_ptr<Store> store_;
  std::string table_;
  std::vector<std::string> tables_;
};

/// The values of the attribute "s" of the items, in order.
std::vector<int> sorts_of(const std::vector<Item>& items);

}  // namespace dolmen::conformance
