#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "dolmen/store.h"
#include "model.h"

namespace dolmen::torture {

/// Everything that a table holds, read past the library.
struct Dump {
  std::vector<Item> items;
  std::vector<Item> inverted;
  std::vector<Item> by_account;

  friend bool operator==(const Dump& a, const Dump& b) { return a.items == b.items; }
};

Result<Dump> read_dump(Store& store, const std::string& table);

/// What breaks the rules that hold at every moment, also in the middle of a delete; nothing when all is well. The
/// numbers are those of docs/relation.md.
std::optional<std::string> broken_rule(const Dump& dump);

/// Resources that are marked as being deleted, by their job.
std::map<std::string, std::string> marked(const Dump& dump);

/// The first difference between what is stored and what should be.
std::optional<std::string> difference(const Dump& dump, const Model& model);

/// What became of the times of resources: created_at must stay, updated_at must not go back.
std::optional<std::string> broken_times(const Dump& before, const Dump& after);

}  // namespace dolmen::torture
