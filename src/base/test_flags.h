#pragma once

#include <charconv>
#include <cstdint>
#include <cstdio>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

namespace dolmen {

/// Reads a whole text as a number. False when it is not a number.
template <class Number>
bool read_number(std::string_view text, Number& number) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc{} && end == text.data() + text.size() && !text.empty();
}

/// A flag of a test program, and the variable for its value. A text must not be empty.
struct TestFlag {
  std::string_view name;
  std::variant<std::uint64_t*, std::string*> value;

  [[nodiscard]] bool read(std::string_view text) const {
    if (std::uint64_t* const* number = std::get_if<std::uint64_t*>(&value)) return read_number(text, **number);
    *std::get<std::string*>(value) = text;
    return !text.empty();
  }
};

/// Reads pairs of a flag and a value. Returns the status with which the program must end, if it must: after --help, or
/// when the arguments are invalid.
inline std::optional<int> read_test_flags(std::string_view usage, int count, char** arguments,
                                          std::initializer_list<TestFlag> flags) {
  if (count == 2 && std::string_view(arguments[1]) == "--help") {
    std::fputs(usage.data(), stdout);
    return 0;
  }
  const auto read_one = [&](std::string_view name, std::string_view value) {
    for (const TestFlag& flag : flags)
      if (flag.name == name) return flag.read(value);
    return false;
  };
  bool good = count % 2 == 1;
  for (int i = 1; good && i + 1 < count; i += 2) good = read_one(arguments[i], arguments[i + 1]);
  if (good) return std::nullopt;
  std::fputs(usage.data(), stderr);
  return 2;
}

}  // namespace dolmen
