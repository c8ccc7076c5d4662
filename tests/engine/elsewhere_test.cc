#include "service/elsewhere.h"

#include <deque>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/test_result.h"
#include "engine/read_many.h"
#include "test_engine.h"

/// What may take long does not stay on the thread that asks for it.
namespace dolmen::engine {
namespace {

using testing::HasSubstr;

/// Keeps tasks until it is told to run them.
class Elsewheres {
 public:
  Elsewhere place = [this](std::move_only_function<void()> task) {
    if (refuses) return false;
    tasks.push_back(std::move(task));
    return true;
  };
  std::deque<std::move_only_function<void()>> tasks;
  bool refuses = false;

  void run_next() {
    auto task = std::move(tasks.front());
    tasks.pop_front();
    task();
  }
};

std::string many_contains(int count) {
  std::string text = "contains(t, :v)";
  for (int i = 1; i < count; ++i) text += " OR contains(t, :v)";
  return text;
}

class LongWork : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_THAT(create_table(*service_, {.name = "notes", .partition_key = {"id", KeyType::kNumber}}), succeeds());
    for (int i = 0; i < 20; ++i)
      ASSERT_THAT(call(*service_, put("notes", {{"id", i}, {"t", std::string(20'000, 'a')}})), succeeds());
  }

  /// The answer, or nothing until it has come.
  template <class Op>
  std::shared_ptr<std::optional<Result<typename Op::Response>>> start(typename Op::Request request) {
    auto answer = std::make_shared<std::optional<Result<typename Op::Response>>>();
    request.elsewhere = &elsewhere_.place;
    service_->start(Op{}, std::move(request),
                    [answer](Result<typename Op::Response> got) { *answer = std::move(got); });
    return answer;
  }

  Elsewheres elsewhere_;
  std::unique_ptr<Service> service_ = open_engine();
};

TEST_F(LongWork, of_a_page_goes_on_elsewhere_and_the_page_is_that_of_one_moment) {
  const std::vector<Item> expected = items_of(call(*service_, ReadManyRequest{.table = "notes"}));
  const auto answer = start<Scan>({.table = "notes"});
  ASSERT_FALSE(*answer);
  // What is written between the two parts is not in the page.
  for (int i = 100; i < 120; ++i) ASSERT_THAT(call(*service_, put("notes", {{"id", i}})), succeeds());
  elsewhere_.run_next();
  EXPECT_EQ(items_of(answer->value()), expected);
}

TEST_F(LongWork, is_not_what_a_short_page_is) {
  ReadManyRequest few{.table = "notes", .limit = 3};
  EXPECT_EQ(start<Scan>(few)->value().value().count, 3U);
  EXPECT_EQ(elsewhere_.tasks.size(), 0U);
}

TEST_F(LongWork, of_a_filter_with_many_parts_begins_elsewhere) {
  ReadManyRequest request{
      .table = "notes", .filter = Expression{many_contains(20)}, .placeholders = {.values = {{":v", "b"}}}, .limit = 1};
  const auto answer = start<Scan>(request);
  ASSERT_FALSE(*answer);
  elsewhere_.run_next();
  EXPECT_EQ(answer->value().value().scanned_count, 1U);
}

TEST_F(LongWork, of_many_items_is_done_elsewhere) {
  BatchGetRequest batch{.tables = {{.table = "notes"}}};
  TransactGetRequest together;
  for (int i = 0; i < 5; ++i) {
    batch.tables[0].keys.push_back(encode_item({{"id", i}}));
    together.gets.push_back({.table = "notes", .key = encode_item({{"id", i}})});
  }
  const auto gets = start<BatchGetItem>(batch);
  const auto reads = start<TransactGetItems>(together);
  const auto selected = start<ExecuteStatement>({.statement = {.text = "SELECT * FROM notes"}});
  ASSERT_FALSE(*gets || *reads || *selected);
  while (!elsewhere_.tasks.empty()) elsewhere_.run_next();
  EXPECT_EQ(gets->value().value().items[0].size(), 5U);
  EXPECT_EQ(reads->value().value().items.size(), 5U);
  EXPECT_EQ(selected->value().value().items.size(), 20U);
  EXPECT_EQ(start<ExecuteStatement>({.statement = {.text = "SELECT * FROM notes WHERE id = 1"}})->value()->items.size(),
            1U);
}

TEST_F(LongWork, of_a_condition_holds_the_lock_until_it_is_done) {
  WriteRequest first = put("notes", {{"id", 1}, {"by", "first"}});
  first.condition = Expression{"NOT (" + many_contains(20) + ")"};
  first.placeholders.values = {{":v", "b"}};
  const auto long_write = start<PutItem>(first);
  ASSERT_FALSE(*long_write);
  const auto second = start<PutItem>(put("notes", {{"id", 1}, {"by", "second"}}));
  EXPECT_FALSE(*second);
  elsewhere_.run_next();
  EXPECT_THAT(long_write->value(), succeeds());
  EXPECT_THAT(second->value(), succeeds());
  EXPECT_EQ(item_at(*service_, "notes", {{"id", 1}}).at("by"), AttributeValue("second"));
}

TEST_F(LongWork, is_refused_when_too_much_waits_and_leaves_no_lock) {
  elsewhere_.refuses = true;
  EXPECT_THAT(start<Scan>({.table = "notes"})->value(), fails_with(Code::kThrottled));
  WriteRequest write = put("notes", {{"id", 1}});
  write.condition = Expression{many_contains(20)};
  write.placeholders.values = {{":v", "a"}};
  EXPECT_THAT(start<PutItem>(write)->value(), fails_with(Code::kThrottled));
  EXPECT_THAT(call(*service_, put("notes", {{"id", 1}})), succeeds());
}

TEST_F(LongWork, of_the_conditions_of_a_transaction_has_a_limit) {
  TransactWriteRequest request;
  for (int i = 0; i < 20; ++i) {
    ASSERT_THAT(call(*service_, put("notes", {{"id", i}, {"t", std::string(390'000, 'a')}})), succeeds());
    WriteRequest check{.kind = WriteKind::kCheck, .table = "notes", .item = encode_item({{"id", i}})};
    check.condition = Expression{"NOT (" + many_contains(100) + ")"};
    check.placeholders.values = {{":v", "b"}};
    request.writes.push_back(std::move(check));
  }
  const auto refused = call<TransactWriteItems>(*service_, request);
  ASSERT_THAT(refused, fails_with(Code::kValidation));
  EXPECT_THAT(std::string(refused.error().message()), HasSubstr("search through too much data"));
  request.writes.resize(2);
  EXPECT_THAT(call<TransactWriteItems>(*service_, request), succeeds());
}

TEST_F(LongWork, of_the_filters_of_a_statement_ends_its_page) {
  std::string text = "SELECT id FROM notes WHERE (id = 0";
  for (int i = 1; i < 20; ++i) text += " OR id = " + std::to_string(i);
  text += ") AND (contains(t, 'b')";
  for (int i = 1; i < 100; ++i) text += " OR contains(t, 'b')";
  for (int i = 0; i < 20; ++i)
    ASSERT_THAT(call(*service_, put("notes", {{"id", i}, {"t", std::string(390'000, 'a')}})), succeeds());
  ExecuteStatementRequest request{.statement = {.text = text + ")"}};
  const auto page = call<ExecuteStatement>(*service_, request);
  ASSERT_THAT(page, succeeds());
  EXPECT_TRUE(page->next_token);
}

}  // namespace
}  // namespace dolmen::engine
