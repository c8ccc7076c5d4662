// Follows the changes of a table and remembers how far it has come. Run it with the address of a store, such as ./data;
// without one it keeps everything in memory.
#include <cstdio>
#include <dolmen/dolmen.h>
#include <string>

namespace db = dolmen;

int report(const db::Error& error) {
  std::fprintf(stderr, "%s: %s\n", std::string(db::code_name(error.code())).c_str(), error.message().c_str());
  return 1;
}

/// Prints the changes after a position, and returns the position after them.
db::Result<std::string> follow(db::Store& store, const std::string& position) {
  db::StreamRange changes = store.stream("orders", {.position = position});
  for (const db::Result<db::StreamRecord>& change : changes) {
    if (!change) return std::unexpected(change.error());
    std::printf("%s %s\n", std::string(db::stream_event_name(change->event)).c_str(),
                change->key.at("id").string().c_str());
  }
  return changes.position();
}

db::Result<void> run(db::Store& store) {
  db::TableDefinition orders{.name = "orders", .partition_key = {"id"}};
  orders.stream = db::StreamView::kNewAndOldImages;
  DOLMEN_TRY_VOID(db::ensure_table(store, orders));

  DOLMEN_TRY_VOID(store.put_item("orders", {{"id", "apples"}, {"count", 3}}));
  DOLMEN_TRY(const std::string position, follow(store, ""));

  // Saved and read back, this works in another process too.
  DOLMEN_TRY_VOID(store.update_item("orders", {{"id", "apples"}}, db::Update().add(db::attr("count"), 2)));
  DOLMEN_TRY_VOID(store.delete_item("orders", {{"id", "apples"}}));
  DOLMEN_TRY_VOID(follow(store, position));
  return {};
}

int main(int argument_count, char** arguments) {
  const auto store = db::open(argument_count > 1 ? arguments[1] : "memory:");
  if (!store) return report(store.error());
  const db::Result<void> done = run(**store);
  return done ? 0 : report(done.error());
}
