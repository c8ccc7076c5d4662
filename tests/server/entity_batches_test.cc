// Batches of entities against a real server that takes only a part of each, behind a proxy that holds the rest back.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/test_result.h"
#include "dolmen/dolmen.h"
#include "dolmen/entity/client.h"
#include "entity/test_configs.h"
#include "http_client/http_client.h"
#include "server/server.h"
#include "tests/http_client/test_server.h"

namespace dolmen {
namespace {

using testing::Each;
using testing::IsEmpty;
using testing::Lt;
using testing::UnorderedElementsAreArray;

const std::string kTable = "entities";

std::string joined(const std::vector<std::string>& texts) { return fmt::format("[{}]", fmt::join(texts, ",")); }

/// The objects in the first list of a JSON text, as they stand there.
std::vector<std::string> objects_of(std::string_view json) {
  std::vector<std::string> objects;
  int depth = 0;
  bool quoted = false;
  for (std::size_t i = json.find('['), begin = 0; i < json.size(); ++i) {
    if (quoted && json[i] == '\\') ++i;
    if (json[i] == '"') quoted = !quoted;
    if (quoted) continue;
    if (json[i] == '{' && depth++ == 0) begin = i;
    if (json[i] == '}' && --depth == 0) objects.emplace_back(json.substr(begin, i - begin + 1));
    if (json[i] == ']' && depth == 0) break;
  }
  return objects;
}

class BusyServer : public testing::Test {
 protected:
  void SetUp() override { ASSERT_THAT(direct_.ensure_table(), succeeds()); }

  static std::string url_of(const Server& server) { return fmt::format("http://127.0.0.1:{}", server.port()); }
  static EntityManager entities() {
    return EntityManager::make(users_and_emails(), {.now = [] { return TimePoint(std::chrono::milliseconds(3000)); }})
        .value();
  }

  std::string ask_server(const TestServer::Received& received, std::string body) {
    http::Request request{.url = url_of(*server_), .body = std::move(body)};
    for (const char* name : {"content-type", "x-amz-target"}) request.headers.push_back({name, received.header(name)});
    const http::Outcome outcome = client_.send_and_wait(std::move(request));
    EXPECT_TRUE(outcome && outcome->status == 200) << (outcome ? outcome->body : "no answer");
    return outcome ? outcome->body : "";
  }

  TestServer::Reply pass_on(const TestServer::Received& received) {
    const bool reads = received.header("x-amz-target").ends_with(".BatchGetItem");
    if (!reads && !received.header("x-amz-target").ends_with(".BatchWriteItem"))
      return {TestServer::response(200, ask_server(received, received.body))};
    std::vector<std::string> taken = objects_of(received.body);
    sizes_.push_back(taken.size());
    const auto middle = taken.begin() + static_cast<std::ptrdiff_t>(std::min(taken_, taken.size()));
    const std::vector<std::string> left(middle, taken.end());
    taken.erase(middle, taken.end());

    const auto of_table = [&](const std::vector<std::string>& entries) {
      if (entries.empty()) return std::string("{}");
      const std::string list = reads ? fmt::format(R"({{"Keys":{}}})", joined(entries)) : joined(entries);
      return fmt::format(R"({{"{}":{}}})", kTable, list);
    };
    std::string answer = reads ? R"({"Responses":{},"UnprocessedKeys":{}})" : R"({"UnprocessedItems":{}})";
    if (!taken.empty()) answer = ask_server(received, fmt::format(R"({{"RequestItems":{}}})", of_table(taken)));
    const std::string nothing_left = reads ? R"("UnprocessedKeys":{})" : R"("UnprocessedItems":{})";
    const std::size_t at = answer.find(nothing_left);
    EXPECT_NE(at, std::string::npos) << answer;
    if (at != std::string::npos) answer.replace(at + nothing_left.size() - 2, 2, of_table(left));
    return {TestServer::response(200, answer)};
  }

  static std::vector<Item> users(int count) {
    std::vector<Item> items;
    for (int i = 0; i < count; ++i)
      items.push_back({{"userId", "u" + std::to_string(i)}, {"created", 900 + 100 * i}, {"lastName", "Lovelace"}});
    return items;
  }

  [[nodiscard]] std::vector<Item> stored() {
    std::vector<Item> items;
    for (const auto& item : direct_store_->scan(kTable)) items.push_back(item.value());
    // The row with the config is not an entity.
    std::erase_if(items, [](const Item& item) { return item.contains("dolmen:config"); });
    return items;
  }

  std::unique_ptr<Server> server_ =
      Server::start({.store = {.durability = Durability::kMemory}, .http = {.port = 0}}).value();
  std::unique_ptr<Store> direct_store_ = open(url_of(*server_)).value();
  EntityClient direct_{entities(), *direct_store_, kTable};
  http::Client client_;
  /// How many entries of a batch are carried out.
  std::size_t taken_ = 3;
  /// How many entries each batch had.
  std::vector<std::size_t> sizes_;
  TestServer proxy_{[this](const TestServer::Received& received) { return pass_on(received); }};
  std::unique_ptr<Store> store_ = open_remote({.endpoint = proxy_.url()}).value();
  EntityClient busy_{entities(), *store_, kTable};
  BatchRetry retry_{.attempts_max = 4, .sleep = [](std::chrono::milliseconds) {}};
};

TEST_F(BusyServer, gets_again_what_it_left_of_a_batch_of_puts_as_it_was) {
  const std::vector<Item> items = users(31);
  const EntityWriteResult written = busy_.put_all("user", items, retry_);
  EXPECT_TRUE(written.complete());
  EXPECT_EQ(written.done, items.size());
  EXPECT_THAT(stored(), UnorderedElementsAreArray(entities().add_keys("user", items, true).value()));
  EXPECT_THAT(sizes_, Each(Lt(26U)));
  EXPECT_EQ(sizes_.size(), 11U);
}

TEST_F(BusyServer, gets_again_what_it_left_of_a_batch_of_deletes) {
  const std::vector<Item> items = users(31);
  ASSERT_TRUE(direct_.put_all("user", items).complete());
  const EntityWriteResult removed = busy_.remove_all("user", items, retry_);
  EXPECT_TRUE(removed.complete());
  EXPECT_EQ(removed.done, items.size());
  EXPECT_THAT(stored(), IsEmpty());
}

TEST_F(BusyServer, is_asked_again_for_the_keys_that_it_left) {
  const std::vector<Item> items = users(120);
  ASSERT_TRUE(direct_.put_all("user", items).complete());
  const EntityGetResult read = busy_.get_all("user", items, retry_);
  EXPECT_TRUE(read.complete());
  EXPECT_THAT(read.items, UnorderedElementsAreArray(entities().add_keys("user", items, true).value()));
  EXPECT_EQ(sizes_.size(), 34U + 7U) << "for 100 keys and for 20";
}

TEST_F(BusyServer, is_given_up_when_it_takes_nothing_and_what_is_left_is_as_it_was_given) {
  const std::vector<Item> items = users(30);
  ASSERT_TRUE(direct_.put_all("user", items).complete());
  taken_ = 0;
  const EntityWriteResult written = busy_.put_all("user", items, retry_);
  EXPECT_FALSE(written.complete());
  EXPECT_EQ(written.done, 0U);
  EXPECT_EQ(written.not_done, items);
  EXPECT_EQ(sizes_.size(), 4U);
  EXPECT_EQ(busy_.remove_all("user", items, retry_).not_done, items);
  EXPECT_EQ(busy_.get_all("user", items, retry_).not_done, items.size());
}

}  // namespace
}  // namespace dolmen
