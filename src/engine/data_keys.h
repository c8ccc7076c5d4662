#pragma once

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/random.h"
#include "dolmen/error.h"
#include "engine/table.h"
#include "engine/table_keys.h"
#include "storage/storage.h"

namespace dolmen::engine {

/// The data keys of encrypted tables. Each is 256 random bits that encrypt the rows of one table (storage/row_seals.h).
/// The store has it only wrapped, which is encrypted by a key of the customer; that one is never in the store:
///
///     kCatalogue   "data-key/" number (8 hexadecimal digits)
///
/// A row holds the ARN of the customer's key, the UUID of the table and the wrapped data key. Tables and the backups of
/// tables name data keys by their numbers, which are never used again. Any thread may call any function.
class DataKeys {
 public:
  struct Options {
    /// Null: there are none.
    std::shared_ptr<TableKeys> table_keys;
    std::string region;
    std::string account;
    Random* random;
    std::function<void(std::string line)> log = {};
  };

  explicit DataKeys(Options options) : options_(std::move(options)) {}

  /// Reads the data keys of a storage and makes those that can be unwrapped known to its seals. Rows that are encrypted
  /// are opened from then on.
  Result<void> load(storage::Storage& storage, TableTime now);

  /// What a request that names a key asks for.
  struct Plan {
    /// The ARN that descriptions show.
    std::optional<std::string> arn = std::nullopt;
    /// The table is to be encrypted by it.
    bool encrypts = false;
  };
  /// Finds a key that a request names by its id, its alias or an ARN. Without keys of customers, in a store that never
  /// had any, every name is fine and nothing is encrypted. Fails with kValidation, in the words of AWS, when there is
  /// no such key.
  [[nodiscard]] Result<Plan> plan(const std::optional<std::string>& name) const;

  /// Adds a new data key to the batch. `number` is an id that the catalogue has just given.
  Result<TableSeal> make(storage::Storage& storage, storage::Batch& batch, TableId number, const Plan& plan,
                         const std::string& table_uuid);
  /// Wraps the data key of a table by another key of the customer.
  Result<void> rewrap(storage::Batch& batch, const Table& table, const std::string& arn);

  /// Since when the key of a table is missing; nothing while it is there, or not needed.
  [[nodiscard]] std::optional<TableTime> missing_since(const Table& table) const;
  /// Of the customer's key that wraps the data key of a table.
  [[nodiscard]] std::optional<std::string> arn_of(const Table& table) const;

  /// Looks which keys of the customer are there now. Returns whether one has come or gone.
  bool refresh(TableTime now);
  [[nodiscard]] bool empty() const;

  /// Removes the data keys that nothing needs.
  static Result<void> remove_unused(storage::Storage& storage, const std::vector<std::shared_ptr<const Table>>& tables);

 private:
  struct Entry {
    std::string arn;
    std::string table_uuid;
    std::string wrapped;
    std::optional<TableTime> missing_since = std::nullopt;
  };

  static void put(storage::Batch& batch, TableId number, const Entry& entry);
  static Result<std::map<TableId, Entry>> read(const storage::Storage& storage);
  /// The name of a customer's key in an ARN that a request has; nothing when it is of another region or account.
  [[nodiscard]] std::optional<std::string_view> name_in(std::string_view arn) const;
  [[nodiscard]] Result<std::string> wrapped_by(const std::string& arn, TableId number,
                                               const storage::RowCipher::Key& key) const;
  /// Nothing when the key of the customer is missing, or is another one of that name. The caller wipes it.
  [[nodiscard]] std::optional<storage::RowCipher::Key> unwrapped(TableId number, const Entry& entry) const;
  void try_entry(TableId number, Entry& entry, TableTime now) const;

  const Options options_;
  std::shared_ptr<storage::RowSeals> seals_;
  mutable std::mutex entries_mutex_;  ///< Guards the next one.
  std::map<TableId, Entry> entries_;
};

/// The answer to requests that need a key that is missing.
std::unexpected<Error> missing_key();

/// The keyspaces and ids of the rows of a table that are encrypted with it.
struct SealedRows {
  storage::Keyspace keyspace;
  TableId id = 0;
};
std::vector<SealedRows> sealed_rows(const Table& table);

/// Makes the seals of a storage write the rows of a table as its state says.
void apply_seal(storage::RowSeals& seals, const Table& table);

}  // namespace dolmen::engine
