#include "engine/consumed.h"

#include <algorithm>
#include <utility>

namespace dolmen::engine {
namespace {

void add(std::optional<double>& sum, const std::optional<double>& more) {
  if (more) sum = sum.value_or(0) + *more;
}

}  // namespace

void add_capacity(std::vector<ConsumedCapacity>& all, ConsumedCapacity more) {
  const auto found = std::ranges::find(all, more.table, &ConsumedCapacity::table);
  if (found == all.end()) {
    all.push_back(std::move(more));
    return;
  }
  found->total += more.total;
  found->of_table += more.of_table;
  for (const auto& [name, units] : more.of_local_indexes) found->of_local_indexes[name] += units;
  for (const auto& [name, units] : more.of_global_indexes) found->of_global_indexes[name] += units;
  for (const auto& [name, bytes] : more.of_vector_indexes) found->of_vector_indexes[name] += bytes;
  add(found->read, more.read);
  add(found->write, more.write);
}

}  // namespace dolmen::engine
