#include "config/scalar.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>

#include "base/ascii.h"

namespace dolmen::config {

namespace {

bool one_of(std::string_view text, std::initializer_list<std::string_view> words) {
  return std::ranges::find(words, text) != words.end();
}

/// YAML 1.1 takes for a date or time whatever begins like 2020-01-31 and is that, or goes on with a time of day.
bool looks_like_timestamp(std::string_view text) {
  std::size_t at = 0;
  const auto digits = [&](std::size_t least, std::size_t most) {
    const std::size_t start = at;
    while (at < text.size() && is_digit(text[at])) ++at;
    return at - start >= least && at - start <= most;
  };
  const auto skip = [&](char wanted) { return at < text.size() && text[at] == wanted && ++at > 0; };
  if (!digits(4, 4) || !skip('-') || !digits(1, 2) || !skip('-') || !digits(1, 2)) return false;
  if (at == text.size()) return true;
  if (!skip('T') && !skip('t') && !skip(' ') && !skip('\t')) return false;
  while (skip(' ') || skip('\t')) {}
  return digits(1, 2) && skip(':') && digits(2, 2) && skip(':') && digits(2, 2);
}

/// The parts of a decimal number of the core schema; `fits` is false when the text is something else.
struct Decimal {
  explicit Decimal(std::string_view text) {
    std::size_t at = 0;
    const auto digits = [&] {
      const std::size_t start = at;
      while (at < text.size() && is_digit(text[at])) ++at;
      return text.substr(start, at - start);
    };
    if (at < text.size() && (text[at] == '-' || text[at] == '+')) {
      has_sign = true;
      negative = text[at++] == '-';
    }
    whole = digits();
    if (at < text.size() && text[at] == '.') {
      ++at;
      has_point = true;
      fraction = digits();
    }
    if (whole.empty() && fraction.empty()) return;
    if (at < text.size() && (text[at] == 'e' || text[at] == 'E')) {
      const std::size_t start = at++;
      if (at < text.size() && (text[at] == '-' || text[at] == '+')) ++at;
      if (digits().empty()) return;
      exponent = text.substr(start, at - start);
    }
    fits = at == text.size();
  }

  /// As JSON writes it.
  [[nodiscard]] std::string json() const {
    std::string out = negative ? "-" : "";
    out.append(whole.empty() ? "0" : whole);
    if (has_point) out.append(".").append(fraction.empty() ? "0" : fraction);
    return out.append(exponent);
  }

  /// Python takes an exponent only with a point before it and a sign, and a sign only before a digit.
  [[nodiscard]] bool is_old_string() const {
    if (has_sign && whole.empty()) return true;
    return !exponent.empty() && (!has_point || (exponent[1] != '-' && exponent[1] != '+'));
  }
  /// The same number as every reader takes it.
  [[nodiscard]] std::string for_all() const {
    std::string out = negative ? "-" : "";
    out.append(whole.empty() ? "0" : whole).append(".").append(fraction.empty() ? "0" : fraction);
    if (exponent.empty()) return out;
    const bool has_exponent_sign = exponent[1] == '-' || exponent[1] == '+';
    return out.append(has_exponent_sign ? "e" : "e+").append(exponent.substr(1));
  }

  bool fits = false;
  bool has_sign = false;
  bool negative = false;
  bool has_point = false;
  std::string_view whole;
  std::string_view fraction;
  std::string_view exponent;
};

bool is_octal_or_hexadecimal(std::string_view text) {
  if (text.starts_with('-') || text.starts_with('+')) text.remove_prefix(1);
  const auto all = [&](std::string_view allowed) {
    return text.size() > 2 && text.find_first_not_of(allowed, 2) == std::string_view::npos;
  };
  // Go takes the letter in either case.
  if (text.starts_with("0o") || text.starts_with("0O")) return all("01234567");
  return (text.starts_with("0x") || text.starts_with("0X")) && all("0123456789abcdefABCDEF");
}

std::string small(std::string_view text) {
  std::string out(text);
  std::ranges::transform(out, out.begin(), ascii_lower);
  return out;
}

/// What YAML 1.1 takes for true or false.
bool is_old_boolean(std::string_view text) {
  const std::string word = small(text);
  if (!one_of(word, {"yes", "no", "on", "off"})) return false;
  // In one of three forms: yes, Yes, YES.
  const std::string_view rest = text.substr(1);
  const auto is_small_letter = [](char c) { return !is_capital(c); };
  return std::ranges::all_of(rest, is_small_letter) || (is_capital(text[0]) && std::ranges::all_of(rest, is_capital));
}

/// Numbers to the base of 60, such as 1:30 and 12:30:45.5.
bool is_sexagesimal(std::string_view text) {
  std::size_t at = 0;
  const auto digits = [&](std::size_t most) {
    const std::size_t start = at;
    while (at < text.size() && is_digit(text[at]) && at - start < most) ++at;
    return at > start;
  };
  if (!digits(text.size()) || at == text.size() || text[at] != ':') return false;
  while (at < text.size() && text[at] == ':') {
    ++at;
    if (!digits(2)) return false;
  }
  return at == text.size() ||
         (text[at] == '.' && text.find_first_not_of("0123456789", at + 1) == std::string_view::npos);
}

/// What some readers take for a number although YAML 1.2 does not: 1_000, 1:30, 0b11.
bool is_old_number(std::string_view text) {
  if (text.starts_with('-') || text.starts_with('+')) text.remove_prefix(1);
  if (text.empty() || (!is_digit(text[0]) && text[0] != '.')) return false;
  std::string bare(text);
  std::erase(bare, '_');
  if (bare.starts_with("0b") || bare.starts_with("0B"))
    return bare.size() > 2 && bare.find_first_not_of("01", 2) == std::string::npos;
  if (is_sexagesimal(bare)) return true;
  return bare.size() < text.size() && (is_octal_or_hexadecimal(bare) || Decimal(bare).fits);
}

bool is_infinity_or_nan(std::string_view text) {
  if (one_of(text, {".nan", ".NaN", ".NAN"})) return true;
  if (text.starts_with('-') || text.starts_with('+')) text.remove_prefix(1);
  return one_of(text, {".inf", ".Inf", ".INF"});
}

}  // namespace

Scalar resolve_plain_scalar(std::string_view text) {
  Scalar scalar{.text = std::string(text)};
  if (text.empty() || text == "null") {
    scalar.kind = Node::Kind::kNull;
  } else if (one_of(text, {"~", "Null", "NULL"})) {
    scalar.kind = Node::Kind::kNull;
    scalar.refusal = fmt::format("{0} without quotes is null to most YAML readers; write null, or \"{0}\"", text);
  } else if (is_old_boolean(text)) {
    scalar.refusal = fmt::format("{0} is a boolean to some YAML readers and a string to others; write {1}, or \"{0}\"",
                                 text, one_of(small(text), {"yes", "on"}) ? "true" : "false");
  } else if (is_old_number(text)) {
    scalar.refusal = fmt::format(
        "{0} is a number to some YAML readers and a string to others; write \"{0}\", or the "
        "digits alone",
        text);
  } else if (text == "=") {
    scalar.refusal = "= is a value of its own to some YAML readers and a string to others; write \"=\"";
  } else if (one_of(text, {"true", "True", "TRUE", "false", "False", "FALSE"})) {
    scalar.kind = Node::Kind::kBoolean;
    scalar.boolean = text[0] == 't' || text[0] == 'T';
  } else if (looks_like_timestamp(text)) {
    scalar.refusal = fmt::format("{0} is a date to some YAML readers and a string to others; write \"{0}\"", text);
  } else if (is_infinity_or_nan(text)) {
    scalar.refusal = fmt::format("{} cannot be written in JSON; write a finite number or a string in quotes", text);
  } else if (is_octal_or_hexadecimal(text)) {
    scalar.refusal = fmt::format("{0} is not a form of number that JSON allows; write it in decimal, or \"{0}\"", text);
  } else if (const Decimal decimal(text); decimal.fits) {
    scalar.kind = Node::Kind::kNumber;
    if (decimal.is_old_string())
      scalar.refusal = fmt::format("{0} is a string to some YAML readers and a number to others; write {1}, or \"{0}\"",
                                   text, decimal.for_all());
    else if (decimal.whole.size() > 1 && decimal.whole.starts_with('0'))
      scalar.refusal = fmt::format(
          "{0} is octal to some YAML readers and decimal to others; remove the zero, or write \"{0}\"", text);
    scalar.text = decimal.json();
  }
  return scalar;
}

std::string read_single_quoted(std::string_view text) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    if (text[at] == '\'') {
      out.push_back('\'');
      at += 2;
    } else if (text[at] == '\n' || text[at] == '\r') {
      // The blanks around a break do not count. One break is a space, and more of them are one less.
      out.erase(out.find_last_not_of(" \t") + 1);
      std::size_t breaks = 0;
      for (; at < text.size() && std::string_view(" \t\r\n").find(text[at]) != std::string_view::npos; ++at)
        if (text[at] == '\n' || (text[at] == '\r' && !text.substr(at).starts_with("\r\n"))) ++breaks;
      if (breaks == 1)
        out.push_back(' ');
      else
        out.append(breaks - 1, '\n');
    } else {
      out.push_back(text[at++]);
    }
  }
  return out;
}

}  // namespace dolmen::config
