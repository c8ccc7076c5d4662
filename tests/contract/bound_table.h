#pragma once

// A table that the tests of contracts bind.

#include <filesystem>
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <iterator>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "base/test_directory.h"
#include "base/test_result.h"
#include "contract/contracts.h"
#include "embedded/embedded.h"
#include "tests/service/test_calls.h"
#include "value/encoded_item.h"

namespace dolmen::contract {

inline constexpr const char* kNotes = R"(dms_version: "0.1"
models:
  - name: "Note"
    table: { name: "notes" }
    keys: { partition: { attribute: "pk", type: "S" } }
    attributes:
      - { attribute: "pk", type: "S", required: true, roles: ["pk"] }
      - { attribute: "text", type: "S", required: true }
      - { attribute: "stars", type: "N", format: "int" }
      - { attribute: "secret", type: "S", encryption: {} }
      - { attribute: "version", type: "N", format: "int", roles: ["version"] }
  - name: "Tag"
    table: { name: "notes" }
    keys: { partition: { attribute: "pk", type: "S" } }
    attributes:
      - { attribute: "pk", type: "S", required: true, roles: ["pk"] }
      - { attribute: "colour", type: "S", required: true }
)";

inline constexpr const char* kUsers = R"({"schema_id":"users","schema_version":"v1","fields":{
  "_id":{"type":"string","required":true},"age":{"type":"int","required":false}}})";

inline Definition notes() {
  return {.models = {{"notes.yml", kNotes}}, .schemas = {}, .discriminator = {}, .kinds = {Kind{.model = "Note"}}};
}

class BoundTable : public ::testing::Test {
 protected:
  BoundTable() {
    open();
    EXPECT_TRUE(create_table(store_->service(), {.name = "notes", .partition_key = {"pk", KeyType::kString}}));
  }
  ~BoundTable() override { store_.reset(); }

  void open() {
    store_.reset();
    const Warn warn = [this](std::string line) {
      const std::scoped_lock lock(warnings_mutex_);
      warnings_.push_back(std::move(line));
    };
    store_ = open_embedded_store({.directory = folder_ / "data"}, {.warn = warn}).value();
    contracts_ = std::make_unique<Contracts>(*store_, warn);
  }

  Result<StoredItems> bind(Mode mode = Mode::kEnforce, Definition definition = notes(), std::string version = "v1") {
    return contracts_->bind({.table = "notes",
                             .version = std::move(version),
                             .mode = mode,
                             .definition = std::move(definition),
                             .accept_violations = accept_});
  }

  static WriteRequest put_of(const Item& item) {
    return {.kind = WriteKind::kPut, .table = "notes", .item = encode_item(item)};
  }
  static WriteRequest update_of(std::string text, Item values) {
    return {.kind = WriteKind::kUpdate,
            .table = "notes",
            .item = encode_item({{"pk", "a"}}),
            .update = Expression{std::move(text)},
            .placeholders = {.values = std::move(values)}};
  }

  /// Empty when the item is written, else the message; the code must be kValidation.
  std::string put(const Item& item) { return message(call(store_->service(), put_of(item))); }
  std::string update(std::string text, Item values) {
    return message(call(store_->service(), update_of(std::move(text), std::move(values))));
  }
  template <class Response>
  static std::string message(const Result<Response>& result) {
    if (result) return "";
    EXPECT_THAT(result, fails_with(Code::kValidation));
    return result.error().message();
  }
  bool exists(const std::string& key) {
    return call(store_->service(), GetItemRequest{.table = "notes", .key = encode_item({{"pk", key}})})
        .value()
        .item.has_value();
  }

  /// Every file below the data directory with its content.
  [[nodiscard]] std::map<std::string, std::string> picture() const {
    std::map<std::string, std::string> all;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder_ / "data")) {
      std::ifstream file(entry.path(), std::ios::binary);
      if (entry.is_regular_file()) all[entry.path()] = std::string{std::istreambuf_iterator<char>(file), {}};
    }
    return all;
  }

  const TemporaryDirectory folder_;
  std::mutex warnings_mutex_;  ///< Guards the next one.
  /// What the operator has heard.
  std::vector<std::string> warnings_;
  std::unique_ptr<Store> store_;
  std::unique_ptr<Contracts> contracts_;
  bool accept_ = false;
};

}  // namespace dolmen::contract
