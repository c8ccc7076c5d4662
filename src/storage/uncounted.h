#pragma once

namespace dolmen::storage {

/// While this lives, RocksDB does not count what the thread does in it. Nobody reads these numbers, and each comparison
/// of keys costs two searches for a variable of the thread: 8 % of the instructions of a write. A program that uses
/// RocksDB itself, and counts there, is not disturbed.
class Uncounted {
 public:
  Uncounted();
  ~Uncounted();
  Uncounted(const Uncounted&) = delete;
  Uncounted& operator=(const Uncounted&) = delete;

 private:
  const int level_before_;
};

}  // namespace dolmen::storage
