#pragma once

#include <memory>

namespace rocksdb {
class Env;
class FileSystem;
}  // namespace rocksdb

namespace dolmen::storage {

/// `base`, which is a file system of the operating system, with tables that a thread reads without waiting while it has
/// a NoWaiting (no_waiting.h):
///
/// - Reads take what is in the page cache (preadv2 with RWF_NOWAIT), all of it or nothing. Where the file system or the
///   kernel cannot do that, they wait.
/// - Several reads of one table at once are all begun before the first one is awaited, by threads that may wait.
/// - No table is opened. RocksDB reads the index and the filter of a table then, which is more than such a thread has
///   time for, and goes on without some parts that it cannot read. While another thread opens one, such a thread does
///   not read at all (patient_read.h).
///
/// What is refused has the status Busy. RocksDB remembers none of it: a table that could not be opened is opened by
/// the next read.
std::shared_ptr<rocksdb::FileSystem> make_unwaiting_files(const std::shared_ptr<rocksdb::FileSystem>& base);

/// The process's environment with such files.
std::unique_ptr<rocksdb::Env> make_unwaiting_env();

}  // namespace dolmen::storage
