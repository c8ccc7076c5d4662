#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "model.h"
#include "operations.h"
#include "run_clock.h"
#include "values.h"

namespace dolmen::torture {

/// Makes operations. Looks at the model only to aim at what is there.
class Generator {
 public:
  Generator(Random& random, const Model& model, const RunClock& clock)
      : random_(random), values_(random), model_(model), clock_(clock) {}

  Values& values() { return values_; }

  /// The name of a table, nearly always of one that exists.
  std::string table_name();
  Write write(const std::string& table);
  /// A put or delete without a condition.
  Write plain_write(const std::string& table);
  Write transact_action(const std::string& table);
  Get get(const std::string& table);
  Item key(const std::string& table);
  Read query(const std::string& table);
  Read scan(const std::string& table);
  std::optional<std::vector<Path>> projection();

 private:
  /// Whether a path may be used.
  using Allowed = std::function<bool(const Path&)>;

  const TableDefinition& definition_of(const std::string& table) const;
  Condition condition(const Allowed& allowed, unsigned depth = 0);
  Condition leaf(const Allowed& allowed);
  Condition comparison(const Path& path, const Allowed& allowed);
  Path path(const Allowed& allowed);
  Update update(const TableDefinition& table);
  Assignment assignment(Path target);
  void add_action(Update& update, Path target);
  void choose_return_values(Write& write);
  std::optional<std::string> index_name(const TableDefinition& table);
  void choose_filter_and_projection(Read& read, const TableDefinition& table);
  KeyTerm sort_term(const KeyAttribute& attribute, const AttributeValue& near);

  Random& random_;
  Values values_;
  const Model& model_;
  const RunClock& clock_;
};

}  // namespace dolmen::torture
