#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dolmen/error.h"
#include "dolmen/model/model.h"
#include "dolmen/value.h"

/// The kinds of resources that a relational store holds, and the rules for each.
namespace dolmen {

/// What is done to a value before it is compared with others for uniqueness. The resource keeps it as it was given.
enum class Normaliser : std::uint8_t {
  kExact,     ///< nothing
  kNfc,       ///< Unicode's composed form
  kCaseFold,  ///< the same without the difference between capital and small letters
};

/// A property whose value no two resources of the type share.
struct UniqueKey {
  /// The attribute's name; without "#" and "@".
  std::string key;
  Normaliser normaliser = Normaliser::kExact;
  /// Unique among the resources of an account instead of all.
  bool per_account = false;

  friend bool operator==(const UniqueKey&, const UniqueKey&) = default;
};

/// A resource has at most so many unique values: each takes an action of the transactions that create and delete it.
inline constexpr std::size_t kUniqueKeysMax = 20;

/// How resources of a type belong to an account.
enum class AccountScope : std::uint8_t {
  kOptional,  ///< they may
  kNone,      ///< they do not
  kRequired,  ///< every one does
  kSelf,      ///< they are accounts
};

/// Turns the attributes of one schema version into those of the next.
using Upcaster = std::function<Result<Item>(Item attributes)>;

struct ResourceType {
  /// Such as "System.Account.Job".
  std::string name;
  AccountScope account = AccountScope::kOptional;
  /// The types that a parent may have; empty: any.
  std::vector<std::string> parents = {};
  std::vector<UniqueKey> unique = {};
  /// What new resources get; 1 or more.
  std::int64_t schema_version = 1;
  /// From each version below the current one to the next. A missing one makes resources of that version unreadable.
  std::map<std::int64_t, Upcaster> upcasters = {};
  /// Attributes must be the model's, of its types, and those that it requires must be there. Its keys, times and
  /// version do not count: the relational store has its own.
  std::optional<Model> model = std::nullopt;

  [[nodiscard]] const UniqueKey* find_unique(std::string_view key) const;
};

/// Which ids a caller may choose. Made ids are always UUIDs of version 7.
enum class IdPolicy : std::uint8_t {
  kUuidV7,
  kAny,  ///< whatever a URN may hold; for data that came from elsewhere
};

/// The types of one store:
///
///     ResourceTypes types;
///     types.add({.name = "System.Account", .account = AccountScope::kSelf, .unique = {{.key = "name"}}}).value();
class ResourceTypes {
 public:
  ResourceTypes() = default;

  /// Knows no types and takes every one, with whatever unique keys a caller names. For tools.
  static ResourceTypes undeclared();

  /// Reads a YAML or JSON file; docs/relation.md has the format. Fails with kInvalidArgument, whose details are all
  /// mistakes with their places; with kIo when the file, or a model file that it names, cannot be read.
  static Result<ResourceTypes> load(const std::filesystem::path& file);
  /// The same for text in memory. Model files are looked for from `folder`.
  static Result<ResourceTypes> parse(std::string_view text, std::string_view file_name,
                                     const std::filesystem::path& folder = ".");

  /// Fails with kInvalidArgument when the type breaks a rule or is there already. Parents may be added later.
  Result<void> add(ResourceType type);

  /// Nothing when it is not declared.
  [[nodiscard]] const ResourceType* find(std::string_view name) const;
  /// Fails with kInvalidResource; an undeclared type is one without rules where those are taken.
  [[nodiscard]] Result<ResourceType> get(std::string_view name) const;
  [[nodiscard]] bool takes_undeclared() const noexcept { return takes_undeclared_; }
  [[nodiscard]] const std::map<std::string, ResourceType, std::less<>>& all() const noexcept { return types_; }

  /// The domain of new URNs.
  std::string domain = "pp";
  IdPolicy ids = IdPolicy::kUuidV7;

 private:
  std::map<std::string, ResourceType, std::less<>> types_;
  bool takes_undeclared_ = false;
};

/// The value as it is compared. Fails with kInvalidResource when it is empty or not UTF-8.
Result<std::string> normalise(Normaliser normaliser, std::string_view value);

}  // namespace dolmen
