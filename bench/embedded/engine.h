#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <string>

#include "dolmen/value.h"

/// Stores inside of a process that do the same work: rows of 1 KB with a partition and a place in it, and an index by
/// another attribute, their owner.
namespace dolmen::bench {

inline constexpr std::size_t kRowsPerPartition = 100;
/// Rows of one owner are in different partitions.
inline constexpr std::size_t kRowsPerOwner = 100;

std::string partition_of(std::size_t number);
std::string owner_of(std::size_t number, std::size_t rows);
/// About 1 KB as DynamoDB counts.
Item item_of(std::size_t number, std::size_t rows);

struct EngineOptions {
  std::filesystem::path directory;
  /// Each write is on disk when it returns. Otherwise it survives the process, not the machine.
  bool sync = false;
  /// Rows have an index by their owner.
  bool indexed = false;
  /// How many there will be at first; owners are made from it.
  std::size_t rows = 0;
};

/// One of them. Rows are known by their number.
class Engine {
 public:
  virtual ~Engine() = default;
  /// Adds or replaces a row, and its entry in the index.
  virtual void put(std::size_t number) = 0;
  virtual void get(std::size_t number) = 0;
  /// Reads all rows of a partition, in their order, or of an owner; how many there were.
  virtual std::size_t query(std::size_t partition) = 0;
  virtual std::size_t query_index(std::size_t owner) = 0;
};

std::unique_ptr<Engine> open_dolmen(const EngineOptions& options);
std::unique_ptr<Engine> open_rocksdb(const EngineOptions& options);
/// Null where the library is not installed.
std::unique_ptr<Engine> open_sqlite(const EngineOptions& options);
std::unique_ptr<Engine> open_lmdb(const EngineOptions& options);

// ---- For engines that know only bytes ----

/// The key of a row, whose order is that of partitions and places, and that of its entry in the index.
std::string row_key(std::size_t number);
std::string index_key(std::size_t number, std::size_t rows);
/// What all keys of a partition or an owner begin with.
std::string row_prefix(std::size_t partition);
std::string index_prefix(std::size_t owner);

/// The bytes of a row, which are those that Dolmen stores; made before anything is measured.
class RowBytes {
 public:
  explicit RowBytes(std::size_t rows) : rows_(rows) {}
  const std::string& of(std::size_t number) const;

 private:
  std::size_t rows_;
};

}  // namespace dolmen::bench
