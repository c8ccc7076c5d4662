#include "store/missing_table.h"

#include <algorithm>
#include <fmt/format.h>

namespace dolmen {

void AskedTables::add(const std::string& table) {
  if (first_.empty())
    first_ = table;
  else if (table != first_ && std::ranges::find(others_, table) == others_.end())
    others_.push_back(table);
}

Error AskedTables::named_in(Error error) const {
  if (error.code() != Code::kTableNotFound || first_.empty()) return error;
  if (others_.empty()) return {Code::kTableNotFound, fmt::format("Table \"{}\" does not exist", first_)};
  return {Code::kTableNotFound,
          fmt::format("One of the tables \"{}\" and \"{}\" does not exist", first_, fmt::join(others_, "\", \""))};
}

}  // namespace dolmen
