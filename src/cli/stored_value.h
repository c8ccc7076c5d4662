#pragma once

#include <string>

#include "dolmen/model/logical_value.h"
#include "dolmen/value.h"

/// Values between the JSON that people write and the attributes that are stored.
namespace dolmen::cli {

struct NamedText {
  std::string name;
  std::string text;
};

/// "name=text". Fails with kInvalidArgument.
Result<NamedText> split_assignment(const std::string& assignment);

/// A JSON value as an attribute. Fails with kInvalidArgument for what no attribute can hold.
Result<AttributeValue> stored_value(const LogicalValue& value);

/// The text of a JSON object as an item. Fails with kInvalidArgument; `what` says what it should be.
Result<Item> stored_item(const std::string& json, const std::string& what);

/// An attribute as JSON: sets are lists, and bytes are base64.
LogicalValue shown_value(const AttributeValue& value);
LogicalItem shown_item(const Item& item);

}  // namespace dolmen::cli
