// BatchGetItem and BatchWriteItem.
#include <algorithm>
#include <utility>

#include "base/check.h"
#include "base/fail.h"
#include "base/limits.h"
#include "service/request_rules.h"
#include "value/json.h"
#include "value/json_reader.h"
#include "wire/expression_parameters.h"
#include "wire/generated_expression.h"
#include "wire/operation.h"
#include "wire/response_json.h"

namespace dolmen::wire {
namespace {

/// The two forms of a projection exclude each other, even between tables.
Result<void> check_one_form(const std::vector<std::pair<std::string_view, json::Element>>& tables) {
  bool legacy = false;
  bool expressions = false;
  for (const auto& [table, element] : tables) {
    legacy |= Parameters(element).has("AttributesToGet");
    expressions |= Parameters(element).has("ProjectionExpression");
  }
  if (legacy && expressions) return mixed_forms({"AttributesToGet"}, {"ProjectionExpression"});
  return {};
}

Result<BatchGetTable> read_gets(std::string_view table, json::Element element, const Backend& backend) {
  const Parameters parameters(element);
  DOLMEN_TRY_VOID(check_forms(parameters, {{"ProjectionExpression"}, {"AttributesToGet"}}));
  BatchGetTable gets{.consistent_read = parameters.boolean("ConsistentRead", false)};
  DOLMEN_TRY(gets.table, table_name_of(table, backend.account));
  DOLMEN_TRY(gets.projection, read_projection(parameters, gets.placeholders));
  for (const json::Element key : json::array_of(*parameters.find("Keys"))) {
    DOLMEN_TRY(EncodedItem encoded_key, json::encode_item(json::object_of(key)));
    gets.keys.push_back(std::move(encoded_key));
  }
  DOLMEN_TRY_VOID(check_keys(gets.keys));
  return gets;
}

/// The part of the request that was not carried out, for the caller to send again.
Result<void> append_unprocessed(std::string& out, const BatchGetTable& gets,
                                const std::vector<std::size_t>& positions) {
  ObjectWriter object(out);
  std::string& keys = object.member("Keys");
  Result<void> written;
  append_array(keys, positions, [&](std::size_t position) {
    if (written) written = json::append_item(keys, gets.keys[position].bytes);
  });
  DOLMEN_TRY_VOID(written);
  if (gets.consistent_read) object.member("ConsistentRead").append("true");
  if (gets.projection && gets.projection->generated) {
    std::string& attributes = object.member("AttributesToGet");
    append_array(attributes, gets.placeholders.names,
                 [&](const auto& name) { json::append_string(attributes, name.second); });
  } else if (gets.projection) {
    json::append_string(object.member("ProjectionExpression"), gets.projection->text);
    if (!gets.placeholders.names.empty()) {
      ObjectWriter names(object.member("ExpressionAttributeNames"));
      for (const auto& [placeholder, name] : gets.placeholders.names)
        json::append_string(names.member(placeholder), name);
      names.end();
    }
  }
  object.end();
  return {};
}

Result<std::string> get_body(const BatchGetRequest& request, const std::vector<std::string>& names,
                             const BatchGetResponse& response) {
  std::string body;
  ObjectWriter object(body);
  ObjectWriter responses(object.member("Responses"));
  for (std::size_t i = 0; i < names.size(); ++i)
    DOLMEN_TRY_VOID(append_items_member(responses, names[i], response.items[i]));
  responses.end();
  ObjectWriter unprocessed(object.member("UnprocessedKeys"));
  for (std::size_t i = 0; i < names.size(); ++i)
    if (!response.unprocessed[i].empty())
      DOLMEN_TRY_VOID(append_unprocessed(unprocessed.member(names[i]), request.tables[i], response.unprocessed[i]));
  unprocessed.end();
  append_capacities_member(object, response.capacity, request.return_capacity);
  object.end();
  return body;
}

Result<WriteRequest> read_write(const std::string& table, json::Element element) {
  const Parameters parameters(element);
  const std::optional<Parameters> put = parameters.structure("PutRequest");
  const std::optional<Parameters> remove = parameters.structure("DeleteRequest");
  if (put.has_value() == remove.has_value())
    return fail(
        Code::kValidation,
        "Supplied AttributeValue has more than one datatypes set, must contain exactly one of the supported datatypes");
  WriteRequest write{.kind = put ? WriteKind::kPut : WriteKind::kDelete, .table = table};
  DOLMEN_TRY_VOID(read_written_item(put ? *put : *remove, write));
  return write;
}

/// A write as it was sent, in case that it has to be sent again.
struct SentWrite {
  std::string table;
  WriteKind kind;
  EncodedItem item;
};

struct SentBatch {
  ReturnCapacity return_capacity;
  /// Grouped by table. None where no write is ever left out.
  std::vector<SentWrite> writes;
};

/// The writes that were not carried out, by table, for the caller to send again.
Result<void> append_unprocessed(std::string& out, const std::vector<SentWrite>& writes,
                                const std::vector<std::size_t>& positions) {
  ObjectWriter tables(out);
  for (std::size_t i = 0; i < positions.size();) {
    const std::string& table = writes[positions[i]].table;
    std::string& list = tables.member(table);
    list.push_back('[');
    for (bool first = true; i < positions.size() && writes[positions[i]].table == table; ++i) {
      if (!std::exchange(first, false)) list.push_back(',');
      const SentWrite& write = writes[positions[i]];
      ObjectWriter request(list);
      ObjectWriter content(request.member(write.kind == WriteKind::kPut ? "PutRequest" : "DeleteRequest"));
      DOLMEN_TRY_VOID(
          json::append_item(content.member(write.kind == WriteKind::kPut ? "Item" : "Key"), write.item.bytes));
      content.end();
      request.end();
    }
    list.push_back(']');
  }
  tables.end();
  return {};
}

Result<std::string> write_body(const SentBatch& asked, BatchWriteResponse& response) {
  DOLMEN_CHECK(response.unprocessed.empty() || !asked.writes.empty(), "what may be left out is kept");
  std::string body;
  ObjectWriter object(body);
  DOLMEN_TRY_VOID(append_unprocessed(object.member("UnprocessedItems"), asked.writes, response.unprocessed));
  if (!response.collection_metrics.empty()) {
    ObjectWriter tables(object.member("ItemCollectionMetrics"));
    for (std::size_t i = 0; i < response.collection_metrics.size();) {
      const std::string table = response.collection_metrics[i].first;
      std::string& out = tables.member(table);
      out.push_back('[');
      for (bool first = true; i < response.collection_metrics.size() && response.collection_metrics[i].first == table;
           ++i) {
        if (!std::exchange(first, false)) out.push_back(',');
        DOLMEN_TRY_VOID(append_collection_metrics(out, response.collection_metrics[i].second));
      }
      out.push_back(']');
    }
    tables.end();
  }
  append_capacities_member(object, response.capacity, asked.return_capacity);
  object.end();
  return body;
}

Result<void> batch_get_item(const Parameters& parameters, const Backend& backend, Done<std::string>& done) {
  BatchGetRequest request{
      .return_capacity = read_return_capacity(parameters), .trace = backend.trace, .elsewhere = backend.elsewhere};
  std::vector<std::string> names;
  std::size_t keys = 0;
  const auto tables = members_of(json::object_of(*parameters.find("RequestItems")));
  DOLMEN_TRY_VOID(check_one_form(tables));
  for (const auto& [table, element] : tables) {
    DOLMEN_TRY(BatchGetTable gets, read_gets(table, element, backend));
    keys += gets.keys.size();
    DOLMEN_TRY_VOID(check_batch_gets(keys));
    names.emplace_back(table);
    request.tables.push_back(std::move(gets));
  }
  auto shared = std::make_shared<const BatchGetRequest>(std::move(request));
  const auto encode = [shared, names = std::move(names)](const BatchGetResponse& response) {
    return get_body(*shared, names, response);
  };
  backend.service.start(BatchGetItem{}, *shared, encoded<BatchGetResponse>(encode, std::move(done), backend.trace));
  return {};
}

Result<void> batch_write_item(const Parameters& parameters, const Backend& backend, Done<std::string>& done) {
  BatchWriteRequest request{.return_capacity = read_return_capacity(parameters),
                            .return_collection_metrics = read_return_metrics(parameters),
                            .elsewhere = backend.elsewhere};
  SentBatch sent{.return_capacity = request.return_capacity};
  for (const auto& [table, list] : members_of(json::object_of(*parameters.find("RequestItems")))) {
    DOLMEN_TRY(const std::string name, table_name_of(table, backend.account));
    request.writes.reserve(std::min(request.writes.size() + json::array_of(list).size(), limits::kBatchWrites));
    for (const json::Element element : json::array_of(list)) {
      DOLMEN_TRY(WriteRequest write, read_write(name, element));
      write.return_capacity = request.return_capacity;
      write.return_collection_metrics = request.return_collection_metrics;
      if (backend.leaves_out_writes)
        sent.writes.push_back({.table = std::string(table), .kind = write.kind, .item = write.item});
      request.writes.push_back(std::move(write));
      DOLMEN_TRY_VOID(check_batch_writes(request.writes.size()));
    }
  }
  auto encode = [sent = std::move(sent)](BatchWriteResponse& response) { return write_body(sent, response); };
  backend.service.start(BatchWriteItem{}, std::move(request),
                        encoded<BatchWriteResponse>(std::move(encode), std::move(done)));
  return {};
}

}  // namespace

std::span<const WireOperation> batch_operations() {
  static const WireOperation kAll[] = {
      {BatchGetItem::kInfo, batch_get_item},
      {BatchWriteItem::kInfo, batch_write_item},
  };
  return kAll;
}

}  // namespace dolmen::wire
