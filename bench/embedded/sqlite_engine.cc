// SQLite with a log for writes (WAL), prepared statements, and one transaction for each write.
#include "base/check.h"
#include "bench/embedded/engine.h"

#ifdef DOLMEN_HAS_SQLITE
#include <sqlite3.h>

namespace dolmen::bench {
namespace {

class Statement {
 public:
  Statement(sqlite3* db, const char* text) : db_(db) {
    DOLMEN_CHECK(sqlite3_prepare_v2(db, text, -1, &statement_, nullptr) == SQLITE_OK, sqlite3_errmsg(db));
  }
  ~Statement() { sqlite3_finalize(statement_); }
  Statement(const Statement&) = delete;
  Statement& operator=(const Statement&) = delete;

  Statement& bind(int place, const std::string& text) {
    sqlite3_bind_text(statement_, place, text.data(), static_cast<int>(text.size()), SQLITE_TRANSIENT);
    return *this;
  }
  Statement& bind(int place, std::size_t number) {
    sqlite3_bind_int64(statement_, place, static_cast<sqlite3_int64>(number));
    return *this;
  }
  Statement& bind_bytes(int place, const std::string& bytes) {
    sqlite3_bind_blob(statement_, place, bytes.data(), static_cast<int>(bytes.size()), SQLITE_STATIC);
    return *this;
  }
  /// Copies the bytes of all rows; their number.
  std::size_t run() {
    std::size_t count = 0;
    std::string value;
    int state = 0;
    for (; (state = sqlite3_step(statement_)) == SQLITE_ROW; ++count)
      value.assign(static_cast<const char*>(sqlite3_column_blob(statement_, 0)),
                   static_cast<std::size_t>(sqlite3_column_bytes(statement_, 0)));
    DOLMEN_CHECK(state == SQLITE_DONE, sqlite3_errmsg(db_));
    sqlite3_reset(statement_);
    return count;
  }

 private:
  sqlite3* db_;
  sqlite3_stmt* statement_ = nullptr;
};

class SqliteEngine final : public Engine {
 public:
  explicit SqliteEngine(const EngineOptions& options) : rows_(options.rows), bytes_(options.rows) {
    std::filesystem::create_directories(options.directory);
    DOLMEN_CHECK(sqlite3_open((options.directory / "rows.db").c_str(), &db_) == SQLITE_OK, "SQLite opens");
    run("PRAGMA journal_mode=WAL");
    run(options.sync ? "PRAGMA synchronous=FULL" : "PRAGMA synchronous=OFF");
    run("PRAGMA cache_size=-16384");  // As large as Dolmen's block cache.
    run("CREATE TABLE rows(p TEXT, s INTEGER, owner TEXT, value BLOB, PRIMARY KEY(p, s)) WITHOUT ROWID");
    if (options.indexed) run("CREATE INDEX by_owner ON rows(owner, p)");
    put_ = std::make_unique<Statement>(db_, "INSERT OR REPLACE INTO rows VALUES(?, ?, ?, ?)");
    get_ = std::make_unique<Statement>(db_, "SELECT value FROM rows WHERE p = ? AND s = ?");
    query_ = std::make_unique<Statement>(db_, "SELECT value FROM rows WHERE p = ? ORDER BY s");
    query_index_ = std::make_unique<Statement>(db_, "SELECT value FROM rows WHERE owner = ? ORDER BY p");
  }
  ~SqliteEngine() override {
    put_.reset();
    get_.reset();
    query_.reset();
    query_index_.reset();
    sqlite3_close(db_);
  }
  SqliteEngine(const SqliteEngine&) = delete;
  SqliteEngine& operator=(const SqliteEngine&) = delete;

  void put(std::size_t number) override {
    put_->bind(1, partition_of(number))
        .bind(2, number % kRowsPerPartition)
        .bind(3, owner_of(number, rows_))
        .bind_bytes(4, bytes_.of(number))
        .run();
  }
  void get(std::size_t number) override {
    DOLMEN_CHECK(get_->bind(1, partition_of(number)).bind(2, number % kRowsPerPartition).run() == 1,
                 "the row is there");
  }
  std::size_t query(std::size_t partition) override {
    return query_->bind(1, partition_of(partition * kRowsPerPartition)).run();
  }
  std::size_t query_index(std::size_t owner) override { return query_index_->bind(1, owner_of(owner, rows_)).run(); }

 private:
  void run(const char* text) { Statement(db_, text).run(); }

  std::size_t rows_;
  RowBytes bytes_;
  sqlite3* db_ = nullptr;
  std::unique_ptr<Statement> put_, get_, query_, query_index_;
};

}  // namespace

std::unique_ptr<Engine> open_sqlite(const EngineOptions& options) { return std::make_unique<SqliteEngine>(options); }

}  // namespace dolmen::bench
#else
namespace dolmen::bench {
std::unique_ptr<Engine> open_sqlite(const EngineOptions&) { return nullptr; }
}  // namespace dolmen::bench
#endif
