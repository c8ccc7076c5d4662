#pragma once

#include <fmt/format.h>
#include <memory>
#include <string>
#include <vector>

#include "contract/rules.h"
#include "dolmen/embedded.h"
#include "dolmen/model/model.h"
#include "dolmen/store.h"

namespace dolmen::upkeep {

inline constexpr std::string_view kUserModel = R"(
dms_version: "0.1"
models:
  - name: "User"
    table: { name: "users" }
    keys: { partition: { attribute: "pk", type: "S" } }
    attributes:
      - { attribute: "pk", type: "S", required: true }
      - { attribute: "name", type: "S", required: true }
      - { attribute: "age", type: "N", format: "int", optional: true }
      - { attribute: "phone", type: "S", optional: true, encryption: {} }
      - { attribute: "mail", type: "S", optional: true, encryption: {} }
      - { attribute: "version", type: "N", format: "int", roles: ["version"] }
      - { attribute: "ttl", type: "N", format: "unix_seconds", roles: ["ttl"], optional: true, omit_empty: true }
)";

/// A store in memory with a table of users.
struct Users {
  std::unique_ptr<Store> store = open_embedded({.durability = Durability::kMemory}).value();
  contract::Definition definition{.models = {{.name = "user.yml", .text = std::string(kUserModel)}}};
  TableDescription table;

  explicit Users(bool stream = false) {
    TableDefinition wanted = table_definition(parse_models(kUserModel, "user.yml").value().models.front());
    // Expiry would remove items whose time is over while a test looks at them.
    wanted.ttl.reset();
    if (stream) wanted.stream = StreamView::kNewImage;
    store->create_table(wanted).value();
    table = store->describe_table("users").value();
  }

  static std::string key_of(int number) { return fmt::format("USER#{:05}", number); }

  Item put(int number, const std::vector<Item::Attribute>& more = {}) {
    Item item{{"pk", key_of(number)}, {"name", "Ada"}, {"version", 3}};
    for (const auto& [name, value] : more) item.set(name, value);
    store->put_item("users", item).value();
    return item;
  }
  Item get(int number) { return store->get_item("users", {{"pk", key_of(number)}}).value().item.value(); }
};

}  // namespace dolmen::upkeep
