#include "schema/log_note.h"

#include <optional>

#include "base/fail.h"
#include "base/varint.h"

namespace dolmen::schema {
namespace {

constexpr std::string_view kMark = "schema/1:";

std::optional<std::string> take_text(std::string_view& bytes) {
  const std::optional<std::uint64_t> size = take_varint(bytes);
  if (!size || *size > bytes.size()) return std::nullopt;
  std::string text(bytes.substr(0, *size));
  bytes.remove_prefix(*size);
  return text;
}

}  // namespace

std::string log_note(const std::vector<SchemaRef>& refs) {
  std::string note(kMark);
  for (const SchemaRef& ref : refs) {
    append_varint(note, ref.id.size());
    note.append(ref.id);
    append_varint(note, ref.version.size());
    note.append(ref.version);
  }
  return note;
}

Result<std::vector<SchemaRef>> read_log_note(std::string_view bytes) {
  std::vector<SchemaRef> refs;
  if (!bytes.starts_with(kMark)) return refs;
  bytes.remove_prefix(kMark.size());
  do {
    const std::optional<std::string> id = take_text(bytes);
    const std::optional<std::string> version = id ? take_text(bytes) : std::nullopt;
    if (!version) return fail(Code::kCorruption, "a log record names its schema in a damaged form");
    refs.push_back({.id = *id, .version = *version});
  } while (!bytes.empty());
  return refs;
}

}  // namespace dolmen::schema
