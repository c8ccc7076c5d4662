#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <memory>

#include "base/test_result.h"
#include "dolmen/relation/relations.h"
#include "tests/support/test_store.h"

namespace dolmen {

/// A relational store in memory with accounts, users, folders, jobs and groups, and a clock that tests set.
class CompanyTest : public testing::Test {
 protected:
  void SetUp() override {
    store_ = make_store();
    graph_ = std::make_unique<Relations>(Relations::open(*store_, "system", types(), options()).value());
  }

  virtual std::unique_ptr<Store> make_store() { return test_store(); }

  static ResourceTypes types() {
    ResourceTypes types;
    types.add({.name = "System", .account = AccountScope::kNone}).value();
    types
        .add({.name = "System.Account",
              .account = AccountScope::kSelf,
              .parents = {"System"},
              .unique = {{.key = "name", .normaliser = Normaliser::kCaseFold}}})
        .value();
    types.add({.name = "System.User", .unique = {{.key = "email"}, {.key = "badge"}}}).value();
    types.add({.name = "System.Account.Folder", .account = AccountScope::kRequired}).value();
    types
        .add({.name = "System.Account.Job",
              .account = AccountScope::kRequired,
              .unique = {{.key = "code", .per_account = true}}})
        .value();
    types.add({.name = "System.Group"}).value();
    return types;
  }

  RelationsOptions options() {
    RelationsOptions options;
    options.now = [this] { return TimePoint(std::chrono::seconds(seconds_) + std::chrono::nanoseconds(123'456'789)); };
    options.sleep = [](std::chrono::milliseconds) {};
    return options;
  }

  Resource make(const std::string& type, const std::optional<std::string>& parent = std::nullopt) {
    const Result<Resource> made = graph_->create({.type = type, .parent = parent});
    EXPECT_THAT(made, succeeds());
    return made.value_or(Resource{});
  }

  /// The record with that key, as it is stored.
  std::optional<Item> record(const std::string& partition, const std::string& sort) {
    return store_->get_item("system", {{"PK", partition}, {"SK", sort}}).value().item;
  }
  Item row(const std::string& urn) { return record("Resource#" + urn, "Resource#" + urn).value_or(Item{}); }
  std::size_t records() { return store_->scan("system").all().value().size(); }

  std::int64_t seconds_ = 1'762'078'530;  // 2025-11-02T10:15:30Z
  std::unique_ptr<Store> store_;
  std::unique_ptr<Relations> graph_;
};

}  // namespace dolmen
