#include "storage/rocks_error.h"

#include <fmt/core.h>
#include <rocksdb/status.h>

namespace dolmen::storage {
namespace {

Code code_from(const rocksdb::Status& status) {
  if (status.IsNoSpace()) return Code::kNoSpace;
  if (status.IsCorruption()) return Code::kCorruption;
  if (status.IsShutdownInProgress()) return Code::kClosed;
  if (status.IsInvalidArgument()) return Code::kInvalidArgument;
  return Code::kIo;
}

}  // namespace

Error error_from(const rocksdb::Status& status, std::string_view doing) {
  return {code_from(status), fmt::format("cannot {}: {}", doing, status.ToString())};
}

Error damage_error(const rocksdb::Status& status, const std::string& path, std::string_view hint) {
  const bool missing = status.IsNotFound() || status.IsPathNotFound();
  return {missing ? Code::kCorruption : code_from(status),
          fmt::format("cannot open the store in {}: {}{}{}. Nothing has been changed", path, status.ToString(),
                      hint.empty() ? "" : "; ", hint)};
}

}  // namespace dolmen::storage
