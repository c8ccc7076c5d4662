#include "value/set_members.h"

#include <algorithm>
#include <functional>
#include <string>
#include <string_view>

namespace dolmen {

bool sort_members(EncodedWriter& out, std::span<SetMember> members) {
  const auto content = [&](const SetMember& member) {
    return std::string_view(out.data() + member.content, member.end - member.content);
  };
  if (std::ranges::adjacent_find(members, std::ranges::greater_equal(), content) == members.end()) return true;
  const std::size_t begin = members.front().begin;
  const std::size_t end = members.back().end;
  std::ranges::sort(members, std::ranges::less(), content);
  if (std::ranges::adjacent_find(members, std::ranges::equal_to(), content) != members.end()) return false;
  const std::string as_given(out.data() + begin, end - begin);
  char* at = out.data() + begin;
  for (const SetMember& member : members)
    at = std::copy_n(as_given.data() + (member.begin - begin), member.end - member.begin, at);
  return true;
}

}  // namespace dolmen
