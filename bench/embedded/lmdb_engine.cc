// LMDB with one transaction for each operation. The index is a second row with the same bytes, as Dolmen's is.
#include "base/check.h"
#include "bench/embedded/engine.h"

#ifdef DOLMEN_HAS_LMDB
#include <lmdb.h>

namespace dolmen::bench {
namespace {

constexpr std::size_t kMapBytes = std::size_t{8} << 30;

void check(int state) { DOLMEN_CHECK(state == MDB_SUCCESS, mdb_strerror(state)); }

MDB_val view(const std::string& text) { return {.mv_size = text.size(), .mv_data = const_cast<char*>(text.data())}; }

class LmdbEngine final : public Engine {
 public:
  explicit LmdbEngine(const EngineOptions& options)
      : rows_(options.rows), indexed_(options.indexed), bytes_(options.rows) {
    std::filesystem::create_directories(options.directory);
    check(mdb_env_create(&environment_));
    check(mdb_env_set_mapsize(environment_, kMapBytes));
    check(mdb_env_open(environment_, options.directory.c_str(), options.sync ? 0 : MDB_NOSYNC, 0600));
    MDB_txn* transaction = nullptr;
    check(mdb_txn_begin(environment_, nullptr, 0, &transaction));
    check(mdb_dbi_open(transaction, nullptr, 0, &table_));
    check(mdb_txn_commit(transaction));
  }
  ~LmdbEngine() override { mdb_env_close(environment_); }
  LmdbEngine(const LmdbEngine&) = delete;
  LmdbEngine& operator=(const LmdbEngine&) = delete;

  void put(std::size_t number) override {
    MDB_txn* transaction = nullptr;
    check(mdb_txn_begin(environment_, nullptr, 0, &transaction));
    add(transaction, row_key(number), bytes_.of(number));
    if (indexed_) add(transaction, index_key(number, rows_), bytes_.of(number));
    check(mdb_txn_commit(transaction));
  }
  void get(std::size_t number) override {
    MDB_txn* transaction = nullptr;
    check(mdb_txn_begin(environment_, nullptr, MDB_RDONLY, &transaction));
    const std::string key = row_key(number);
    MDB_val at = view(key);
    MDB_val found{};
    check(mdb_get(transaction, table_, &at, &found));
    const std::string value(static_cast<const char*>(found.mv_data), found.mv_size);
    mdb_txn_abort(transaction);
    DOLMEN_CHECK(!value.empty(), "a row has bytes");
  }
  std::size_t query(std::size_t partition) override { return read_all(row_prefix(partition)); }
  std::size_t query_index(std::size_t owner) override { return read_all(index_prefix(owner)); }

 private:
  void add(MDB_txn* transaction, const std::string& key, const std::string& value) {
    MDB_val at = view(key);
    MDB_val bytes = view(value);
    check(mdb_put(transaction, table_, &at, &bytes, 0));
  }

  std::size_t read_all(const std::string& prefix) {
    MDB_txn* transaction = nullptr;
    check(mdb_txn_begin(environment_, nullptr, MDB_RDONLY, &transaction));
    MDB_cursor* cursor = nullptr;
    check(mdb_cursor_open(transaction, table_, &cursor));
    MDB_val at = view(prefix);
    MDB_val found{};
    std::size_t count = 0;
    std::string value;
    for (int state = mdb_cursor_get(cursor, &at, &found, MDB_SET_RANGE);
         state == MDB_SUCCESS && std::string_view(static_cast<const char*>(at.mv_data), at.mv_size).starts_with(prefix);
         state = mdb_cursor_get(cursor, &at, &found, MDB_NEXT), ++count)
      value.assign(static_cast<const char*>(found.mv_data), found.mv_size);
    mdb_cursor_close(cursor);
    mdb_txn_abort(transaction);
    return count;
  }

  std::size_t rows_;
  bool indexed_;
  RowBytes bytes_;
  MDB_env* environment_ = nullptr;
  MDB_dbi table_ = 0;
};

}  // namespace

std::unique_ptr<Engine> open_lmdb(const EngineOptions& options) { return std::make_unique<LmdbEngine>(options); }

}  // namespace dolmen::bench
#else
namespace dolmen::bench {
std::unique_ptr<Engine> open_lmdb(const EngineOptions&) { return nullptr; }
}  // namespace dolmen::bench
#endif
