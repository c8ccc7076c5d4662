// The operations of a run that write items or read them by their keys.
#include <algorithm>
#include <set>

#include "compare.h"
#include "run.h"
#include "service/failures.h"
#include "tests/service/test_calls.h"

namespace dolmen::torture {
namespace {

std::string answer_text(const WriteAnswer& answer) {
  return (answer.error ? shown(*answer.error) + " with " : "") + shown(answer.item);
}

std::string answer_text(const Result<WriteResponse>& answer) {
  if (answer) return shown(answer->attributes);
  const auto* failure = answer.error().payload<ConditionFailure>();
  return shown(answer.error()) + " with " + shown(failure == nullptr ? std::nullopt : failure->item);
}

std::string described(const std::vector<Write>& writes) {
  std::string text;
  for (const Write& write : writes) text += "\n  " + text_of(write);
  return text;
}

/// How many tokens are remembered to be sent again.
constexpr std::size_t kRecentTokens = 16;

}  // namespace

void Run::write() {
  const Write write = generator_.write(generator_.table_name());
  const WriteAnswer expected = model_.write(write);
  expect_same([&] { return text_of(write); }, answer_text(expected),
              answer_text(call(store_->service(), request_of(write))));
}

void Run::get() {
  const Get get = generator_.get(generator_.table_name());
  const WriteAnswer expected = model_.get(get);
  const auto found = call(store_->service(), request_of(get));
  expect_same([&] { return fmt::format("get {} from {}", json::to_text(get.key), get.table); },
              expected.error ? shown(*expected.error) : shown(expected.item),
              found ? shown(found->item) : shown(found.error()));
}

void Run::batch_get() {
  BatchGetRequest request;
  std::optional<Code> expected_error;
  std::vector<std::vector<Item>> expected;
  std::vector<std::string> names;
  for (std::size_t n = 1 + random_.below(3); n > 0; --n) {
    const std::string name = generator_.table_name();
    if (std::ranges::count(names, name) == 0) names.push_back(name);
  }
  bool all_there = true;
  for (const std::string& name : names) all_there = all_there && model_.tables.contains(name);
  for (const std::string& name : names) {
    const Get shape = generator_.get(name);
    BatchGetTable part{.table = name};
    std::vector<Item> keys;
    auto& items = expected.emplace_back();
    for (std::size_t n = 1 + random_.below(12); n > 0; --n) {
      const Item key = generator_.key(name);
      const bool repeated = std::ranges::count(keys, key) > 0;
      if (repeated && random_.chance(98)) continue;
      if (repeated) expected_error = Code::kValidation;
      keys.push_back(key);
      part.keys.push_back(encode_item(key));
      const WriteAnswer one = model_.get({name, key, shape.projection});
      if (one.item) items.push_back(*one.item);
    }
    const GetItemRequest worded = request_of(shape);
    part.projection = worded.projection;
    part.placeholders = worded.placeholders;
    request.tables.push_back(std::move(part));
  }
  // A key given twice is found before a missing table.
  if (!all_there && !expected_error) expected_error = Code::kTableNotFound;
  const auto found = call(store_->service(), request);
  if (expected_error || !found)
    return expect_same("batch get", expected_error ? shown(*expected_error) : "success",
                       found ? "success" : shown(found.error()));
  for (std::size_t i = 0; i < names.size(); ++i)
    expect_same("batch get from " + names[i], shown(expected[i]), shown(found->items[i]));
}

void Run::batch_write() {
  std::vector<Write> writes;
  const std::string first = generator_.table_name();
  const std::string second = generator_.table_name();
  for (std::size_t n = 1 + random_.below(20); n > 0; --n)
    writes.push_back(generator_.plain_write(random_.chance(70) ? first : second));
  if (random_.chance(80)) {
    // Without this most large batches would name an item twice and be refused.
    std::vector<Write> distinct;
    std::set<std::string> seen;
    for (Write& write : writes) {
      const auto table = model_.tables.find(write.table);
      const std::string identity = table == model_.tables.end() ? "" : table->second.identity(write.item);
      if (seen.insert(write.table + "/" + identity).second) distinct.push_back(std::move(write));
    }
    writes = std::move(distinct);
  }
  const std::optional<Code> expected = model_.batch_write(writes);
  BatchWriteRequest request;
  for (const Write& write : writes) request.writes.push_back(request_of(write));
  const auto found = call(store_->service(), std::move(request));
  expect_same([&] { return "batch write" + described(writes); }, expected ? shown(*expected) : "success",
              found ? "success" : shown(found.error()));
}

void Run::transact_write() {
  Sent sent;
  std::optional<std::string> token;
  if (!sent_.empty() && random_.chance(12)) {
    sent = random_.pick(std::vector<Sent>(sent_.begin(), sent_.end()));
    token = sent.token;
    if (random_.chance(30)) sent.writes.push_back(generator_.transact_action(generator_.table_name()));
  } else {
    for (std::size_t n = 1 + random_.below(random_.chance(80) ? 4 : 12); n > 0; --n)
      sent.writes.push_back(generator_.transact_action(generator_.table_name()));
    if (random_.chance(40)) token = sent.token = "token-" + std::to_string(++tokens_);
    if (token) sent_.push_back(sent);
    if (sent_.size() > kRecentTokens) sent_.pop_front();
  }
  const TransactAnswer expected = model_.transact_write(sent.writes, token);
  TransactWriteRequest request{.client_token = token};
  for (const Write& write : sent.writes) request.writes.push_back(request_of(write));
  const auto found = call(store_->service(), std::move(request));
  expect_same([&] { return fmt::format("transaction {}{}", token.value_or(""), described(sent.writes)); },
              expected.error ? shown(*expected.error) : "success", found ? "success" : shown(found.error()));
  if (expected.error == Code::kTransactionCanceled && !found) expect_cancellation(sent.writes, expected, found.error());
}

void Run::expect_cancellation(const std::vector<Write>& writes, const TransactAnswer& expected, const Error& found) {
  std::string expected_text;
  std::string found_text;
  for (const auto& [code, item] : expected.reasons) expected_text += fmt::format("\n  {} {}", code, shown(item));
  if (const auto* cancellation = found.payload<Cancellation>())
    for (const CancellationReason& reason : cancellation->reasons)
      found_text += fmt::format("\n  {} {}", reason.code, shown(reason.item));
  expect_same([&] { return "the reasons of a transaction" + described(writes); }, expected_text, found_text);
}

void Run::transact_get() {
  TransactGetRequest request;
  std::vector<Get> gets;
  std::optional<Code> expected_error;
  std::vector<std::optional<Item>> expected;
  for (std::size_t n = 1 + random_.below(8); n > 0; --n) {
    const Get get = generator_.get(generator_.table_name());
    const bool repeated =
        std::ranges::any_of(gets, [&](const Get& g) { return g.table == get.table && g.key == get.key; });
    if (repeated && random_.chance(90)) continue;
    const WriteAnswer answer = model_.get(get);
    if (!expected_error) expected_error = repeated ? Code::kValidation : answer.error;
    if (repeated && answer.error) expected_error = answer.error;
    // An item of which the projection finds nothing is left out.
    expected.push_back(answer.item && answer.item->empty() ? std::nullopt : answer.item);
    request.gets.push_back(request_of(get));
    gets.push_back(get);
  }
  const auto found = call(store_->service(), request);
  if (expected_error || !found)
    return expect_same("transact get", expected_error ? shown(*expected_error) : "success",
                       found ? "success" : shown(found.error()));
  expect_same("transact get", shown(expected), shown(found->items));
}

}  // namespace dolmen::torture
