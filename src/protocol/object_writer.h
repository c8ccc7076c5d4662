#pragma once

#include <string>
#include <string_view>

namespace dolmen {

/// Writes a JSON object member by member.
class ObjectWriter {
 public:
  explicit ObjectWriter(std::string& out) : out_(out) { out_.push_back('{'); }

  /// Begins a member; its value is appended to the returned text.
  std::string& member(std::string_view name);
  void end() { out_.push_back('}'); }

 private:
  std::string& out_;
  bool first_ = true;
};

/// Writes a JSON list. Calls `append(element)` for each element.
template <class Elements, class Append>
void append_array(std::string& out, const Elements& elements, Append append) {
  out.push_back('[');
  bool first = true;
  for (const auto& element : elements) {
    if (!first) out.push_back(',');
    first = false;
    append(element);
  }
  out.push_back(']');
}

}  // namespace dolmen
