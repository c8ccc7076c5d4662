#pragma once

#include <string>

#include "fuzz/reference/choices.h"
#include "fuzz/reference/grammar.h"

namespace dolmen::reference {

/// Makes expressions, most of them valid, and items for them. Names and values come from a small set, so that
/// expressions often match the items.
class Generator {
 public:
  explicit Generator(Choices& choices) : choices_(choices) {}

  Item item();
  AttributeValue value(int depth = 0);

  /// Each call begins a new request.
  Request condition();
  Request key_condition();
  Request projection();
  Request update();

 private:
  Request finished(std::string text);
  std::string condition_text(int depth);
  std::string comparison_text();
  std::string function_text();
  std::string key_text();
  std::string operand_text(int depth);
  std::string assigned_text();
  std::string update_operand_text(int depth);
  std::string path_text();
  std::string top_level_name();
  std::string name_text(const std::string& name);
  std::string value_text(AttributeValue value);
  std::string given_text() { return value_text(value()); }
  AttributeValue scalar();
  AttributeValue set();
  Number number();
  std::string text();
  std::string attribute();

  Choices& choices_;
  Request request_;
};

}  // namespace dolmen::reference
