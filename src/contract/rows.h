#pragma once

#include <optional>
#include <string>
#include <vector>

#include "contract/gate.h"
#include "service/service.h"

/// What is kept about contracts, in a table of the store that no client can name:
///
///   partition               sort      attributes
///   active                  table id  table, version, mode
///   published/<table id>    version   text: a definition, permanently
///
/// A contract belongs to a table, not to its name: what is kept about a table that is gone means nothing.
namespace dolmen::contract {

struct ActiveRow {
  std::string table_id;
  std::string table;
  std::string version;
  Mode mode = Mode::kOff;
};

class Rows {
 public:
  /// The service must be an embedded store, and outlive this.
  explicit Rows(Service& service) : service_(&service) {}

  /// Of all tables.
  [[nodiscard]] Result<std::vector<ActiveRow>> active() const;
  [[nodiscard]] Result<std::optional<ActiveRow>> active(const std::string& table_id) const;
  /// The write that makes a row the active one of its table, and the one that removes it. There must be a published
  /// version.
  [[nodiscard]] static WriteRequest put_of(const ActiveRow& row);
  [[nodiscard]] static WriteRequest removal_of(const std::string& table_id);

  /// The text of a version; nothing when it is not published.
  [[nodiscard]] Result<std::optional<std::string>> published(const std::string& table_id,
                                                             const std::string& version) const;
  [[nodiscard]] Result<std::vector<std::string>> versions(const std::string& table_id) const;
  /// Nothing happens when the version has that text already; fails with kSchemaImmutable when it has another.
  [[nodiscard]] Result<void> publish(const std::string& table_id, const std::string& version,
                                     const std::string& text) const;
  /// Removes all that is kept about a table.
  [[nodiscard]] Result<void> forget(const std::string& table_id) const;

 private:
  [[nodiscard]] Result<std::optional<Item>> get(const std::string& partition, const std::string& sort) const;
  [[nodiscard]] Result<std::vector<Item>> partition(const std::string& name) const;
  /// Makes the table when it is missing.
  [[nodiscard]] Result<void> write(const WriteRequest& request) const;

  Service* service_;
};

}  // namespace dolmen::contract
