#pragma once

#include <gtest/gtest.h>
#include <memory>
#include <string>
#include <vector>

#include "dolmen/dolmen.h"
#include "dolmen/entity/client.h"

namespace dolmen {

/// Where the tests work: --store ADDRESS.
const std::string& store_address();

/// A table with users, e-mails and indexes, which is gone afterwards.
class EntityStoreTest : public testing::Test {
 protected:
  void SetUp() override;
  void TearDown() override;

  /// With one shard, 16 from 1,000 on, 256 from 2,000 on.
  static EntityConfig config();
  [[nodiscard]] EntityClient client(const EntityConfig& config, EntityOptions options = {}) const;
  [[nodiscard]] EntityClient client() const { return client(config()); }

  /// Users u0, u1, … of which each is made a moment after the one before it.
  static std::vector<Item> users(int count, std::int64_t first_created, std::int64_t step);
  void put_users(const EntityClient& client, const std::vector<Item>& items);

  std::unique_ptr<Store> store_;
  std::string table_;
};

/// The unique values of items, as they come.
std::vector<std::string> ids_of(const std::vector<Item>& items);
std::vector<std::string> sorted_ids_of(const std::vector<Item>& items);

}  // namespace dolmen
