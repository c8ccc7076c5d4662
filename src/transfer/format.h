#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace dolmen::transfer {

/// How items stand in a file.
enum class Format : std::uint8_t {
  kPlain,  ///< a line of plain JSON for each item
  kTyped,  ///< a line of DynamoDB JSON for each item
  kCsv,    ///< a line with the names of the attributes, then one for each item (transfer/csv.h)
  kAws,    ///< the folder of an export by AWS (transfer/aws_folder.h)
};

/// kAws for a folder, kCsv for a name that ends in .csv or .csv.gz, and else kPlain.
Format format_of_file(std::string_view path);

/// How far a transfer is.
struct Progress {
  std::uint64_t items = 0;
  /// Of `whole`, in bytes or items; `whole` is 0 when nobody knows it.
  std::uint64_t done = 0;
  std::uint64_t whole = 0;
};

}  // namespace dolmen::transfer
