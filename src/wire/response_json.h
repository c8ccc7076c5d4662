#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dolmen/error.h"
#include "protocol/object_writer.h"
#include "service/requests.h"

namespace dolmen::wire {

/// Nothing when there is no item.
Result<void> append_item_member(ObjectWriter& object, std::string_view name, const std::optional<EncodedItem>& item);
/// About how long the items become as JSON: a response that is made in one piece of memory is not copied as it grows.
std::size_t json_size_estimate(const std::vector<EncodedItem>& items);
Result<void> append_items_member(ObjectWriter& object, std::string_view name, const std::vector<EncodedItem>& items);

/// The parts of a table and its indexes are named only when they were asked for.
void append_capacity(std::string& out, const ConsumedCapacity& capacity, ReturnCapacity wanted);
void append_capacity_member(ObjectWriter& object, const std::optional<ConsumedCapacity>& capacity,
                            ReturnCapacity wanted);
/// Of an operation on several tables.
void append_capacities_member(ObjectWriter& object, const std::vector<ConsumedCapacity>& capacities,
                              ReturnCapacity wanted);

Result<void> append_collection_metrics(std::string& out, const ItemCollectionMetrics& metrics);

}  // namespace dolmen::wire
