#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "value/encoded_item.h"

/// The item operations as they travel between the rooms. Items stay in their binary form from end to end; whoever needs
/// a tree decodes one. A request has been checked for what can be seen without the table: its values obey DynamoDB's
/// rules for values.
namespace dolmen {

/// Which consumed capacity the caller wants to hear about.
enum class ReturnCapacity : std::uint8_t { kNone, kTotal, kIndexes };

struct ConsumedCapacity {
  double units = 0;
};

struct PutItemRequest {
  std::string table;
  EncodedItem item;
  /// Return the item that was replaced.
  bool return_old = false;
  ReturnCapacity return_capacity = ReturnCapacity::kNone;
};

struct GetItemRequest {
  std::string table;
  EncodedItem key;
  /// Every read of an embedded store is consistent; elsewhere this decides, and it doubles the capacity consumed.
  bool consistent_read = false;
  ReturnCapacity return_capacity = ReturnCapacity::kNone;
};

struct DeleteItemRequest {
  std::string table;
  EncodedItem key;
  /// Return the item that was deleted.
  bool return_old = false;
  ReturnCapacity return_capacity = ReturnCapacity::kNone;
};

/// The answer to a put or a delete.
struct WriteItemResponse {
  std::optional<EncodedItem> old;
  std::optional<ConsumedCapacity> capacity;
};

struct GetItemResponse {
  std::optional<EncodedItem> item;
  std::optional<ConsumedCapacity> capacity;
};

struct ListTablesRequest {
  std::optional<std::string> after;
  std::optional<int> limit;
};

}  // namespace dolmen
