#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "dolmen/model/model.h"
#include "dolmen/timestamp.h"
#include "dolmen/value.h"

/// What a value that a model does not expect was meant to be, where only one meaning is possible. Everything here gives
/// nothing as soon as there could be another.
namespace dolmen::upkeep {

/// The unit in which a moment was counted since 1970.
enum class EpochUnit { kSeconds, kMilliseconds, kMicroseconds, kNanoseconds };

/// "milliseconds"
std::string_view epoch_unit_name(EpochUnit unit);

/// The unit that puts a number between the years 1973 and 5138, in which the ranges of the four units do not overlap.
/// Nothing for numbers that are not whole, or are in none of them.
std::optional<EpochUnit> epoch_unit_of(const Number& number);

/// The moment that such a number stands for.
std::optional<Timestamp> moment_of(const Number& number);

/// A time in a form near RFC 3339, which names its zone: a space for the T, small letters, no seconds, no colon in the
/// offset, UTC or GMT as words, or without separators (20260105T100000Z). Not one with more than nine digits of a
/// second, because some would be lost.
std::optional<Timestamp> read_loosely(std::string_view text);

/// The form in which models store times.
std::optional<AttributeValue> canonical_time(const Timestamp& time);

/// The text of a JSON value that was stored as such. Nothing when its text would lose something: sets, bytes, digits.
std::optional<AttributeValue> json_text_of(const AttributeValue& value);

/// The set that has the elements of a list, which must be different and of the right type, and at least one.
std::optional<AttributeValue> set_of(Type type, const AttributeValue::List& list);

/// The bytes that a list of numbers from 0 to 255 stands for.
std::optional<AttributeValue> bytes_of_list(const AttributeValue::List& list);

/// true, false, "true", "false", 1 or 0.
std::optional<AttributeValue> boolean_of(const AttributeValue& value);

}  // namespace dolmen::upkeep
