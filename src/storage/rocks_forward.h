#pragma once

// The names of RocksDB that headers of this room mention. Its own headers are included by .cc files only.
namespace rocksdb {
class ColumnFamilyHandle;
class DB;
class Env;
class Status;
struct Options;
struct ReadOptions;
}  // namespace rocksdb
