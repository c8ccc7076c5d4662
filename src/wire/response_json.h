#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dolmen/error.h"
#include "protocol/object_writer.h"
#include "service/requests.h"

namespace dolmen::wire {

/// Appends nothing when there is no item.
Result<void> append_item_member(ObjectWriter& object, std::string_view name, const std::optional<EncodedItem>& item);
/// The approximate length of the items as JSON, so that a response is allocated once and not copied as it grows.
std::size_t json_size_estimate(const std::vector<EncodedItem>& items);
Result<void> append_items_member(ObjectWriter& object, std::string_view name, const std::vector<EncodedItem>& items);

/// The parts of a table and its indexes are included only on request.
void append_capacity(std::string& out, const ConsumedCapacity& capacity, ReturnCapacity wanted);
void append_capacity_member(ObjectWriter& object, const std::optional<ConsumedCapacity>& capacity,
                            ReturnCapacity wanted);
/// For an operation on several tables.
void append_capacities_member(ObjectWriter& object, const std::vector<ConsumedCapacity>& capacities,
                              ReturnCapacity wanted);

Result<void> append_collection_metrics(std::string& out, const ItemCollectionMetrics& metrics);

}  // namespace dolmen::wire
