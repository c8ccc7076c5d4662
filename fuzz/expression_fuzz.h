#pragma once

#include <cstdio>
#include <optional>
#include <string>

#include "fuzz/fuzz.h"
#include "fuzz/reference/generator.h"

/// Shared by the fuzzers of expressions. An input whose first byte is even is the text of an expression; otherwise its
/// bytes drive a generator, so that mutations produce deep expressions.
namespace dolmen {

inline bool is_text_input(std::string_view input) { return input.empty() || input[0] % 2 == 0; }

/// The text after the first byte as an expression, with those of some fixed placeholders that occur in it.
inline reference::Request request_of_text(std::string_view input) {
  const std::map<std::string, std::string> names = {{"#a", "a"}, {"#l", "l"}, {"#m", "m"}, {"#0", "a.b"}};
  const Item values{{":n", 1},
                    {":s", "ab"},
                    {":b", Bytes("ab")},
                    {":t", true},
                    {":z", nullptr},
                    {":l", List{1, "ab"}},
                    {":m", Item{{"a", 1}}},
                    {":type", "SS"},
                    {":ss", StringSet{"ab", "b"}},
                    {":ns", NumberSet{1, 2}},
                    {":bs", BinarySet{Bytes("ab")}}};
  reference::Request request{.text = std::string(input.empty() ? input : input.substr(1))};
  const auto occurs = [&](const std::string& placeholder) {
    for (std::size_t at = 0; (at = request.text.find(placeholder, at)) != std::string::npos; ++at) {
      const std::size_t end = at + placeholder.size();
      const char after = end < request.text.size() ? request.text[end] : ' ';
      const bool goes_on = (after >= '0' && after <= '9') || (after >= 'a' && after <= 'z') ||
                           (after >= 'A' && after <= 'Z') || after == '_';
      if (!goes_on) return true;
    }
    return false;
  };
  for (const auto& [placeholder, name] : names)
    if (occurs(placeholder)) request.names.emplace(placeholder, name);
  for (const auto& [placeholder, value] : values)
    if (occurs(placeholder)) request.values.set(placeholder, value);
  return request;
}

/// An item that has every type, for texts.
inline Item item_for_text() {
  return {{"a", 1},
          {"b", "ab"},
          {"c", Bytes("ab")},
          {"l", List{1, "ab", List{2, 3}, Item{{"a", 1}, {"b", StringSet{"ab"}}}}},
          {"m", Item{{"a", 1}, {"l", List{1, 2, 3}}, {"m", Item{{"a", nullptr}}}}},
          {"ss", StringSet{"ab", "c"}},
          {"ns", NumberSet{1, 3}},
          {"bs", BinarySet{Bytes("ab")}},
          {"t", true}};
}

/// Stops the process and prints the disagreement of the two evaluators, if there is one.
inline void check_agreement(const std::optional<std::string>& disagreement) {
  if (disagreement) std::fprintf(stderr, "%s\n", disagreement->c_str());
  DOLMEN_CHECK(!disagreement, "src/expr and the reference agree");
}

}  // namespace dolmen
