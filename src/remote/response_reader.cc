#include "remote/response_reader.h"

#include <algorithm>

#include "remote/capacity_reader.h"
#include "remote/json_fields.h"

namespace dolmen::remote {
namespace {

Result<double> read_units(const Fields& fields, std::string_view name) {
  DOLMEN_TRY(const std::optional<double> units, fields.optional<double>(name));
  return units.value_or(0);
}

Result<std::map<std::string, double>> read_index_units(const Fields& fields, std::string_view name,
                                                       std::string_view member = "CapacityUnits") {
  std::map<std::string, double> units;
  DOLMEN_TRY(const std::optional<json::Object> indexes, fields.optional<json::Object>(name));
  if (!indexes) return units;
  for (const auto [index, element] : *indexes) {
    DOLMEN_TRY(const Fields capacity, Fields::of(element));
    DOLMEN_TRY(units[std::string(index)], read_units(capacity, member));
  }
  return units;
}

Result<ConsumedCapacity> read_capacity(json::Element element) {
  DOLMEN_TRY(const Fields fields, Fields::of(element));
  ConsumedCapacity capacity;
  DOLMEN_TRY(const std::optional<std::string_view> table, fields.optional<std::string_view>("TableName"));
  capacity.table = table.value_or("");
  DOLMEN_TRY(capacity.total, read_units(fields, "CapacityUnits"));
  DOLMEN_TRY(capacity.read, fields.optional<double>("ReadCapacityUnits"));
  DOLMEN_TRY(capacity.write, fields.optional<double>("WriteCapacityUnits"));
  DOLMEN_TRY(const std::optional<json::Object> of_table, fields.optional<json::Object>("Table"));
  if (of_table) {
    DOLMEN_TRY(capacity.of_table, read_units(Fields(*of_table), "CapacityUnits"));
  }
  DOLMEN_TRY(capacity.of_local_indexes, read_index_units(fields, "LocalSecondaryIndexes"));
  DOLMEN_TRY(capacity.of_global_indexes, read_index_units(fields, "GlobalSecondaryIndexes"));
  DOLMEN_TRY(capacity.of_vector_indexes, read_index_units(fields, "VectorIndexes", "VectorWriteRequestBytes"));
  return capacity;
}

}  // namespace

Result<std::optional<ConsumedCapacity>> read_capacity_member(const Fields& fields) {
  const auto found = fields.find("ConsumedCapacity");
  if (!found) return std::nullopt;
  DOLMEN_TRY(ConsumedCapacity capacity, read_capacity(*found));
  return capacity;
}

Result<std::vector<ConsumedCapacity>> read_capacities(const Fields& fields) {
  std::vector<ConsumedCapacity> capacities;
  DOLMEN_TRY(const std::optional<json::Array> list, fields.optional<json::Array>("ConsumedCapacity"));
  if (!list) return capacities;
  for (const json::Element element : *list) {
    DOLMEN_TRY(ConsumedCapacity capacity, read_capacity(element));
    capacities.push_back(std::move(capacity));
  }
  return capacities;
}

namespace {

Result<ItemCollectionMetrics> read_metrics(json::Element element) {
  DOLMEN_TRY(const Fields fields, Fields::of(element));
  ItemCollectionMetrics metrics;
  DOLMEN_TRY(std::optional<EncodedItem> key, fields.item("ItemCollectionKey"));
  if (key) metrics.key = std::move(*key);
  DOLMEN_TRY(const std::optional<json::Array> range, fields.optional<json::Array>("SizeEstimateRangeGB"));
  if (!range) return metrics;
  if (range->size() != 2 || range->at(0).get(metrics.lower_gb) != simdjson::SUCCESS ||
      range->at(1).get(metrics.upper_gb) != simdjson::SUCCESS)
    return unexpected_response("SizeEstimateRangeGB");
  return metrics;
}

using MetricsByTable = std::vector<std::pair<std::string, ItemCollectionMetrics>>;

Result<MetricsByTable> read_metrics_by_table(const Fields& fields) {
  MetricsByTable metrics;
  DOLMEN_TRY(const std::optional<json::Object> tables, fields.optional<json::Object>("ItemCollectionMetrics"));
  if (!tables) return metrics;
  for (const auto [table, element] : *tables) {
    json::Array list;
    if (element.get(list) != simdjson::SUCCESS) return unexpected_response("ItemCollectionMetrics");
    for (const json::Element one : list) {
      DOLMEN_TRY(ItemCollectionMetrics of_collection, read_metrics(one));
      metrics.emplace_back(table, std::move(of_collection));
    }
  }
  return metrics;
}

Result<std::vector<EncodedItem>> read_items(json::Element element) {
  json::Array list;
  if (element.get(list) != simdjson::SUCCESS) return unexpected_response("a list of items is not a list");
  std::vector<EncodedItem> items;
  items.reserve(list.size());
  for (const json::Element one : list) {
    DOLMEN_TRY(EncodedItem item, Fields::read_item(one));
    items.push_back(std::move(item));
  }
  return items;
}

/// The positions of the requested keys that an endpoint returned as unprocessed.
Result<std::vector<std::size_t>> positions_of(const std::vector<EncodedItem>& keys, const BatchGetTable& asked) {
  std::vector<std::size_t> positions;
  for (const EncodedItem& key : keys) {
    const auto found = std::ranges::find(asked.keys, key);
    if (found == asked.keys.end()) return unexpected_response("UnprocessedKeys holds a key that was not asked for");
    positions.push_back(static_cast<std::size_t>(found - asked.keys.begin()));
  }
  return positions;
}

/// The position of a write that an endpoint returned as unprocessed; never one of those found before.
Result<std::size_t> position_of(const Fields& action, std::string_view table, const BatchWriteRequest& asked,
                                const std::vector<std::size_t>& before) {
  const bool put = action.find("PutRequest").has_value();
  DOLMEN_TRY(const json::Object request, action.required<json::Object>(put ? "PutRequest" : "DeleteRequest"));
  DOLMEN_TRY(const std::optional<EncodedItem> item, Fields(request).item(put ? "Item" : "Key"));
  for (std::size_t i = 0; item && i < asked.writes.size(); ++i) {
    const WriteRequest& write = asked.writes[i];
    if (write.table == table && (write.kind == WriteKind::kPut) == put && write.item == *item &&
        std::ranges::find(before, i) == before.end())
      return i;
  }
  return unexpected_response("UnprocessedItems holds a write that was not asked for");
}

}  // namespace

Result<TableNamePage> read_response(ListTableNames /*operation*/, std::string_view body,
                                    const ListTablesRequest& /*asked*/) {
  Document document;
  DOLMEN_TRY(const Fields fields, document.parse(body));
  DOLMEN_TRY(const json::Array names, fields.required<json::Array>("TableNames"));
  TableNamePage page;
  for (const json::Element element : names) {
    std::string_view name;
    if (element.get(name) != simdjson::SUCCESS) return unexpected_response("TableNames");
    page.names.emplace_back(name);
  }
  DOLMEN_TRY(page.last_name, fields.optional<std::string_view>("LastEvaluatedTableName"));
  return page;
}

Result<WriteResponse> read_write(std::string_view body) {
  Document document;
  DOLMEN_TRY(const Fields fields, document.parse(body));
  WriteResponse response;
  DOLMEN_TRY(response.attributes, fields.item("Attributes"));
  DOLMEN_TRY(response.capacity, read_capacity_member(fields));
  if (const auto metrics = fields.find("ItemCollectionMetrics")) {
    DOLMEN_TRY(response.collection_metrics, read_metrics(*metrics));
  }
  return response;
}

Result<GetItemResponse> read_response(GetItem /*operation*/, std::string_view body, const GetItemRequest& /*asked*/) {
  Document document;
  DOLMEN_TRY(const Fields fields, document.parse(body));
  GetItemResponse response;
  DOLMEN_TRY(response.item, fields.item("Item"));
  DOLMEN_TRY(response.capacity, read_capacity_member(fields));
  return response;
}

Result<ReadManyResponse> read_many(std::string_view body) {
  Document document;
  DOLMEN_TRY(const Fields fields, document.parse(body));
  ReadManyResponse response;
  if (const auto items = fields.find("Items")) {
    DOLMEN_TRY(response.items, read_items(*items));
  }
  DOLMEN_TRY(const auto count, fields.required<std::int64_t>("Count"));
  DOLMEN_TRY(const auto scanned, fields.required<std::int64_t>("ScannedCount"));
  response.count = static_cast<std::uint64_t>(count);
  response.scanned_count = static_cast<std::uint64_t>(scanned);
  DOLMEN_TRY(response.last_key, fields.item("LastEvaluatedKey"));
  DOLMEN_TRY(response.capacity, read_capacity_member(fields));
  return response;
}

Result<BatchGetResponse> read_response(BatchGetItem /*operation*/, std::string_view body,
                                       const BatchGetRequest& asked) {
  Document document;
  DOLMEN_TRY(const Fields fields, document.parse(body));
  BatchGetResponse response;
  response.items.resize(asked.tables.size());
  response.unprocessed.resize(asked.tables.size());
  DOLMEN_TRY(const json::Object responses, fields.required<json::Object>("Responses"));
  DOLMEN_TRY(const std::optional<json::Object> unprocessed, fields.optional<json::Object>("UnprocessedKeys"));
  for (std::size_t i = 0; i < asked.tables.size(); ++i) {
    if (const auto items = Fields(responses).find(asked.tables[i].table)) {
      DOLMEN_TRY(response.items[i], read_items(*items));
    }
    const auto rest = unprocessed ? Fields(*unprocessed).find(asked.tables[i].table) : std::nullopt;
    if (!rest) continue;
    DOLMEN_TRY(const Fields gets, Fields::of(*rest));
    DOLMEN_TRY(const json::Element list, gets.required<json::Element>("Keys"));
    DOLMEN_TRY(const std::vector<EncodedItem> keys, read_items(list));
    DOLMEN_TRY(response.unprocessed[i], positions_of(keys, asked.tables[i]));
  }
  DOLMEN_TRY(response.capacity, read_capacities(fields));
  return response;
}

Result<BatchWriteResponse> read_response(BatchWriteItem /*operation*/, std::string_view body,
                                         const BatchWriteRequest& asked) {
  Document document;
  DOLMEN_TRY(const Fields fields, document.parse(body));
  BatchWriteResponse response;
  DOLMEN_TRY(const std::optional<json::Object> unprocessed, fields.optional<json::Object>("UnprocessedItems"));
  if (unprocessed)
    for (const auto [table, element] : *unprocessed) {
      json::Array list;
      if (element.get(list) != simdjson::SUCCESS) return unexpected_response("UnprocessedItems");
      for (const json::Element one : list) {
        DOLMEN_TRY(const Fields action, Fields::of(one));
        DOLMEN_TRY(const std::size_t position, position_of(action, table, asked, response.unprocessed));
        response.unprocessed.push_back(position);
      }
    }
  DOLMEN_TRY(response.capacity, read_capacities(fields));
  DOLMEN_TRY(response.collection_metrics, read_metrics_by_table(fields));
  return response;
}

Result<TransactWriteResponse> read_response(TransactWriteItems /*operation*/, std::string_view body,
                                            const TransactWriteRequest& /*asked*/) {
  Document document;
  DOLMEN_TRY(const Fields fields, document.parse(body));
  TransactWriteResponse response;
  DOLMEN_TRY(response.capacity, read_capacities(fields));
  DOLMEN_TRY(response.collection_metrics, read_metrics_by_table(fields));
  return response;
}

Result<TransactGetResponse> read_response(TransactGetItems /*operation*/, std::string_view body,
                                          const TransactGetRequest& asked) {
  Document document;
  DOLMEN_TRY(const Fields fields, document.parse(body));
  DOLMEN_TRY(const json::Array responses, fields.required<json::Array>("Responses"));
  TransactGetResponse response;
  for (const json::Element element : responses) {
    DOLMEN_TRY(const Fields one, Fields::of(element));
    DOLMEN_TRY(std::optional<EncodedItem> item, one.item("Item"));
    response.items.push_back(std::move(item));
  }
  if (response.items.size() != asked.gets.size()) return unexpected_response("Responses has another number of items");
  DOLMEN_TRY(response.capacity, read_capacities(fields));
  return response;
}

}  // namespace dolmen::remote
