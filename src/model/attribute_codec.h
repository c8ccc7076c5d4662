#pragma once

#include <optional>

#include "dolmen/model/item.h"

/// Values that a record has already made attribute values of, and the model's way of storing them.
namespace dolmen {

/// Nothing when the attribute has none.
const ValueConverter* find_converter(const Converters* converters, const ModelAttribute& attribute);

/// Whether a number, and not one with a fraction, is wanted.
bool takes_whole_numbers(const ModelAttribute& attribute);
bool is_whole(const Number& number);

/// Whether the text is a moment as `rfc3339nano` has it. It is stored as it is, so that it can be compared with.
Result<void> check_moment(const ModelAttribute& attribute, std::string_view text);

/// One part of a key; `value` is nothing when there is none. Fails with kMissingPrimaryKey, and as `encode_attribute`
/// does.
Result<AttributeValue> encode_key_part(const Model& model, const KeyAttribute& part, const LogicalValue* value,
                                       const EncodeOptions& options);

/// Whether the value of such an attribute is stored as a record writes it, once it has the right type.
bool is_stored_as_written(const ModelAttribute& attribute);

/// Makes of a value what is stored: JSON becomes text, formats are checked, secrets are sealed. Fails with
/// kInvalidModel when the attribute cannot hold it, and as `seal` does; the value is then of no use.
Result<void> store_form(const Model& model, const ModelAttribute& attribute, const EncodeOptions& options,
                        AttributeValue& value);

/// The value that `store_form`, or another implementation, has stored, in the attribute's type; a JSON text becomes
/// the document that it is. A NULL stays NULL. Fails as `decode_attribute` does.
Result<AttributeValue> written_form(const Model& model, const ModelAttribute& attribute, const AttributeValue& stored,
                                    const DecodeOptions& options);

}  // namespace dolmen
