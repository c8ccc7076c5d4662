#pragma once

#include <concepts>
#include <string>
#include <string_view>

namespace dolmen {

/// Writes a JSON object member by member. `ObjectView` reads such objects.
class ObjectWriter {
 public:
  explicit ObjectWriter(std::string& out) : out_(out) { out_.push_back('{'); }

  /// Begins a member; its value is appended to the returned text.
  std::string& member(std::string_view name);
  void end() { out_.push_back('}'); }

  ObjectWriter& text(std::string_view name, std::string_view value);
  /// A value that is JSON already.
  ObjectWriter& json(std::string_view name, std::string_view value);
  ObjectWriter& flag(std::string_view name, bool value) { return json(name, value ? "true" : "false"); }
  template <std::integral T>
  ObjectWriter& number(std::string_view name, T value) {
    return json(name, std::to_string(value));
  }
  /// A list of strings.
  template <class Texts>
  ObjectWriter& texts(std::string_view name, const Texts& values);
  /// A list of objects: `write(object, element)` writes the members of each.
  template <class Elements, class Write>
  ObjectWriter& objects(std::string_view name, const Elements& elements, Write write);

 private:
  void append_text(std::string_view value);

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

template <class Texts>
ObjectWriter& ObjectWriter::texts(std::string_view name, const Texts& values) {
  append_array(member(name), values, [&](std::string_view value) { append_text(value); });
  return *this;
}

template <class Elements, class Write>
ObjectWriter& ObjectWriter::objects(std::string_view name, const Elements& elements, Write write) {
  append_array(member(name), elements, [&](const auto& element) {
    ObjectWriter object(out_);
    write(object, element);
    object.end();
  });
  return *this;
}

/// The text of an object; `write(object)` writes its members.
template <class Write>
std::string object_text(Write write) {
  std::string out;
  ObjectWriter object(out);
  write(object);
  object.end();
  return out;
}

}  // namespace dolmen
