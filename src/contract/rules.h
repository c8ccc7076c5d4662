#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "contract/definition.h"
#include "dolmen/model.h"
#include "dolmen/schema.h"
#include "dolmen/table.h"
#include "dolmen/value.h"

namespace dolmen::contract {

/// A definition made ready to check the items of a table. Never changes.
class Rules {
 public:
  /// Fails with kInvalidModel, kSchemaInvalid or kQueryInvalid when the definition says nothing that can be checked, or
  /// does not fit the keys of the table.
  static Result<std::shared_ptr<const Rules>> make(const Definition& definition, const TableDefinition& table);

  struct Verdict {
    /// "model Note" or "schema users v1"; empty when the item is of no kind.
    std::string kind;
    std::vector<ErrorDetail> violations;
  };

  /// `old` is what the item replaces; nothing when there is nothing, or when that does not matter.
  [[nodiscard]] Verdict check(const Item* old, const Item& item, bool replaces) const;
  [[nodiscard]] bool needs_old_item() const { return has_version_; }
  /// "model Note", "schema users v1".
  [[nodiscard]] std::vector<std::string> kind_names() const;

 private:
  struct CompiledKind {
    std::string name;
    Kind kind;
    std::optional<Model> model;
    std::optional<Schema> schema;
  };
  struct Parsed;

  Result<void> add(const Parsed& parsed, const Kind& kind);
  Result<void> check_keys(const CompiledKind& kind) const;
  [[nodiscard]] bool matches(const CompiledKind& kind, const Item& item) const;
  [[nodiscard]] const CompiledKind* kind_of(const Item& item) const;
  [[nodiscard]] ErrorDetail no_kind(const Item& item) const;

  KeyAttribute partition_key_;
  std::optional<KeyAttribute> sort_key_;
  std::string discriminator_;
  /// What schemas need not declare, and models.
  std::vector<std::string> ignored_by_schemas_;
  std::vector<std::string> ignored_by_models_;
  std::vector<CompiledKind> kinds_;
  bool has_version_ = false;
};

/// What to tell whoever has written an item that breaks the rules.
Error refusal(const std::string& table, const std::string& version, Rules::Verdict verdict);

}  // namespace dolmen::contract
