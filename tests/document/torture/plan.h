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
  enum class Kind : std::uint8_t {
    kPublish,
    kInsert,
    kUpdate,
    kMove,
    kRemove,
    kCreateIndex,
    kRebuildIndex,
    kDropIndex,
    kInvalid,
    kPut,
    kBind,
    kUnbind
  };
  /// Which revision the writer of a document expects.
  enum class Expect : std::uint8_t { kAny, kCurrent, kOther };

  Kind kind = Kind::kInsert;
  /// A schema; of a contract, the version.
  SchemaRef ref;
  /// The document's `_id`, the field of an index, or the key of an item.
  std::string name;
  /// The document, the schema file, the value of an item, or how a contract is bound.
  std::string text;
  /// The version that a document moves to.
  std::string to_version = {};
  Expect expect = Expect::kAny;
};

/// What a step answers.
enum class Answer : std::uint8_t { kDone = 1, kRefused = 2, kFailed = 3 };

/// What is told about a step when it has been carried out.
struct Told {
  Answer answer = Answer::kFailed;
  /// The revision that a document has now. Empty when there is none, or when it is not known.
  std::string revision = {};
};

struct WorldDocument {
  std::string version;
  std::string text;
  /// Empty when it is not known, because the write was not acknowledged.
  std::string revision;

  friend bool operator==(const WorldDocument& a, const WorldDocument& b) {
    const bool same = a.revision.empty() || b.revision.empty() || a.revision == b.revision;
    return same && a.version == b.version && a.text == b.text;
  }
};

/// Everything that can be seen of a store.
struct World {
  std::set<std::pair<std::string, std::string>> schemas;
  /// By `_id`.
  std::map<std::string, WorldDocument> documents;
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

/// What a step must answer in `world`, which it changes when it is done. `revision` is what the writer was told.
Answer apply(const Step& step, World& world, const std::string& revision = {});

/// A store, and the documents on it.
struct OpenStore {
  Store& store;
  Documents& documents;
};

/// Carries a step out.
Told carry_out(const Step& step, OpenStore store);

/// Everything of a store; documents are read in two ways that must agree, by `_id` and through the indexes. Fails when
/// they do not, or when something cannot be read.
Result<World> look(OpenStore store);

}  // namespace dolmen::torture
