#pragma once

#include <cstdint>
#include <optional>

#include "dolmen/model/item.h"

/// Values that a record has already made attribute values of, and the model's way of storing them.
namespace dolmen {

/// Fails with kEncryptionNotConfigured when the model has encrypted attributes and there are no keys. Every operation
/// on such a model asks this before it does anything else.
Result<void> check_encryption(const Model& model, const KeyProvider* keys);

/// Nothing when the attribute has none.
const ValueConverter* find_converter(const Converters* converters, const ModelAttribute& attribute);

/// What keeps a value of the attribute's type from being of its format.
enum class FormatBreach : std::uint8_t {
  kNotATime,    ///< a text that is not a moment as `rfc3339nano` has it
  kNotWhole,    ///< a number with a fraction where only whole ones are taken
  kNotAVector,  ///< not so many numbers that 32-bit floats can hold (model/vector_value.h says why)
};

/// Nothing when the value is of the attribute's format, or the attribute has none.
std::optional<FormatBreach> format_breach(const ModelAttribute& attribute, const AttributeValue& value);
/// The same, in words: kInvalidModel.
Result<void> check_format(const ModelAttribute& attribute, const AttributeValue& value);

/// Empty in the sense of `omit_empty`, as the attribute would store it: also the zero time, whether it comes as a time,
/// as a text or as seconds, and no seconds at all.
bool is_empty_value(const ModelAttribute& attribute, const LogicalValue& value);
/// Whether a value that is not empty by itself is the zero time, or no seconds.
bool is_zero_time(const ModelAttribute& attribute, const AttributeValue& value);

/// Whether NULL is stored for the value: for null, and for a set without members.
bool is_stored_as_null(const ModelAttribute& attribute, const LogicalValue& value);

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
