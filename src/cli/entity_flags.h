#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/store_flags.h"
#include "dolmen/entity/client.h"

namespace dolmen::cli {

/// What the verbs of `entity` that work on a store can be told. Each has those that it needs.
struct EntityStoreFlags {
  StoreFlags store;
  std::string config;
  std::string table;
  bool json = false;
  bool loose = false;
  bool legacy_modulus = false;

  std::string entity;
  std::string value;
  std::string item;
  std::string file;
  bool is_new = false;
  std::vector<std::string> set;
  std::vector<std::string> set_json;
  std::vector<std::string> unset;

  std::vector<std::string> indexes;
  std::vector<std::string> ranges;
  std::vector<std::string> filters;
  std::vector<std::string> sort;
  std::vector<std::string> project;
  std::optional<std::int64_t> limit;
  std::optional<std::int64_t> page_size;
  std::optional<std::int64_t> from;
  std::optional<std::int64_t> to;
  bool backward = false;
  bool merge = false;
  bool all = false;
  std::string token;
  std::uint32_t pages = 500;
};

/// The unique property of an entity with the value that the command line gives. Fails with kInvalidArgument.
Result<Item> unique_item(const EntityConfig& config, const EntityStoreFlags& flags);

/// "created >= 5", "lastName begins_with lo", "created between 1 5": a property, an operation and values, which are
/// JSON or else texts. Fails with kInvalidArgument.
Result<EntityCondition> condition_in(const std::string& text);

/// The query that the flags describe.
Result<EntityQuery> query_in(const EntityClient& client, const EntityStoreFlags& flags);

}  // namespace dolmen::cli
