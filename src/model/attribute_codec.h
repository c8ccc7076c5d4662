#pragma once

#include <optional>

#include "dolmen/model_item.h"

/// Values that a record has already made attribute values of, and the model's way of storing them.
namespace dolmen {

/// Nothing when the attribute has none.
const ValueConverter* find_converter(const Converters* converters, const ModelAttribute& attribute);

/// Whether a number, and not one with a fraction, is wanted.
bool takes_whole_numbers(const ModelAttribute& attribute);
bool is_whole(const Number& number);

/// Whether the value of such an attribute is stored as a record writes it, once it has the right type.
bool is_stored_as_written(const ModelAttribute& attribute);

/// What is stored for a value: JSON becomes text, formats are checked, secrets are sealed. Fails with kInvalidModel
/// when the attribute cannot hold it, and as `seal` does.
Result<AttributeValue> stored_form(const Model& model, const ModelAttribute& attribute, AttributeValue value,
                                   const EncodeOptions& options);

/// The value that `stored_form`, or another implementation, has stored, in the attribute's type; a JSON text becomes
/// the document that it is. A NULL stays NULL. Fails as `decode_attribute` does.
Result<AttributeValue> written_form(const Model& model, const ModelAttribute& attribute, const AttributeValue& stored,
                                    const DecodeOptions& options);

}  // namespace dolmen
