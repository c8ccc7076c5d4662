#pragma once

#include <dolmen/dolmen.h>
#include <dolmen/model.h>
#include <memory>
#include <optional>

#include "tests/docs/fresh_folder.h"

/// What docs/models.md expects: a store, the file models/user.yml, keys, and an item that has been updated three times.
namespace given {

namespace db = dolmen;

inline const db::Timestamp now{.seconds = 1'800'000'000};
inline const db::LogicalItem old{{"PK", "USER#0"}, {"SK", "PROFILE"}};
inline db::ModelSet models;
inline db::Model user;
inline std::unique_ptr<db::Store> store;
inline std::unique_ptr<db::KeyProvider> keys;

/// Of snippets that are only compiled.
extern db::ModelTable users;
extern db::LogicalItem ada;
inline void show(const db::Result<db::LogicalItem>& /*user*/) {}

inline void send_to_other_service(const std::string& /*cursor*/) {}

inline void set_up() {
  std::filesystem::create_directory("models");
  std::filesystem::copy(dolmen::docs::root / "tests/models/user.yml", "models/user.yml");
  db::create_key_file("keys", "k1").value();
  models = db::load_models("models/user.yml").value();
  user = *models.find("User");
  keys = db::open_key_file("keys").value();
  store = db::open("memory:").value();
  auto table = db::ModelTable::open(*store, user, {.keys = keys.get()}).value();
  table.ensure_table().value();
  db::LogicalItem third = old;
  third.emplace("version", 3);
  table.put(third).value();
}

}  // namespace given
