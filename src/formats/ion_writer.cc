#include <algorithm>
#include <array>
#include <fmt/format.h>

#include "base/ascii.h"
#include "base/base64.h"
#include "formats/ion.h"
#include "value/number_parts.h"

namespace dolmen::formats {
namespace {

/// Words that would not be names without quotes.
constexpr std::array<std::string_view, 4> kIonKeywords{"null", "true", "false", "nan"};

bool needs_no_quotes(std::string_view name) {
  const auto begins = [](char c) { return is_letter(c) || c == '_' || c == '$'; };
  // $ and digits would be the number of a symbol.
  if (name.empty() || !begins(name.front()) || (name.front() == '$' && name.size() > 1 && is_digit(name[1])))
    return false;
  return std::ranges::all_of(name, [&](char c) { return begins(c) || is_digit(c); }) &&
         std::ranges::find(kIonKeywords, name) == kIonKeywords.end();
}

void append_escaped(std::string& out, std::string_view text, char quote) {
  constexpr unsigned char kFirstPrintable = 0x20;
  constexpr unsigned char kDelete = 0x7f;
  out.push_back(quote);
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == quote || c == '\\') {
      out.append({'\\', c});
    } else if (c == '\n') {
      out.append("\\n");
    } else if (c == '\r') {
      out.append("\\r");
    } else if (c == '\t') {
      out.append("\\t");
    } else if (byte < kFirstPrintable || byte == kDelete) {
      out.append(fmt::format("\\x{:02x}", byte));
    } else {
      out.push_back(c);
    }
  }
  out.push_back(quote);
}

/// 103., 6d2, 8.5, 5d-9: always a decimal, never an integer.
void append_decimal(std::string& out, const Number& number) {
  const Decimal decimal = NumberParts::of(number).to_decimal();
  if (decimal.negative) out.push_back('-');
  if (decimal.count == 0) {
    out.append("0.");
    return;
  }
  const std::string_view digits(decimal.digits, static_cast<std::size_t>(decimal.count));
  const int whole = decimal.count + decimal.exponent;
  if (decimal.exponent == 0) {
    out.append(digits).push_back('.');
  } else if (decimal.exponent < 0 && whole > 0) {
    out.append(digits.substr(0, static_cast<std::size_t>(whole))).push_back('.');
    out.append(digits.substr(static_cast<std::size_t>(whole)));
  } else {
    out.append(digits).append("d").append(std::to_string(decimal.exponent));
  }
}

void append_blob(std::string& out, const Bytes& bytes) {
  out.append("{{");
  append_base64(out, bytes.view());
  out.append("}}");
}

template <class Elements, class Append>
void append_list(std::string& out, const Elements& elements, Append append) {
  out.push_back('[');
  bool first = true;
  for (const auto& element : elements) {
    if (!std::exchange(first, false)) out.push_back(',');
    append(element);
  }
  out.push_back(']');
}

void append_ion_value(std::string& out, const AttributeValue& value) {
  switch (value.type()) {
    case Type::kString: append_escaped(out, value.string(), '"'); break;
    case Type::kNumber: append_decimal(out, value.number()); break;
    case Type::kBinary: append_blob(out, value.binary()); break;
    case Type::kBool: out.append(value.boolean() ? "true" : "false"); break;
    case Type::kNull: out.append("null"); break;
    case Type::kMap: append_ion(out, value.map()); break;
    case Type::kList:
      append_list(out, value.list(), [&](const AttributeValue& each) { append_ion_value(out, each); });
      break;
    case Type::kStringSet:
      out.append("$dynamodb_SS::");
      append_list(out, value.string_set(), [&](const std::string& each) { append_escaped(out, each, '"'); });
      break;
    case Type::kNumberSet:
      out.append("$dynamodb_NS::");
      append_list(out, value.number_set(), [&](const Number& each) { append_decimal(out, each); });
      break;
    case Type::kBinarySet:
      out.append("$dynamodb_BS::");
      append_list(out, value.binary_set(), [&](const Bytes& each) { append_blob(out, each); });
      break;
  }
}

}  // namespace

void append_ion_name(std::string& out, std::string_view name) {
  if (needs_no_quotes(name)) {
    out.append(name);
  } else {
    append_escaped(out, name, '\'');
  }
}

void append_ion(std::string& out, const Item& item) {
  out.push_back('{');
  bool first = true;
  for (const auto& [name, value] : item) {
    if (!std::exchange(first, false)) out.push_back(',');
    append_ion_name(out, name);
    out.push_back(':');
    append_ion_value(out, value);
  }
  out.push_back('}');
}

}  // namespace dolmen::formats
