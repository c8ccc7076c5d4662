#pragma once

#include <algorithm>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "dolmen/error.h"
#include "dolmen/table.h"
#include "operations.h"

namespace dolmen::torture {

/// What is expected of one write. `item` is what is returned, also along with a failed condition.
struct WriteAnswer {
  std::optional<Code> error = std::nullopt;
  std::optional<Item> item = std::nullopt;
};

/// What is expected of a transaction: on cancellation a reason for each action, with the item it carries.
struct TransactAnswer {
  std::optional<Code> error = std::nullopt;
  std::vector<std::pair<std::string, std::optional<Item>>> reasons = {};
};

/// What is expected of one page of a query or scan.
struct Page {
  std::optional<Code> error = std::nullopt;
  std::vector<Item> items = {};
  std::size_t count = 0;
  std::size_t scanned = 0;
  std::optional<Item> last_key = std::nullopt;
};

/// What happened to an item: nothing before when it is new, nothing after when it is removed.
struct Change {
  std::optional<Item> before;
  std::optional<Item> after;
  /// Removed because its time to live ended.
  bool expired = false;
};

/// One table: its items by their keys, and nothing else. Indexes are worked out from the items whenever somebody asks.
class ModelTable {
 public:
  explicit ModelTable(TableDefinition definition) : definition_(std::move(definition)) {}

  [[nodiscard]] const TableDefinition& definition() const { return definition_; }
  [[nodiscard]] std::size_t size() const { return items_.size(); }
  [[nodiscard]] std::vector<std::string> key_names() const;

  /// Whether a write can be refused without looking at any item: a bad key, a bad index key, an update of the key. An
  /// empty key is a worse error than the others: it refuses a whole transaction, not only its action.
  enum class Fault { kNone, kBad, kEmpty };
  [[nodiscard]] Fault fault_of(const Write& write) const;
  /// Exactly the key attributes, each of its type and not empty.
  [[nodiscard]] bool is_key(const Item& item) const;
  /// What identifies the item of a write that has no fault.
  [[nodiscard]] std::string identity(const Item& item) const;

  [[nodiscard]] const Item* find(const Item& key) const;
  /// The answer to a write without faults, and what the item will be.
  [[nodiscard]] std::pair<WriteAnswer, std::optional<Item>> decide(const Write& write) const;
  void store(const Item& key, std::optional<Item> item) { change(key, std::move(item), false); }

  // Changes of the table itself.
  void add_index(const IndexDefinition& index) { definition_.global_indexes.push_back(index); }
  void remove_index(const std::string& name);
  /// Starts a new stream, or ends the one there is.
  void set_stream(std::optional<StreamView> view);
  void set_ttl(std::optional<std::string> attribute) { definition_.ttl = std::move(attribute); }
  /// Removes the items whose time to live ended before `now`, in seconds since 1970.
  void expire(std::int64_t now);

  /// What streams no longer show.
  void forget_changes() { changes_.clear(); }
  /// Every change of an item since the stream began, or since time passed.
  [[nodiscard]] const std::vector<Change>& changes() const { return changes_; }

  /// The rows of the table, or of an index, in no particular order.
  [[nodiscard]] std::vector<Item> rows(const std::optional<std::string>& index) const;
  /// Some row, chosen by `number`; empty when there is none.
  [[nodiscard]] Item any_row(const std::optional<std::string>& index, std::size_t number) const;
  [[nodiscard]] Page query(const Read& read) const;
  /// One page of a scan over rows that are known to come in this order.
  [[nodiscard]] Page scan(const Read& read, const std::vector<Item>& rows) const;
  /// Why rows can not be what a whole scan gives; empty when they can: all rows, those of a partition together and
  /// sorted.
  [[nodiscard]] std::string scan_problem(const std::optional<std::string>& index, const std::vector<Item>& rows) const;
  /// The attributes that are returned as LastEvaluatedKey.
  [[nodiscard]] Item last_key_of(const std::optional<std::string>& index, const Item& row) const;

 private:
  struct ItemOrder {
    bool operator()(const std::vector<AttributeValue>& a, const std::vector<AttributeValue>& b) const;
  };
  struct View;

  [[nodiscard]] std::vector<AttributeValue> key_of(const Item& item) const;
  [[nodiscard]] View view(const std::optional<std::string>& index) const;
  [[nodiscard]] bool is_refused(const Read& read, const View& view) const;
  [[nodiscard]] Page page(const Read& read, const View& view, std::span<const Item> rows) const;
  /// Looks only at the attributes that an update names, when one is given.
  [[nodiscard]] bool index_keys_are_good(const Item& item, bool& empty, const Update* update = nullptr) const;
  void change(const Item& key, std::optional<Item> item, bool expired);
  /// Whether the update sets a key of an index to an empty value that it gives itself.
  [[nodiscard]] bool empties_index_key(const Update& update) const;

  TableDefinition definition_;
  std::vector<Change> changes_;
  std::map<std::vector<AttributeValue>, Item, ItemOrder> items_;
};

/// Whether a value has the type of a key attribute, is not empty and is not too long.
bool is_key_value(const AttributeValue& value, KeyType type, bool partition);

/// DynamoDB as a few maps. Written from its manual, sharing nothing with the engine but the types of values.
class Model {
 public:
  std::map<std::string, ModelTable> tables;

  WriteAnswer write(const Write& write);
  WriteAnswer get(const Get& get) const;
  std::optional<Code> batch_write(const std::vector<Write>& writes);
  TransactAnswer transact_write(const std::vector<Write>& writes, const std::optional<std::string>& token);

  /// Much time has passed: tokens and the records of streams are forgotten, and items expire. In seconds since 1970.
  void pass_to(std::int64_t now);

 private:
  std::map<std::string, std::string> tokens_;  // token -> what was asked for
};

}  // namespace dolmen::torture
