#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dolmen/error.h"
#include "dolmen/model/condition.h"
#include "dolmen/model/logical_value.h"
#include "dolmen/model/model.h"
#include "dolmen/model/update.h"

/// What stands in a step, in the type that it must have. All of these fail with kInvalidArgument, which is a mistake of
/// the scenario and not of what it tests.
namespace dolmen::scenario {

/// Nothing when it is not there.
const LogicalValue* find(const LogicalItem& map, std::string_view name);

Result<std::string> text_of(const LogicalItem& map, std::string_view name);
Result<std::int64_t> integer_of(const LogicalItem& map, std::string_view name);
Result<std::optional<std::int64_t>> optional_integer_of(const LogicalItem& map, std::string_view name);
/// False when it is not there.
Result<bool> flag_of(const LogicalItem& map, std::string_view name);
/// Empty when it is not there.
Result<LogicalItem> map_of(const LogicalItem& map, std::string_view name);
Result<LogicalValue::List> list_of(const LogicalItem& map, std::string_view name);
Result<std::vector<std::string>> names_of(const LogicalItem& map, std::string_view name);

/// An item or key of the model. Files have no bytes: where the model has a B or BS, base64 stands for them, and text
/// that is not base64 for its own bytes.
Result<LogicalItem> item_of(const LogicalItem& map, std::string_view name, const Model& model);
LogicalValue value_for(const Model& model, const std::string& attribute, const LogicalValue& value);

/// Items or keys of the model.
Result<std::vector<LogicalItem>> items_of(const LogicalItem& map, std::string_view name, const Model& model);

/// A value as a document holds it: text is S, a number N, a list L, and so on.
Result<AttributeValue> document_value(const LogicalValue& value);

/// The partition of a query: a value, or a comparison with the partition key of the table or of the index that the step
/// names. Fails with kInvalidOperator for a comparison with anything else.
Result<LogicalValue> partition_of(const LogicalItem& step, const Model& model);

/// Where a read begins: the variable that `cursor` names, or `cursor_text` as it is; nothing when there is neither.
Result<std::optional<std::string>> cursor_of(const LogicalItem& step, const LogicalItem& variables);

/// A list of {field, op, value} or {field, op, values} that must all hold, among which may be {or: [..]}, {and: [..]}
/// and {not: [..]}. Fails with kInvalidOperator for an unknown op.
Result<FieldCondition> condition_of(const LogicalItem& map, std::string_view name, const Model& model);

/// The changes of a step of op `change`.
Result<FieldUpdate> update_of(const LogicalItem& step, const Model& model);

}  // namespace dolmen::scenario
