#include "base/fail.h"
#include "base/unicode.h"
#include "objects/object_store.h"

namespace dolmen {
namespace {

constexpr std::size_t kObjectKeyBytesMax = 1024;

}  // namespace

Result<std::vector<std::string_view>> object_key_parts(std::string_view key, bool allow_empty_parts) {
  if (key.empty() || key.size() > kObjectKeyBytesMax || !is_utf8(key) || key.contains('\0'))
    return fail(Code::kInvalidArgument, "the key of an object must be 1 to {} bytes of UTF-8", kObjectKeyBytesMax);
  std::vector<std::string_view> parts;
  for (std::size_t begin = 0; begin <= key.size();) {
    const std::size_t end = std::min(key.find('/', begin), key.size());
    const std::string_view part = key.substr(begin, end - begin);
    if ((part.empty() && !allow_empty_parts) || part == "." || part == "..")
      return fail(Code::kInvalidArgument, "the key of an object, {}, has a part that is empty, . or ..", key);
    parts.push_back(part);
    begin = end + 1;
  }
  return parts;
}

}  // namespace dolmen
