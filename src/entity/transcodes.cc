#include "entity/transcodes.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/fail.h"
#include "base/number_text.h"
#include "entity/js_number.h"

namespace dolmen::entity {

namespace {

using ElementKind = Element::Kind;

constexpr std::size_t kIntDigits = 16;
constexpr std::size_t kFix6Characters = 17;
constexpr std::size_t kBigDigits = 20;
constexpr std::size_t kTimestampDigits = 13;
constexpr double kFix6Max = 9007199254.740991;
constexpr double kTimestampMax = 9'999'999'999'999;
constexpr double kIntLimit = 1e16;

void append_padded(std::string& out, std::string_view text, std::size_t width) {
  if (text.size() < width) out.append(width - text.size(), '0');
  out += text;
}

std::string number_text(double value) {
  std::string text;
  append_number(text, value);
  return text;
}

bool is_whole(double value) { return std::isfinite(value) && value == std::trunc(value); }

/// 'p' or 'n' and then so many digits.
bool is_signed_digits(std::string_view text, std::size_t digits) {
  return text.size() == digits + 1 && (text[0] == 'p' || text[0] == 'n') && is_digits(text.substr(1));
}

/// Numbers in items may have a fraction with any transcode.
bool is_big(const Element& value) {
  if (value.kind() != ElementKind::kBigInteger) return false;
  const std::string_view text = value.text();
  return is_digits(text.substr(text.starts_with('-') ? 1 : 0));
}

bool encode_big(const Element& value, std::string& out) {
  if (!is_big(value)) return false;
  out += value.text();
  return true;
}

std::optional<EntityValue> decode_big(std::string_view text) {
  auto value = parse_big_integer(text);
  return value ? std::optional<EntityValue>(std::move(*value)) : std::nullopt;
}

bool encode_big20(const Element& value, std::string& out) {
  if (!is_big(value)) return false;
  std::string_view digits = value.text();
  const bool negative = digits.starts_with('-');
  if (negative) digits.remove_prefix(1);
  if (digits.size() > kBigDigits) return false;
  out += negative ? 'n' : 'p';
  append_padded(out, digits, kBigDigits);
  return true;
}

std::optional<EntityValue> decode_big20(std::string_view text) {
  if (!is_signed_digits(text, kBigDigits)) return std::nullopt;
  return decode_big((text[0] == 'n' ? "-" : "") + std::string(text.substr(1)));
}

bool encode_boolean(const Element& value, std::string& out) {
  if (value.kind() != ElementKind::kBoolean) return false;
  out += value.boolean() ? 't' : 'f';
  return true;
}

std::optional<EntityValue> decode_boolean(std::string_view text) {
  if (text == "t") return true;
  if (text == "f") return false;
  return std::nullopt;
}

std::optional<EntityValue> decode_raw_boolean(std::string_view text) {
  if (text == "true") return true;
  if (text == "false") return false;
  return std::nullopt;
}

bool encode_fix6(const Element& value, std::string& out) {
  const double number = value.number();
  if (value.kind() != ElementKind::kNumber || !(std::abs(number) <= kFix6Max)) return false;
  out += number < 0 ? 'n' : 'p';
  append_padded(out, fixed6(std::abs(number)), kFix6Characters);
  return true;
}

std::optional<EntityValue> decode_fix6(std::string_view text) {
  if (text.size() != kFix6Characters + 1 || (text[0] != 'n' && text[0] != 'p') || text[11] != '.') return std::nullopt;
  if (!is_digits(text.substr(1, 10)) || !is_digits(text.substr(12))) return std::nullopt;
  const double magnitude = parse_decimal(text.substr(1)).value();
  return text[0] == 'n' ? -magnitude : magnitude;
}

bool encode_int(const Element& value, std::string& out) {
  if (value.kind() != ElementKind::kNumber || !is_whole(value.number())) return false;
  out += value.number() < 0 ? 'n' : 'p';
  append_padded(out, number_text(std::abs(value.number())), kIntDigits);
  return true;
}

std::optional<EntityValue> decode_int(std::string_view text) {
  if (!is_signed_digits(text, kIntDigits)) return std::nullopt;
  const double magnitude = parse_decimal(text.substr(1)).value();
  return text[0] == 'n' ? -magnitude : magnitude;
}

bool encode_number(const Element& value, std::string& out) {
  if (value.kind() != ElementKind::kNumber) return false;
  append_number(out, value.number());
  return true;
}

std::optional<EntityValue> decode_number(std::string_view text) {
  const auto value = parse_number(text);
  return value ? std::optional<EntityValue>(*value) : std::nullopt;
}

bool encode_string(const Element& value, std::string& out) {
  if (value.kind() != ElementKind::kString) return false;
  out += value.text();
  return true;
}

std::optional<EntityValue> decode_string(std::string_view text) { return std::string(text); }

bool encode_timestamp(const Element& value, std::string& out) {
  const double number = value.number();
  if (value.kind() != ElementKind::kNumber || !is_whole(number) || number < 0 || number > kTimestampMax) return false;
  append_padded(out, number_text(number), kTimestampDigits);
  return true;
}

std::optional<EntityValue> decode_timestamp(std::string_view text) {
  if (text.size() != kTimestampDigits || !is_digits(text)) return std::nullopt;
  return parse_decimal(text).value();
}

bool is_big20(const Element& value) {
  return is_big(value) && value.text().size() <= kBigDigits + (value.text().starts_with('-') ? 1 : 0);
}
bool is_boolean(const Element& value) { return value.kind() == ElementKind::kBoolean; }
bool is_string(const Element& value) { return value.kind() == ElementKind::kString; }
bool is_finite(const Element& value) { return value.kind() == ElementKind::kNumber && std::isfinite(value.number()); }
bool is_short_whole(const Element& value) {
  return is_finite(value) && is_whole(value.number()) && std::abs(value.number()) < kIntLimit;
}
bool is_moment(const Element& value) {
  return is_short_whole(value) && value.number() >= 0 && value.number() <= kTimestampMax;
}
/// Whether six decimal places represent it exactly.
bool is_fixed6(const Element& value) {
  std::string text;
  if (!is_finite(value) || !encode_fix6(value, text)) return false;
  const auto decoded = decode_fix6(text);
  return decoded && std::get<double>(*decoded) == value.number();
}

constexpr std::array kBuiltins = {
    BuiltinTranscode{"bigint", KeyType::kNumber, encode_big, decode_big, decode_big, is_big},
    BuiltinTranscode{"bigint20", KeyType::kString, encode_big20, decode_big20, decode_big, is_big20},
    BuiltinTranscode{"boolean", KeyType::kString, encode_boolean, decode_boolean, decode_raw_boolean, is_boolean},
    BuiltinTranscode{"fix6", KeyType::kNumber, encode_fix6, decode_fix6, decode_number, is_fixed6},
    BuiltinTranscode{"int", KeyType::kNumber, encode_int, decode_int, decode_number, is_short_whole},
    BuiltinTranscode{"number", KeyType::kNumber, encode_number, decode_number, decode_number, is_finite},
    BuiltinTranscode{"string", KeyType::kString, encode_string, decode_string, decode_string, is_string, true},
    BuiltinTranscode{"timestamp", KeyType::kNumber, encode_timestamp, decode_timestamp, decode_number, is_moment},
};

}  // namespace

const BuiltinTranscode* find_builtin_transcode(std::string_view name) {
  const auto* found = std::ranges::find(kBuiltins, name, &BuiltinTranscode::name);
  return found == kBuiltins.end() ? nullptr : found;
}

}  // namespace dolmen::entity

namespace dolmen {

std::vector<Transcode> default_transcodes() {
  std::vector<Transcode> transcodes;
  for (const entity::BuiltinTranscode& builtin : entity::kBuiltins) {
    const auto encode = [&builtin](const EntityValue& value) -> Result<std::string> {
      std::string text;
      if (builtin.encode(entity::Element::of(value), text)) return text;
      return fail(Code::kInvalidEntity, "invalid {}", builtin.name);
    };
    const auto decode = [&builtin](std::string_view text) -> Result<EntityValue> {
      if (auto value = builtin.decode(text)) return std::move(*value);
      return fail(Code::kInvalidEntity, "invalid encoded {}", builtin.name);
    };
    transcodes.push_back({std::string(builtin.name), encode, decode, builtin.key_type});
  }
  return transcodes;
}

}  // namespace dolmen
