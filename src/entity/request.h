#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dolmen/entity/client.h"
#include "protocol/object_view.h"

/// What requests of the entity protocol have in common. Everything fails with kQueryInvalid, and for values that are
/// not DynamoDB's with kSerialization or kValidation.
namespace dolmen::entity {

/// A text that must be there and not be empty.
Result<std::string> text_in(const ObjectView& request, std::string_view name);

/// An item in DynamoDB's JSON; empty when it is missing.
Result<Item> item_in(const ObjectView& request, std::string_view name);

/// A whole number that may be missing.
Result<std::optional<std::int64_t>> integer_in(const ObjectView& request, std::string_view name);

/// A list of texts; empty when it is missing.
Result<std::vector<std::string>> texts_in(const ObjectView& request, std::string_view name);

/// A list of objects with operation, property, values and conditions; empty when it is missing.
Result<std::vector<EntityCondition>> conditions_in(const ObjectView& request, std::string_view name);

/// The same as one condition, of which all must hold.
Result<Condition> condition_in(const ObjectView& request, std::string_view name);

/// set, add and remove.
Result<Update> update_in(const ObjectView& request);

/// Everything that QueryEntities says beside the table, the entity and the page token.
Result<EntityQuery> query_in(const EntityClient& client, const std::string& entity, const ObjectView& request);

}  // namespace dolmen::entity
