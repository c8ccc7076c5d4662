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
    if (at < text.size() && (text[at] == '-' || text[at] == '+')) negative = text[at++] == '-';
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

  bool fits = false;
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
  if (text.starts_with("0o")) return all("01234567");
  return text.starts_with("0x") && all("0123456789abcdefABCDEF");
}

bool is_infinity_or_nan(std::string_view text) {
  if (one_of(text, {".nan", ".NaN", ".NAN"})) return true;
  if (text.starts_with('-') || text.starts_with('+')) text.remove_prefix(1);
  return one_of(text, {".inf", ".Inf", ".INF"});
}

}  // namespace

Scalar resolve_plain_scalar(std::string_view text) {
  Scalar scalar{.text = std::string(text)};
  if (text.empty() || one_of(text, {"~", "null", "Null", "NULL"})) {
    scalar.kind = Node::Kind::kNull;
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
    if (decimal.whole.size() > 1 && decimal.whole.starts_with('0'))
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
