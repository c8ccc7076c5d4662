#pragma once

#include <cstdarg>
#include <rocksdb/env.h>

namespace dolmen::storage {

/// Keeps RocksDB from writing a log file of its own.
class QuietLog final : public rocksdb::Logger {
 public:
  using rocksdb::Logger::Logv;
  void Logv(const char* /*format*/, va_list /*arguments*/) override {}
};

}  // namespace dolmen::storage
