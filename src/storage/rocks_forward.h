#pragma once

// The RocksDB types that headers of this room mention. Only .cc files include RocksDB's own headers.
namespace rocksdb {
class ColumnFamilyHandle;
class DB;
class Env;
class Status;
struct Options;
struct ReadOptions;
}  // namespace rocksdb
