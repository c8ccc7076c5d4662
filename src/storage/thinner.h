#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <optional>
#include <thread>

#include "storage/database.h"
#include "storage/keyspace.h"

namespace dolmen::storage {

/// Writes the buffer of a keyspace to a file when it is full of replaced versions of rows. They stay in the buffer
/// until then, and whoever reads a range passes all of them: with a thousand rows of 1 KB that are replaced over and
/// over, a buffer of 16 MB has fifteen old versions of each, and a page takes three times as long. The file has only
/// the last ones.
///
/// Any thread may call it. The work is done by a thread of its own, which is started when it is first needed.
class Thinner {
 public:
  /// A buffer with fewer bytes is left alone, so that there are not many small files.
  static constexpr std::uint64_t kBufferBytesMin = std::uint64_t{1} << 20;
  /// Nothing is written while fewer bytes are free on the disk: a file that does not fit would stop all writes.
  static constexpr std::uint64_t kFreeBytesMin = std::uint64_t{64} << 20;
  /// So many versions in one read are worth the effort, if there are so many to each row, which counts as one.
  static constexpr std::uint64_t kPassedMin = 256;
  static constexpr std::uint64_t kPassedPerRowMin = 5;
  /// After a look that found nothing to write, so many reads are not worth another.
  static constexpr int kIgnoredReads = 64;

  explicit Thinner(const Database& database) : database_(database) {}
  /// Waits for a write to a file that has begun.
  ~Thinner() { stop(); }
  Thinner(const Thinner&) = delete;
  Thinner& operator=(const Thinner&) = delete;

  /// Tells that a read of so many rows has passed so many versions (version_count.h).
  void tell(Keyspace keyspace, std::uint64_t rows, std::uint64_t passed) {
    if (passed < kPassedMin || passed < rows * kPassedPerRowMin) return;
    if (ignored_.load(std::memory_order_relaxed) > 0)
      ignored_.fetch_sub(1, std::memory_order_relaxed);
    else
      ask(keyspace);
  }

  /// Nothing is written once this has returned.
  void stop();

  /// Waits until nothing is asked for. For tests.
  void wait_until_idle();

 private:
  void ask(Keyspace keyspace);
  void run();
  /// Whether something was written.
  bool thin(Keyspace keyspace) const;

  const Database& database_;
  std::atomic<int> ignored_ = 0;  ///< So many reads to come.
  std::mutex asked_mutex_;        ///< Guards all members below.
  std::optional<Keyspace> asked_;
  bool busy_ = false;
  bool stopping_ = false;
  std::condition_variable changed_;
  std::thread thread_;
};

}  // namespace dolmen::storage
