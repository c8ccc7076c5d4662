#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "dolmen/error.h"
#include "storage/storage.h"

/// Reading what is left of a damaged store.
namespace dolmen::storage {

/// A copy of a damaged store that reads whatever can be read, and what could not.
struct Salvaged {
  std::unique_ptr<Storage> storage;
  /// A line for each file that could not be copied or read, and for each log that was cut.
  std::vector<std::string> losses;
};

/// Copies the database of `damaged`, which nobody may have open, to `copy`, which must be missing or empty, and opens
/// the copy however damaged it is: records of logs that are not whole are left out, and when the list of files is
/// damaged it is made again from the files. `damaged` is only read. Fails with kDirectoryInUse, kDirectoryUnusable,
/// kForeignDirectory, kFormatVersion and kNoSpace, and with kCorruption when nothing can be read at all.
Result<Salvaged> open_salvaged(const std::filesystem::path& damaged, const std::filesystem::path& copy,
                               const std::vector<std::string>& keyspaces);

/// Visits every row of a range that can be read, with its value as it is stored: those that are encrypted stay so. What
/// stands in a damaged block is left out; `lost` hears of each such place. An error of `visit` ends the walk.
Result<void> visit_readable(const Storage& storage, Keyspace keyspace, KeyRangeView range,
                            const std::function<Result<void>(std::string_view key, std::string_view value)>& visit,
                            const std::function<void(const Error& cause)>& lost);

}  // namespace dolmen::storage
