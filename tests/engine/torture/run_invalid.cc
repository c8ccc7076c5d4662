// Requests that must be refused, and must change nothing.
#include "compare.h"
#include "run.h"
#include "tests/service/test_calls.h"

namespace dolmen::torture {

void Run::refuse(const std::string& what, WriteRequest request) {
  const auto found = call(store_->service(), std::move(request));
  expect_same(what, shown(Code::kValidation), found ? "success" : shown(found.error()));
}

void Run::refuse(const std::string& what, const ReadManyRequest& request) {
  const auto found = call(store_->service(), request);
  expect_same(what, shown(Code::kValidation), found ? "success" : shown(found.error()));
}

void Run::invalid() {
  auto at = model_.tables.begin();
  std::advance(at, random_.below(model_.tables.size()));
  const TableDefinition& table = at->second.definition();
  const Item key = generator_.key(table.name);
  const std::string& partition = table.partition_key.name;
  const auto update = [&](std::string text, Item values = {}) {
    return WriteRequest{.kind = WriteKind::kUpdate,
                        .table = table.name,
                        .item = encode_item(key),
                        .update = Expression{std::move(text)},
                        .placeholders = {.values = std::move(values)}};
  };
  const auto write_of = [&](WriteKind kind, const Item& item) {
    return WriteRequest{.kind = kind, .table = table.name, .item = encode_item(item)};
  };
  const auto query = [&](std::string text, Item values) {
    return ReadManyRequest{.table = table.name,
                           .key_condition = Expression{std::move(text)},
                           .placeholders = {.values = std::move(values)}};
  };
  Item wrong = key;
  switch (random_.below(18)) {
    case 0: wrong.set(partition, true); return refuse("a key of a wrong type", write_of(WriteKind::kPut, wrong));
    case 1: wrong.set("extra", 1); return refuse("a key with more in it", write_of(WriteKind::kDelete, wrong));
    case 2: wrong.erase(partition); return refuse("an item without its key", write_of(WriteKind::kPut, wrong));
    case 3: return refuse("a value too many", update("SET num = :a", {{":a", 1}, {":b", 2}}));
    case 4: return refuse("a value too few", update("SET num = :a"));
    case 5: return refuse("bad syntax", update("SET num :a", {{":a", 1}}));
    case 6: return refuse("the same path twice", update("SET num = :a REMOVE num", {{":a", 1}}));
    case 7: return refuse("paths inside each other", update("SET doc.a = :a REMOVE doc", {{":a", 1}}));
    case 8: return refuse("an update of the key", update("SET " + partition + " = :a", {{":a", 1}}));
    case 9: return refuse("text added", update("ADD num :a", {{":a", "text"}}));
    case 10: return refuse("a sum with text", update("SET num = num + :a", {{":a", "text"}}));
    case 11: return refuse("no such function", update("SET num = twice(:a)", {{":a", 1}}));
    case 12: {
      if (table.partition_key.type == KeyType::kNumber) return;
      const std::string text(random_.chance(50) ? 0 : 2049, 'x');
      wrong.set(partition, table.partition_key.type == KeyType::kString ? AttributeValue(text) : Bytes(text));
      return refuse("an empty or too long key", write_of(WriteKind::kPut, wrong));
    }
    case 13: return refuse("a query without its key", query("num = :a", {{":a", 1}}));
    case 14: return refuse("a query by range of the key", query(partition + " > :a", {{":a", key.at(partition)}}));
    case 15: return refuse("a query by a wrong type", query(partition + " = :a", {{":a", nullptr}}));
    case 16: {
      ReadManyRequest scan{.table = table.name, .index = "no-such-index"};
      return refuse("a scan of an index that is not there", scan);
    }
    default: {
      if (!random_.chance(5)) return;
      wrong.set("txt", std::string(410'000, 'x'));
      return refuse("an item too large", write_of(WriteKind::kPut, wrong));
    }
  }
}

}  // namespace dolmen::torture
