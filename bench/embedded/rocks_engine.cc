// RocksDB with the options that Dolmen gives it. The index is a second row with the same bytes, as Dolmen's is.
#include <rocksdb/db.h>
#include <rocksdb/write_batch.h>

#include "base/check.h"
#include "bench/embedded/engine.h"
#include "storage/rocks_options.h"

namespace dolmen::bench {
namespace {

void check(const rocksdb::Status& status) { DOLMEN_CHECK(status.ok(), status.ToString().c_str()); }

class RocksEngine final : public Engine {
 public:
  explicit RocksEngine(const EngineOptions& options)
      : rows_(options.rows), indexed_(options.indexed), bytes_(options.rows) {
    std::filesystem::create_directories(options.directory);
    const Durability durability = options.sync ? Durability::kSync : Durability::kOs;
    rocksdb::Options opened =
        storage::rocks_options({.directory = options.directory, .durability = durability}, rocksdb::Env::Default());
    opened.create_if_missing = true;
    rocksdb::DB* db = nullptr;
    check(rocksdb::DB::Open(opened, options.directory, &db));
    db_.reset(db);
    write_.sync = options.sync;
  }

  void put(std::size_t number) override {
    rocksdb::WriteBatch batch;
    check(batch.Put(row_key(number), bytes_.of(number)));
    if (indexed_) check(batch.Put(index_key(number, rows_), bytes_.of(number)));
    check(db_->Write(write_, &batch));
  }
  void get(std::size_t number) override {
    std::string value;
    check(db_->Get({}, row_key(number), &value));
  }
  std::size_t query(std::size_t partition) override { return read_all(row_prefix(partition)); }
  std::size_t query_index(std::size_t owner) override { return read_all(index_prefix(owner)); }

 private:
  std::size_t read_all(const std::string& prefix) {
    const std::unique_ptr<rocksdb::Iterator> at(db_->NewIterator({}));
    std::size_t count = 0;
    std::string value;
    for (at->Seek(prefix); at->Valid() && at->key().starts_with(prefix); at->Next(), ++count)
      value.assign(at->value().data(), at->value().size());
    return count;
  }

  std::size_t rows_;
  bool indexed_;
  RowBytes bytes_;
  std::unique_ptr<rocksdb::DB> db_;
  rocksdb::WriteOptions write_;
};

}  // namespace

std::unique_ptr<Engine> open_rocksdb(const EngineOptions& options) { return std::make_unique<RocksEngine>(options); }

}  // namespace dolmen::bench
