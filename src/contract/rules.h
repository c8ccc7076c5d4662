#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "contract/definition.h"
#include "dolmen/model/model.h"
#include "dolmen/schema.h"
#include "dolmen/table.h"
#include "dolmen/value.h"

namespace dolmen::contract {

/// What a write does to an item.
struct ItemChange {
  /// What is stored; null when there is nothing, or when that does not matter.
  const Item* old = nullptr;
  /// Null when the old item is deleted.
  const Item* item = nullptr;
  /// A put, which replaces whatever there is; else an update.
  bool replaces = true;
  /// The attributes that an update names.
  std::span<const std::string_view> updated = {};
};

/// A definition made ready to check the items of a table. Never changes.
class Rules {
 public:
  /// Fails with kInvalidModel, kSchemaInvalid or kQueryInvalid when the definition says nothing that can be checked, or
  /// does not fit the keys of the table.
  static Result<std::shared_ptr<const Rules>> make(const Definition& definition, const TableDefinition& table);

  struct Verdict {
    /// "model Note" or "schema users v1"; empty when the item is of no kind.
    std::string kind;
    /// Of the item: pk "a", sk 7.
    std::string key;
    std::vector<ErrorDetail> violations;
  };

  /// Kind and key are only said when there are violations, which are sorted by path and rule.
  [[nodiscard]] Verdict check(const ItemChange& change) const;
  [[nodiscard]] bool needs_old_item() const { return needs_old_item_; }
  [[nodiscard]] bool guards_deletes() const { return guards_deletes_; }
  /// "model Note", "schema users v1".
  [[nodiscard]] std::vector<std::string> kind_names() const;
  /// The model that the item is of; null when it is of no kind, or of a schema.
  [[nodiscard]] const Model* model_of(const Item& item) const;
  /// What models need not declare: the discriminator.
  [[nodiscard]] const std::vector<std::string>& ignored_by_models() const { return ignored_by_models_; }

 private:
  struct CompiledKind {
    std::string name;
    Kind kind;
    std::optional<Model> model;
    std::optional<Schema> schema;
  };
  struct Parsed;

  Result<void> add(const Parsed& parsed, Kind kind);
  /// That the kinds can be told apart, and that each can occur.
  Result<void> check_kinds() const;
  Result<void> check_keys(const CompiledKind& kind) const;
  [[nodiscard]] bool matches(const CompiledKind& kind, const Item& item) const;
  [[nodiscard]] const CompiledKind* kind_of(const Item& item) const;
  [[nodiscard]] ErrorDetail no_kind(const Item& item) const;
  [[nodiscard]] std::string key_of(const Item& item) const;
  [[nodiscard]] std::vector<ErrorDetail> violations(const CompiledKind& kind, const ItemChange& change) const;
  /// Of the write policy of what is stored.
  [[nodiscard]] std::optional<Verdict> policy_verdict(const ItemChange& change) const;

  KeyAttribute partition_key_;
  std::optional<KeyAttribute> sort_key_;
  std::string discriminator_;
  /// What schemas need not declare, and models.
  std::vector<std::string> ignored_by_schemas_;
  std::vector<std::string> ignored_by_models_;
  std::vector<CompiledKind> kinds_;
  /// Some model counts versions or has a write policy.
  bool needs_old_item_ = false;
  /// Some model is write_once.
  bool guards_deletes_ = false;
};

/// The error for a client that writes an item that breaks the rules.
Error refusal(const std::string& table, const std::string& version, Rules::Verdict verdict);

}  // namespace dolmen::contract
