#include "protocol/object_writer.h"

#include "value/json.h"

namespace dolmen {

std::string& ObjectWriter::member(std::string_view name) {
  if (!first_) out_.push_back(',');
  first_ = false;
  append_text(name);
  out_.push_back(':');
  return out_;
}

ObjectWriter& ObjectWriter::text(std::string_view name, std::string_view value) {
  member(name);
  append_text(value);
  return *this;
}

ObjectWriter& ObjectWriter::json(std::string_view name, std::string_view value) {
  member(name).append(value);
  return *this;
}

void ObjectWriter::append_text(std::string_view value) { ::dolmen::json::append_string(out_, value); }

}  // namespace dolmen
