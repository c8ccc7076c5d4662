#include "engine/traced.h"

#include <algorithm>
#include <string>
#include <vector>

#include "base/hash.h"
#include "engine/row_key.h"
#include "value/encoded_item.h"
#include "value/json.h"

namespace dolmen::engine {
namespace {

/// The partition key as JSON, shortened.
std::string partition_label(const KeySchema& keys, std::string_view row) {
  constexpr std::size_t kLabelBytesMax = 200;
  std::vector<std::string> names;
  for (const KeyAttribute& attribute : keys.partition) names.push_back(attribute.name);
  std::ranges::sort(names);
  std::string label;
  if (!json::append_item(label, select_attributes(row, names).bytes)) return "(damaged)";
  if (label.size() <= kLabelBytesMax) return label;
  std::size_t end = kLabelBytesMax;
  // Not in the middle of a character.
  while ((static_cast<unsigned char>(label[end]) & 0xC0U) == 0x80U) --end;
  return label.substr(0, end) + "...";
}

}  // namespace

void trace_row(ReadTrace::Part& part, const KeySchema& keys, std::string_view row, std::uint64_t bytes) {
  std::string ordered;
  for (const KeyAttribute& attribute : keys.partition)
    if (const auto value = find_attribute(row, attribute.name)) append_ordered_value(ordered, *value);
  part.read({.partition = hash64(ordered), .bytes = bytes}, [&] { return partition_label(keys, row); });
}

}  // namespace dolmen::engine
