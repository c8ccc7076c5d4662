#include "document/turns.h"

namespace dolmen::document {

Turns::Turn Turns::take(const RowKey& row) {
  std::unique_lock lock(lines_mutex_);
  const auto line = lines_.try_emplace(row.partition + '\0' + row.sort).first;
  const std::uint64_t number = line->second.next++;
  line->second.moved.wait(lock, [&] { return line->second.serving == number; });
  return {*this, line};
}

Turns::Turn::~Turn() {
  const std::scoped_lock lock(turns_.lines_mutex_);
  Line& line = line_->second;
  if (++line.serving == line.next)
    turns_.lines_.erase(line_);
  else
    line.moved.notify_all();
}

}  // namespace dolmen::document
