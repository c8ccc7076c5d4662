#include <fmt/format.h>
#include <vector>

#include "bench/embedded/engine.h"
#include "bench/filler.h"
#include "value/encoded_item.h"

namespace dolmen::bench {
namespace {

constexpr std::size_t kDataBytes = 900;
/// Rows repeat after so many, because all of them are made beforehand.
constexpr std::size_t kDifferentRows = 1000;

}  // namespace

std::string partition_of(std::size_t number) { return fmt::format("partition-{:08}", number / kRowsPerPartition); }

std::string owner_of(std::size_t number, std::size_t rows) {
  return fmt::format("owner-{:08}", number % (rows / kRowsPerOwner));
}

Item item_of(std::size_t number, std::size_t rows) {
  return {{"p", partition_of(number)},
          {"s", static_cast<std::int64_t>(number % kRowsPerPartition)},
          {"owner", owner_of(number, rows)},
          {"name", "a name of some length"},
          {"active", true},
          {"data", std::string(filler(number, kDataBytes))}};
}

std::string row_prefix(std::size_t partition) { return fmt::format("partition-{:08}/", partition); }
std::string row_key(std::size_t number) {
  return fmt::format("{}{:04}", row_prefix(number / kRowsPerPartition), number % kRowsPerPartition);
}
std::string index_prefix(std::size_t owner) { return fmt::format("owner-{:08}/", owner); }
std::string index_key(std::size_t number, std::size_t rows) {
  return index_prefix(number % (rows / kRowsPerOwner)) + row_key(number);
}

const std::string& RowBytes::of(std::size_t number) const {
  static const std::vector<std::string> all = [this] {
    std::vector<std::string> made;
    for (std::size_t i = 0; i < kDifferentRows; ++i) made.push_back(encode_item(item_of(i, rows_)).bytes);
    return made;
  }();
  return all[number % kDifferentRows];
}

}  // namespace dolmen::bench
