#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "dolmen/documents.h"
#include "dolmen/store.h"

namespace dolmen::torture {

/// One operation on documents, or on a table that is bound to contracts.
struct Step {
  enum class Kind : std::uint8_t { kPublish, kInsert, kUpdate, kRemove, kCreateIndex, kInvalid, kPut, kBind, kUnbind };

  Kind kind = Kind::kInsert;
  /// A schema; of a contract, the version.
  SchemaRef ref;
  /// The document's `_id`, the field of an index, or the key of an item.
  std::string name;
  /// The document, the schema file, the value of an item, or how a contract is bound.
  std::string text;
};

/// What a step answers.
enum class Answer : std::uint8_t { kDone = 1, kRefused = 2, kFailed = 3 };

/// Everything that can be seen of a store.
struct World {
  std::set<std::pair<std::string, std::string>> schemas;
  /// By `_id`: the version, and the text.
  std::map<std::string, std::pair<std::string, std::string>> documents;
  /// Version and field.
  std::set<std::pair<std::string, std::string>> indexes;
  /// Values by key: S or N, and the text or number.
  std::map<std::string, std::string> items;
  /// The published versions of the table's contract; the one that is bound, and its mode.
  std::set<std::string> contracts;
  std::optional<std::pair<std::string, std::string>> bound;

  friend bool operator==(const World&, const World&) = default;
};

/// A short text that tells two worlds apart.
std::string difference(const World& expected, const World& seen);

/// The steps of a seed: the same every time. They begin in `world`, which a crash may have left.
std::vector<Step> make_steps(std::mt19937_64& random, const World& world, std::size_t count);

/// What a step must answer in `world`, which it changes when it is done.
Answer apply(const Step& step, World& world);

/// A store, and the documents on it.
struct OpenStore {
  Store& store;
  Documents& documents;
};

/// Carries a step out.
Answer carry_out(const Step& step, OpenStore store);

/// Everything of a store; documents are read in two ways that must agree, by `_id` and through the indexes. Fails when
/// they do not, or when something cannot be read.
Result<World> look(OpenStore store);

}  // namespace dolmen::torture
