#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/requests.h"
#include "dolmen/error.h"

namespace dolmen::wire {

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

/// Calls `append(element)` for each element, with what makes a JSON list of them around and between.
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

/// Nothing when there is no item.
Result<void> append_item_member(ObjectWriter& object, std::string_view name, const std::optional<EncodedItem>& item);
Result<void> append_items_member(ObjectWriter& object, std::string_view name, const std::vector<EncodedItem>& items);

/// The parts of a table and its indexes are named only when they were asked for.
void append_capacity(std::string& out, const ConsumedCapacity& capacity, ReturnCapacity wanted);
void append_capacity_member(ObjectWriter& object, const std::optional<ConsumedCapacity>& capacity,
                            ReturnCapacity wanted);
/// Of an operation on several tables.
void append_capacities_member(ObjectWriter& object, const std::vector<ConsumedCapacity>& capacities,
                              ReturnCapacity wanted);

Result<void> append_collection_metrics(std::string& out, const ItemCollectionMetrics& metrics);

}  // namespace dolmen::wire
