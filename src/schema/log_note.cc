#include "schema/log_note.h"

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

std::string log_note(const SchemaRef& ref) {
  std::string note(kMark);
  append_varint(note, ref.id.size());
  note.append(ref.id);
  append_varint(note, ref.version.size());
  return note.append(ref.version);
}

Result<std::optional<SchemaRef>> read_log_note(std::string_view bytes) {
  if (!bytes.starts_with(kMark)) return std::nullopt;
  bytes.remove_prefix(kMark.size());
  const std::optional<std::string> id = take_text(bytes);
  const std::optional<std::string> version = id ? take_text(bytes) : std::nullopt;
  if (!version || !bytes.empty()) return fail(Code::kCorruption, "a log record names its schema in a damaged form");
  return SchemaRef{.id = *id, .version = *version};
}

}  // namespace dolmen::schema
