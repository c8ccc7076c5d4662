// Moves a table from one store to another, whatever the stores are: both are behind the same interface. For tables that
// are in use, `dolmen copy --follow` does the same and carries out later changes as well.
//
//     example_move [FROM TO TABLE], such as example_move ./data aws:eu-west-1 notes

#include <cstdio>
#include <dolmen/batch.h>
#include <dolmen/dolmen.h>
#include <dolmen/tables.h>
#include <string>
#include <utility>
#include <vector>

namespace db = dolmen;

namespace {

constexpr std::size_t kItemsAtATime = 1000;

int report(const db::Error& error) {
  std::fprintf(stderr, "%s: %s\n", std::string(db::code_name(error.code())).c_str(), error.message().c_str());
  return 1;
}

db::Result<void> write(db::Store& to, std::vector<db::BatchAction> actions) {
  const db::WriteAllResult written = db::write_all(to, std::move(actions));
  if (written.error) return std::unexpected(*written.error);
  if (!written.complete()) return std::unexpected(db::Error(db::Code::kThrottled, "the target refuses more items"));
  return {};
}

/// The table as it is: keys, indexes, time to live. Returns how many items were copied.
db::Result<std::size_t> copy(db::Store& from, db::Store& to, const std::string& table) {
  DOLMEN_TRY(const db::TableDefinition definition, db::described_definition(from, table));
  DOLMEN_TRY_VOID(db::ensure_table(to, definition));
  std::size_t count = 0;
  std::vector<db::BatchAction> batch;
  for (const db::Result<db::Item>& item : from.scan(table)) {
    if (!item) return std::unexpected(item.error());
    batch.push_back(db::BatchPut{.table = table, .item = *item});
    if (++count % kItemsAtATime == 0) DOLMEN_TRY_VOID(write(to, std::exchange(batch, {})));
  }
  DOLMEN_TRY_VOID(write(to, std::move(batch)));
  return count;
}

/// How many items of one store are not, or not equal, in the other.
db::Result<std::size_t> differences(db::Store& from, db::Store& to, const std::string& table) {
  DOLMEN_TRY(const db::TableDefinition definition, db::described_definition(from, table));
  std::size_t different = 0;
  for (const db::Result<db::Item>& item : from.scan(table)) {
    if (!item) return std::unexpected(item.error());
    db::Item key{{definition.partition_key.name, item->at(definition.partition_key.name)}};
    if (definition.sort_key) key.set(definition.sort_key->name, item->at(definition.sort_key->name));
    DOLMEN_TRY(const db::GetResult there, to.get_item(table, key, {.consistent_read = true}));
    if (there.item != *item) ++different;
  }
  return different;
}

/// Something to move, for a run without arguments.
db::Result<void> fill(db::Store& store, const std::string& table) {
  DOLMEN_TRY_VOID(db::ensure_table(store, {.name = table, .partition_key = {"topic"}}));
  for (int i = 0; i < 2500; ++i)
    DOLMEN_TRY_VOID(store.put_item(table, {{"topic", "note " + std::to_string(i)}, {"stars", i % 5}}));
  return {};
}

}  // namespace

int main(int argc, char** argv) {
  const bool given = argc > 3;
  const std::string table = given ? argv[3] : "notes";
  const auto from = db::open(given ? argv[1] : "memory:");
  if (!from) return report(from.error());
  const auto to = db::open(given ? argv[2] : "memory:");
  if (!to) return report(to.error());
  if (!given)
    if (const db::Result<void> filled = fill(**from, table); !filled) return report(filled.error());

  const db::Result<std::size_t> copied = copy(**from, **to, table);
  if (!copied) return report(copied.error());
  const db::Result<std::size_t> different = differences(**from, **to, table);
  if (!different) return report(different.error());
  std::printf("%zu items copied, %zu differ\n", *copied, *different);
  return *different == 0 ? 0 : 1;
}
