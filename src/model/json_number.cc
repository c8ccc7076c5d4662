#include "model/json_number.h"

#include <array>
#include <charconv>

#include "base/fail.h"

namespace dolmen {

namespace {

struct NumberForm {
  bool valid = false;
  bool integer = true;
};

NumberForm form_of(std::string_view text) {
  NumberForm form;
  std::size_t at = text.starts_with('-') ? 1 : 0;
  const auto digits = [&] {
    const std::size_t start = at;
    while (at < text.size() && text[at] >= '0' && text[at] <= '9') ++at;
    return at - start;
  };
  const bool zero = text.substr(at).starts_with('0');
  const std::size_t whole = digits();
  bool good = whole > 0 && (!zero || whole == 1);
  if (at < text.size() && text[at] == '.') {
    ++at;
    form.integer = false;
    good = digits() > 0 && good;
  }
  if (at < text.size() && (text[at] == 'e' || text[at] == 'E')) {
    ++at;
    form.integer = false;
    if (at < text.size() && (text[at] == '+' || text[at] == '-')) ++at;
    good = digits() > 0 && good;
  }
  form.valid = good && at == text.size();
  return form;
}

/// Of a number that fits no double: whether it is too small rather than too large.
bool is_tiny(std::string_view text) {
  if (text.starts_with('-')) text.remove_prefix(1);
  const std::size_t exponent = text.find_first_of("eE");
  if (exponent != std::string_view::npos) return text.substr(exponent + 1).starts_with('-');
  return text.starts_with("0.");
}

}  // namespace

std::string double_text(double value) {
  if (value == 0) return "0";
  std::array<char, 32> buffer{};
  const auto [end, failure] =
      std::to_chars(buffer.data(), buffer.data() + buffer.size(), value, std::chars_format::scientific);
  std::string_view text(buffer.data(), static_cast<std::size_t>(end - buffer.data()));

  std::string out;
  if (text.starts_with('-')) {
    out.push_back('-');
    text.remove_prefix(1);
  }
  const std::size_t e = text.find('e');
  std::string digits(1, text[0]);
  if (e > 2) digits.append(text.substr(2, e - 2));
  std::string_view exponent_text = text.substr(e + 1);
  if (exponent_text.starts_with('+')) exponent_text.remove_prefix(1);
  int exponent = 0;
  std::from_chars(exponent_text.data(), exponent_text.data() + exponent_text.size(), exponent);

  const int count = static_cast<int>(digits.size());
  const int point = exponent + 1;  // where the decimal point stands, counted from the first digit
  if (point > 21 || point < -5) {
    out.push_back(digits[0]);
    if (count > 1) out.append(".").append(digits, 1);
    out.append(exponent < 0 ? "e-" : "e+").append(std::to_string(exponent < 0 ? -exponent : exponent));
  } else if (point <= 0) {
    out.append("0.").append(static_cast<std::size_t>(-point), '0').append(digits);
  } else if (point >= count) {
    out.append(digits).append(static_cast<std::size_t>(point - count), '0');
  } else {
    out.append(digits, 0, static_cast<std::size_t>(point)).append(".").append(digits, static_cast<std::size_t>(point));
  }
  return out;
}

Result<std::string> canonical_number(std::string_view text) {
  const NumberForm form = form_of(text);
  if (!form.valid) return fail(Code::kInvalidModel, "{} is not a JSON number", text);
  if (form.integer) return std::string(text == "-0" ? "0" : text);
  double value = 0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (failure == std::errc::result_out_of_range) {
    if (!is_tiny(text)) return fail(Code::kInvalidModel, "{} is larger than a double can hold", text);
    value = 0;
  }
  return double_text(value);
}

}  // namespace dolmen
