#pragma once

// What the tests of documents on a store share.

#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <iterator>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "base/test_directory.h"
#include "dolmen/documents.h"
#include "embedded/embedded.h"
#include "schema/test_schemas.h"
#include "service/service.h"
#include "tests/support/test_store.h"

namespace dolmen::test {

inline const SchemaRef kUsers1{"users", "v1"};
inline const SchemaRef kUsers2{"users", "v2"};

/// Users with an age that may be missing.
inline std::string users_schema(std::string_view version = "v1") {
  return schema_text("users", version,
                     R"(,"name":{"type":"string","required":true},"age":{"type":"int","required":false},
                        "score":{"type":"float","required":false},"active":{"type":"bool","required":false},
                        "home":{"type":"object","required":false,"fields":{"city":{"type":"string","required":true}}})");
}

inline std::string user(const std::string& id, const std::string& name, int age) {
  return R"({"_id":")" + id + R"(","name":")" + name + R"(","age":)" + std::to_string(age) + "}";
}

/// A store of its own (tests/support/test_store.h), with users v1 published.
class UserDocuments {
 public:
  UserDocuments() : store_(test_store()), documents_(open()) { documents_.publish(users_schema()).value(); }

  Documents& operator*() { return documents_; }
  Documents* operator->() { return &documents_; }
  Store& store() { return *store_; }

 private:
  Documents open() { return Documents::open(*store_).value(); }

  std::unique_ptr<Store> store_;
  Documents documents_;
};

/// A directory for one test, and stores that are opened in it one after the other.
class OnDisk : public testing::Test {
 protected:
  ~OnDisk() override { close(); }

  [[nodiscard]] std::filesystem::path data() const { return folder_ / "data"; }

  /// Empty when it worked, else the error's message.
  std::string try_open() {
    close();
    report_ = {};
    auto store = open_embedded_store({.directory = data()}, {.report = &report_});
    if (!store) return store.error().message();
    store_ = std::move(*store);
    auto documents = Documents::open(*store_);
    if (!documents) {
      store_.reset();
      return documents.error().message();
    }
    documents_ = std::make_unique<Documents>(std::move(*documents));
    return {};
  }

  Documents& open() {
    const std::string refusal = try_open();
    if (!refusal.empty()) throw std::runtime_error(refusal);
    return *documents_;
  }

  void close() {
    documents_.reset();
    store_.reset();
  }

  /// Every file below the data directory with its content.
  [[nodiscard]] std::map<std::string, std::string> picture() const {
    std::map<std::string, std::string> all;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(data())) {
      std::ifstream file(entry.path(), std::ios::binary);
      all[entry.path()] =
          entry.is_regular_file() ? std::string{std::istreambuf_iterator<char>(file), {}} : "a directory";
    }
    return all;
  }

  /// A copy of the data directory as it is now, which is what a crash would leave.
  void copy_to(const std::filesystem::path& to) const {
    std::filesystem::copy(data(), to, std::filesystem::copy_options::recursive);
  }

  TemporaryDirectory folder_;
  RecoveryReport report_;
  std::unique_ptr<Store> store_;
  std::unique_ptr<Documents> documents_;
};

/// "path rule" of every violation of a refused write.
inline std::vector<std::string> violations_of(const Error& error) {
  std::vector<std::string> all;
  for (const ErrorDetail& detail : error.details()) all.push_back(detail.path + " " + detail.rule);
  return all;
}

}  // namespace dolmen::test
