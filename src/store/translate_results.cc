#include "service/failures.h"
#include "store/translate.h"

namespace dolmen {
namespace translate {
namespace {

Result<std::optional<Item>> decode(const std::optional<EncodedItem>& encoded) {
  if (!encoded) return std::nullopt;
  DOLMEN_TRY(Item item, decode_item(encoded->bytes));
  return item;
}

Result<std::vector<Item>> decode(const std::vector<EncodedItem>& encoded) {
  std::vector<Item> items;
  items.reserve(encoded.size());
  for (const EncodedItem& one : encoded) {
    DOLMEN_TRY(Item item, decode_item(one.bytes));
    items.push_back(std::move(item));
  }
  return items;
}

Result<CollectionSize> size_of(const ItemCollectionMetrics& metrics) {
  CollectionSize size{.lower_gb = metrics.lower_gb, .upper_gb = metrics.upper_gb};
  DOLMEN_TRY(size.key, decode_item(metrics.key.bytes));
  return size;
}

using SizesByTable = std::map<std::string, std::vector<CollectionSize>>;

Result<SizesByTable> sizes_of(const std::vector<std::pair<std::string, ItemCollectionMetrics>>& metrics) {
  SizesByTable sizes;
  for (const auto& [table, one] : metrics) {
    DOLMEN_TRY(CollectionSize size, size_of(one));
    sizes[table].push_back(std::move(size));
  }
  return sizes;
}

}  // namespace

Result<WriteResult> result(WriteResponse response) {
  WriteResult written{.capacity = std::move(response.capacity)};
  DOLMEN_TRY(written.attributes, decode(response.attributes));
  if (response.collection_metrics) {
    DOLMEN_TRY(written.collection_size, size_of(*response.collection_metrics));
  }
  return written;
}

Result<GetResult> result(GetItemResponse response) {
  GetResult found{.capacity = std::move(response.capacity)};
  DOLMEN_TRY(found.item, decode(response.item));
  return found;
}

Result<Page> result(ReadManyResponse response) {
  Page page{.count = response.count, .scanned_count = response.scanned_count, .capacity = std::move(response.capacity)};
  DOLMEN_TRY(page.items, decode(response.items));
  DOLMEN_TRY(page.last_key, decode(response.last_key));
  return page;
}

Result<BatchGetResult> result(const std::vector<KeysOfTable>& asked, const BatchGetResponse& response) {
  BatchGetResult found{.capacity = response.capacity};
  for (std::size_t i = 0; i < asked.size(); ++i) {
    DOLMEN_TRY(found.items[asked[i].table], decode(response.items[i]));
    if (response.unprocessed[i].empty()) continue;
    KeysOfTable rest{
        .table = asked[i].table, .projection = asked[i].projection, .consistent_read = asked[i].consistent_read};
    for (const std::size_t position : response.unprocessed[i]) rest.keys.push_back(asked[i].keys[position]);
    found.unprocessed.push_back(std::move(rest));
  }
  return found;
}

Result<BatchWriteResult> result(const std::vector<BatchAction>& asked, const std::vector<std::size_t>& order,
                                BatchWriteResponse response) {
  BatchWriteResult written{.capacity = std::move(response.capacity)};
  for (const std::size_t position : response.unprocessed) written.unprocessed.push_back(asked[order[position]]);
  DOLMEN_TRY(written.collection_sizes, sizes_of(response.collection_metrics));
  return written;
}

Result<TransactWriteResult> result(TransactWriteResponse response) {
  TransactWriteResult written{.capacity = std::move(response.capacity)};
  DOLMEN_TRY(written.collection_sizes, sizes_of(response.collection_metrics));
  return written;
}

Result<TransactGetResult> result(TransactGetResponse response) {
  TransactGetResult found{.capacity = std::move(response.capacity)};
  for (const std::optional<EncodedItem>& encoded : response.items) {
    DOLMEN_TRY(std::optional<Item> item, decode(encoded));
    found.items.push_back(std::move(item));
  }
  return found;
}

}  // namespace translate

namespace {

/// Nothing for an item that cannot be read, because the error that carries it matters more.
std::optional<Item> readable(const std::optional<EncodedItem>& encoded) {
  if (!encoded) return std::nullopt;
  Result<Item> item = decode_item(encoded->bytes);
  return item ? std::optional(std::move(*item)) : std::nullopt;
}

}  // namespace

std::optional<Item> failed_item(const Error& error) {
  const auto* failure = error.payload<ConditionFailure>();
  return failure == nullptr ? std::nullopt : readable(failure->item);
}

std::vector<TransactFailure> transact_failures(const Error& error) {
  std::vector<TransactFailure> failures;
  if (const auto* cancellation = error.payload<Cancellation>())
    for (const CancellationReason& reason : cancellation->reasons)
      failures.push_back({.reason = reason.code, .message = reason.message, .item = readable(reason.item)});
  return failures;
}

}  // namespace dolmen
