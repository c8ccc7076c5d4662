#pragma once

#include <chrono>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "dolmen/error.h"
#include "dolmen/stream.h"
#include "service/service.h"
#include "store/stream_bookmark.h"

namespace dolmen::detail {

/// Reads the streams of a table through a service: all shards in turn, a shard after the one that it continues, and a
/// stream after the one before it.
class StreamReader {
 public:
  StreamReader(Service& service, std::string table, StreamOptions options);

  /// The next record. Waits for it as long as the options say, and returns nothing when none has come, or when the
  /// table's last stream has ended and is read.
  Result<std::optional<StreamRecord>> next();

  [[nodiscard]] std::string position() const;

 private:
  struct Shard {
    ShardPlace place;
    std::optional<std::string> parent;
    /// Where to read on; empty before the first read and when it has expired.
    std::string iterator = {};
    /// Begins with the records that are written from now on, whatever its place says.
    bool newest = false;
  };

  /// A record that was read from a shard and not returned yet.
  struct Waiting {
    std::size_t shard;
    StreamRecord record;
  };

  Result<void> open();
  Result<void> open_stream(StreamBookmark bookmark, bool newest);
  /// Adds the shards that are new.
  Result<void> find_shards(bool newest);
  /// Reads shards in turn until one has records. False when none has.
  Result<bool> read_shards();
  Result<void> read_shard(std::size_t index);
  /// From before the time at which reading was to begin.
  static bool is_too_old(const Shard& shard, const StreamChange& change);
  Result<GetRecordsResponse> read_page(Shard& shard);
  Result<std::string> iterator_of(const Shard& shard);
  [[nodiscard]] bool is_readable(const Shard& shard) const;
  /// False when the table has no later stream.
  Result<bool> go_to_next_stream();
  /// False when the time is used up.
  bool pause();

  Service& service_;
  const std::string table_;
  const StreamOptions options_;
  const Sleep sleep_;
  std::string arn_;
  std::vector<Shard> shards_;
  std::size_t turn_ = 0;  ///< The shard to read first in the next round.
  std::deque<Waiting> waiting_;
  std::chrono::milliseconds waited_{0};
};

}  // namespace dolmen::detail
