#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>

#include "dolmen/error.h"
#include "dolmen/store.h"
#include "transfer/format.h"

namespace dolmen::transfer {

/// A table in a store, which must outlive it.
struct Place {
  Store& store;
  std::string table;
};

/// Creates a table like `from` when `to` does not exist, with its keys, indexes, billing, stream, time to live and
/// tags; what belongs to an account of AWS, or would keep it from being deleted, is left out. Fails with
/// kInvalidArgument when it exists with other keys.
Result<void> make_like(const Place& from, const Place& to);

struct CopyOptions {
  unsigned segments = 4;
  unsigned connections = 16;
  std::function<void(const Progress&)> progress = {};
};

/// Puts all items of one table into another that has the same keys. Returns how many. Items that only the other table
/// has stay.
Result<std::uint64_t> copy_items(const Place& from, const Place& to, const CopyOptions& options);

enum class Difference : std::uint8_t { kMissing, kChanged, kExtra };

struct DiffOptions {
  /// Called for each difference with the key.
  std::function<void(Difference kind, const Item& key)> found = {};
  std::function<void(const Progress&)> progress = {};
};

struct DiffResult {
  std::uint64_t same = 0;
  std::uint64_t changed = 0;
  std::uint64_t missing = 0;  ///< only the first table has them
  std::uint64_t extra = 0;    ///< only the second table has them

  [[nodiscard]] bool equal() const { return changed == 0 && missing == 0 && extra == 0; }
};

/// Compares the items of two tables that have the same keys, by reading both.
Result<DiffResult> compare_items(const Place& one, const Place& other, const DiffOptions& options);

struct FollowOptions {
  /// Ends when no change has come for so long; 0 means never.
  std::chrono::milliseconds idle{0};
  /// Asked often; true ends it.
  std::function<bool()> stopped = {};
  /// Called after each change that was carried out.
  std::function<void(std::uint64_t changes)> changed = {};
};

/// The changes of a table from now on, to be opened before its items are copied and followed afterwards. Fails with
/// kStreamNotFound, and says how to get one, when the table has no stream with new images. When the copying takes
/// longer than 15 minutes, the first changes are found by their time, in whole seconds of this machine's clock.
Result<StreamRange> open_changes(const Place& from);

/// Carries out changes in `to` until the options say stop. Returns their number.
Result<std::uint64_t> follow_changes(StreamRange& changes, const Place& to, const FollowOptions& options);

}  // namespace dolmen::transfer
