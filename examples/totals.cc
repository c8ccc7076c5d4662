// A stream consumer that counts exactly once: each change of an order is added to the total of its customer, in one
// transaction with the position in the stream. It can be killed at any time and goes on where it was.
//
//     example_totals [directory | memory: | http://127.0.0.1:8000 | aws:eu-west-1]

#include <cstdio>
#include <dolmen/dolmen.h>
#include <dolmen/tables.h>
#include <string>

namespace db = dolmen;

namespace {

const db::Item kPositionKey{{"id", "consumer#totals"}};

int report(const db::Error& error) {
  std::fprintf(stderr, "%s: %s\n", std::string(db::code_name(error.code())).c_str(), error.message().c_str());
  return 1;
}

/// What a change adds to the total: the new amount less the old one.
db::Number added_by(const db::StreamRecord& change) {
  const auto amount = [](const std::optional<db::Item>& item) {
    const db::AttributeValue* value = item ? item->find("amount") : nullptr;
    return value != nullptr ? value->number().to_int64().value_or(0) : 0;
  };
  return db::Number(amount(change.new_item) - amount(change.old_item));
}

db::Result<std::string> saved_position(db::Store& store) {
  DOLMEN_TRY(const db::GetResult found, store.get_item("totals", kPositionKey));
  return found.item ? found.item->at("position").string() : std::string();
}

/// Adds up what has happened since the last call. Returns how many changes that were.
db::Result<int> consume(db::Store& store) {
  DOLMEN_TRY(const std::string before, saved_position(store));
  db::StreamRange changes = store.stream("orders", {.position = before});
  int count = 0;
  for (const db::Result<db::StreamRecord>& change : changes) {
    if (!change) return std::unexpected(change.error());
    const std::string customer = change->key.at("customer").string();
    DOLMEN_TRY_VOID(
        store.transact_write({db::UpdateAction{.table = "totals",
                                               .key = {{"id", "customer#" + customer}},
                                               .update = db::Update().add(db::attr("total"), added_by(*change))},
                              db::UpdateAction{.table = "totals",
                                               .key = kPositionKey,
                                               .update = db::Update().set(db::attr("position"), changes.position())}}));
    ++count;
  }
  return count;
}

db::Result<std::int64_t> total_of(db::Store& store, const std::string& customer) {
  DOLMEN_TRY(const db::GetResult found, store.get_item("totals", {{"id", "customer#" + customer}}));
  return found.item ? found.item->at("total").number().to_int64().value_or(0) : 0;
}

db::Result<void> run(db::Store& store) {
  db::TableDefinition orders{.name = "orders", .partition_key = {"customer"}, .sort_key = db::KeyAttribute{"order"}};
  orders.stream = db::StreamView::kNewAndOldImages;
  DOLMEN_TRY_VOID(db::ensure_table(store, orders));
  DOLMEN_TRY_VOID(db::ensure_table(store, {.name = "totals", .partition_key = {"id"}}));

  DOLMEN_TRY_VOID(store.put_item("orders", {{"customer", "ada"}, {"order", "1"}, {"amount", 30}}));
  DOLMEN_TRY_VOID(store.put_item("orders", {{"customer", "ada"}, {"order", "2"}, {"amount", 12}}));
  DOLMEN_TRY(const int first, consume(store));

  // Later, perhaps in another process: one order changes, one goes.
  DOLMEN_TRY_VOID(store.put_item("orders", {{"customer", "ada"}, {"order", "1"}, {"amount", 35}}));
  DOLMEN_TRY_VOID(store.delete_item("orders", {{"customer", "ada"}, {"order", "2"}}));
  DOLMEN_TRY(const int second, consume(store));
  DOLMEN_TRY(const int third, consume(store));
  DOLMEN_TRY(const std::int64_t total, total_of(store, "ada"));
  std::printf("%d, %d and %d changes; ada's orders are worth %d\n", first, second, third, static_cast<int>(total));
  if (first != 2 || second != 2 || third != 0 || total != 35)
    return std::unexpected(db::Error(db::Code::kCorruption, "the totals are wrong"));
  return {};
}

}  // namespace

int main(int argc, char** argv) {
  const auto store = db::open(argc > 1 ? argv[1] : "memory:");
  if (!store) return report(store.error());
  const db::Result<void> done = run(**store);
  return done ? 0 : report(done.error());
}
