#pragma once

namespace dolmen::storage {

/// During its lifetime RocksDB does not update its performance counters on this thread. Dolmen does not read them, and
/// they cost each comparison of keys two look-ups of a thread-local variable, 8 % of the instructions of a write.
/// Programs that use RocksDB themselves keep their own setting.
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
