#include "upkeep/repair.h"

#include <algorithm>
#include <array>

#include "base/ascii.h"
#include "dolmen/model/logical_value.h"

namespace dolmen::upkeep {
namespace {

/// 1973-03-03 in seconds. A thousand times as much is 5138-11-16, where milliseconds begin.
constexpr std::int64_t kFirstSeconds = 100'000'000;
constexpr std::int64_t kUnitStep = 1'000;
constexpr std::size_t kDateLength = 10;  // 2026-01-05
constexpr std::size_t kFractionDigitsMax = 9;

/// Adds the separators of 20260105T100000Z.
std::string with_separators(std::string_view text) {
  constexpr std::size_t kCompact = 15;
  if (text.size() < kCompact || !std::ranges::all_of(text.substr(0, 8), is_digit) || ascii_lower(text[8]) != 't' ||
      !std::ranges::all_of(text.substr(9, 6), is_digit))
    return std::string(text);
  const auto part = [&](std::size_t at, std::size_t length) { return std::string(text.substr(at, length)); };
  return part(0, 4) + "-" + part(4, 2) + "-" + part(6, 2) + "T" + part(9, 2) + ":" + part(11, 2) + ":" + part(13, 2) +
         std::string(text.substr(kCompact));
}

/// Makes "Z" of words, and "+02:00" of "+0200" and "+02".
std::string with_plain_zone(std::string text) {
  for (const std::string_view word : {"UTC", "GMT"})
    if (text.ends_with(word)) {
      text.erase(text.size() - word.size());
      if (text.ends_with(' ')) text.pop_back();
      return text + "Z";
    }
  const std::size_t sign = text.find_last_of("+-");
  if (sign == std::string::npos || sign <= kDateLength) return text;
  const std::string offset = text.substr(sign + 1);
  if (!std::ranges::all_of(offset, is_digit)) return text;
  if (text[sign - 1] == ' ') text.erase(sign - 1, 1);
  if (offset.size() == 4) return text.insert(text.size() - 2, ":");
  if (offset.size() == 2) return text + ":00";
  return text;
}

/// "10:00Z" and "10:00+02:00" have no seconds.
std::string with_seconds(std::string text) {
  constexpr std::size_t kMinutesEnd = 16;  // 2026-01-05T10:00
  if (text.size() <= kMinutesEnd || text[13] != ':' || !is_digit(text[15])) return text;
  const char next = text[kMinutesEnd];
  if (next == 'Z' || next == 'z' || next == '+' || next == '-') text.insert(kMinutesEnd, ":00");
  return text;
}

bool has_too_many_digits(std::string_view text) {
  const std::size_t point = text.find_first_of(".,");
  if (point == std::string_view::npos) return false;
  const std::string_view rest = text.substr(point + 1);
  const auto end = std::ranges::find_if_not(rest, is_digit);
  return static_cast<std::size_t>(end - rest.begin()) > kFractionDigitsMax;
}

/// Whether JSON gives the value back: it has doubles, lists and maps, and whole numbers keep their digits.
bool survives_json(const AttributeValue& value) {
  switch (value.type()) {
    case Type::kString:
    case Type::kBool:
    case Type::kNull: return true;
    case Type::kNumber: {
      const Number& number = value.number();
      if (number.to_int64()) return true;
      const Result<Number> again = Number::from_double(number.to_double());
      return again && *again == number;
    }
    case Type::kList: return std::ranges::all_of(value.list(), survives_json);
    case Type::kMap:
      return std::ranges::all_of(value.map(), [](const auto& member) { return survives_json(member.second); });
    default: return false;
  }
}

template <class Element, class Set>
std::optional<AttributeValue> set_of_elements(const AttributeValue::List& list) {
  Set set;
  for (const AttributeValue& value : list) {
    const Element* element = value.get_if<Element>();
    if (element == nullptr || !set.insert(*element).second) return std::nullopt;
  }
  if (set.empty()) return std::nullopt;
  return AttributeValue(std::move(set));
}

}  // namespace

std::string_view epoch_unit_name(EpochUnit unit) {
  static constexpr std::array<std::string_view, 4> kNames{"seconds", "milliseconds", "microseconds", "nanoseconds"};
  return kNames[static_cast<std::size_t>(unit)];
}

std::optional<EpochUnit> epoch_unit_of(const Number& number) {
  std::int64_t first = kFirstSeconds;
  for (const EpochUnit unit :
       {EpochUnit::kSeconds, EpochUnit::kMilliseconds, EpochUnit::kMicroseconds, EpochUnit::kNanoseconds}) {
    const std::optional<std::int64_t> count = number.to_int64();
    // The end of nanoseconds is that of the type.
    if (count && *count >= first && (unit == EpochUnit::kNanoseconds || *count < first * kUnitStep)) return unit;
    if (unit != EpochUnit::kNanoseconds) first *= kUnitStep;
  }
  return std::nullopt;
}

std::optional<Timestamp> moment_of(const Number& number) {
  const std::optional<EpochUnit> unit = epoch_unit_of(number);
  if (!unit) return std::nullopt;
  static constexpr std::array<std::int64_t, 4> kPerSecond{1, 1'000, 1'000'000, 1'000'000'000};
  const std::int64_t per_second = kPerSecond[static_cast<std::size_t>(*unit)];
  const std::int64_t count = *number.to_int64();
  return Timestamp{.seconds = count / per_second,
                   .nanoseconds = static_cast<std::int32_t>(count % per_second * (kPerSecond[3] / per_second))};
}

std::optional<Timestamp> read_loosely(std::string_view text) {
  std::string form = with_separators(trimmed(text));
  if (form.size() > kDateLength && form[kDateLength] == ' ') form[kDateLength] = 'T';
  form = with_seconds(with_plain_zone(std::move(form)));
  if (has_too_many_digits(form)) return std::nullopt;
  std::ranges::replace(form, ',', '.');
  const Result<Timestamp> time = parse_timestamp(form);
  return time ? std::optional(*time) : std::nullopt;
}

std::optional<AttributeValue> canonical_time(const Timestamp& time) {
  Result<std::string> text = format_timestamp(time);
  return text ? std::optional(AttributeValue(std::move(*text))) : std::nullopt;
}

std::optional<AttributeValue> json_text_of(const AttributeValue& value) {
  if (!survives_json(value)) return std::nullopt;
  Result<std::string> text = canonical_json(LogicalValue::from(value));
  return text ? std::optional(AttributeValue(std::move(*text))) : std::nullopt;
}

std::optional<AttributeValue> set_of(Type type, const AttributeValue::List& list) {
  switch (type) {
    case Type::kStringSet: return set_of_elements<std::string, AttributeValue::StringSet>(list);
    case Type::kNumberSet: return set_of_elements<Number, AttributeValue::NumberSet>(list);
    case Type::kBinarySet: return set_of_elements<Bytes, AttributeValue::BinarySet>(list);
    default: return std::nullopt;
  }
}

std::optional<AttributeValue> bytes_of_list(const AttributeValue::List& list) {
  std::string bytes;
  for (const AttributeValue& value : list) {
    const Number* number = value.get_if<Number>();
    const std::optional<std::int64_t> byte = number == nullptr ? std::nullopt : number->to_int64();
    if (!byte || *byte < 0 || *byte > 255) return std::nullopt;
    bytes.push_back(static_cast<char>(*byte));
  }
  return AttributeValue(Bytes(std::move(bytes)));
}

std::optional<AttributeValue> boolean_of(const AttributeValue& value) {
  if (value.type() == Type::kBool) return value;
  if (const std::string* text = value.get_if<std::string>(); text != nullptr) {
    if (*text == "true") return AttributeValue(true);
    if (*text == "false") return AttributeValue(false);
  }
  if (const Number* number = value.get_if<Number>(); number != nullptr) {
    if (*number == Number(1)) return AttributeValue(true);
    if (number->is_zero()) return AttributeValue(false);
  }
  return std::nullopt;
}

}  // namespace dolmen::upkeep
