#pragma once

#include <string>

#include "expr/binding.h"
#include "path.h"

namespace dolmen::torture {

/// Writes expressions down as a client does. Every second attribute name, and every value, goes into a placeholder.
class Wording {
 public:
  std::string value(const AttributeValue& value) {
    const std::string placeholder = ":v" + std::to_string(placeholders_.values.size());
    placeholders_.values.set(placeholder, value);
    return placeholder;
  }

  std::string path(const Path& path) {
    std::string text = name(path.root);
    for (const Path::Step& step : path.steps) {
      if (const auto* member = std::get_if<std::string>(&step)) {
        text += "." + name(*member);
      } else {
        text += "[" + std::to_string(std::get<std::size_t>(step)) + "]";
      }
    }
    return text;
  }

  std::string name(const std::string& name) {
    if (++names_ % 2 == 0) return name;
    const std::string placeholder = "#n" + std::to_string(names_);
    placeholders_.names[placeholder] = name;
    return placeholder;
  }

  [[nodiscard]] const expr::Placeholders& placeholders() const { return placeholders_; }

 private:
  expr::Placeholders placeholders_;
  unsigned names_ = 0;
};

}  // namespace dolmen::torture
