#include "isr/body_key.h"

#include "base/fail.h"
#include "base/unicode.h"

namespace dolmen {
namespace {

constexpr std::size_t kKeyBytesMax = 1024;

}  // namespace

Result<std::vector<std::string_view>> body_key_parts(std::string_view key) {
  if (key.empty() || key.size() > kKeyBytesMax || !is_utf8(key))
    return fail(Code::kInvalidArgument, "the key of a body must be 1 to {} bytes of UTF-8", kKeyBytesMax);
  std::vector<std::string_view> parts;
  for (std::size_t begin = 0; begin <= key.size();) {
    const std::size_t end = std::min(key.find('/', begin), key.size());
    parts.push_back(key.substr(begin, end - begin));
    if (parts.back().empty() || parts.back() == "." || parts.back() == "..")
      return fail(Code::kInvalidArgument, "the key of a body, {}, has a part that is empty, . or ..", key);
    begin = end + 1;
  }
  return parts;
}

}  // namespace dolmen
