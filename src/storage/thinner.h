#pragma once

#include <condition_variable>
#include <cstddef>
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
  /// So many versions in one read are worth the effort, if there are so many to each row, which counts as one.
  static constexpr std::uint64_t kPassedMin = 256;
  static constexpr std::uint64_t kPassedPerRowMin = 5;

  explicit Thinner(const Database& database) : database_(database) {}
  /// Waits for a write to a file that has begun.
  ~Thinner() { stop(); }
  Thinner(const Thinner&) = delete;
  Thinner& operator=(const Thinner&) = delete;

  /// Tells that a read of so many rows has passed so many versions (version_count.h).
  void tell(Keyspace keyspace, std::uint64_t rows, std::uint64_t passed) {
    if (passed >= kPassedMin && passed >= rows * kPassedPerRowMin) ask(keyspace);
  }

  /// Nothing is written once this has returned.
  void stop();

  /// Waits until nothing is asked for. For tests.
  void wait_until_idle();

 private:
  void ask(Keyspace keyspace);
  void run();
  void thin(Keyspace keyspace) const;

  const Database& database_;
  std::mutex asked_mutex_;  ///< Guards all members below.
  std::optional<Keyspace> asked_;
  bool busy_ = false;
  bool stopping_ = false;
  std::condition_variable changed_;
  std::thread thread_;
};

}  // namespace dolmen::storage
