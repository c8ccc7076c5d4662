#include "protocol/object_writer.h"

#include "value/json.h"

namespace dolmen {

std::string& ObjectWriter::member(std::string_view name) {
  if (!first_) out_.push_back(',');
  first_ = false;
  json::append_string(out_, name);
  out_.push_back(':');
  return out_;
}

}  // namespace dolmen
