#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "dolmen/relation/relations.h"

namespace dolmen::torture {

/// How deep families may become in this run, so that the limit is met often.
inline constexpr unsigned kDepthMax = 5;

/// The types of the run.
inline constexpr const char* kSystem = "System";
inline constexpr const char* kAccount = "System.Account";
inline constexpr const char* kUser = "System.User";
inline constexpr const char* kFolder = "System.Account.Folder";
inline constexpr const char* kJob = "System.Account.Job";
inline constexpr const char* kGroup = "System.Group";

/// `version` is that of jobs: 1 has "title", which is "name" in 2.
ResourceTypes types_of_run(int version);

struct ModelResource {
  std::string type;
  std::optional<std::string> parent = std::nullopt;
  std::optional<std::string> account = std::nullopt;
  int version = 1;
  std::map<std::string, std::string> attributes = {};
  /// At least the levels below; grows only.
  unsigned height = 0;

  friend bool operator==(const ModelResource&, const ModelResource&) = default;
};

/// Type, key (with its account where it is unique per account), normal value.
struct ModelUnique {
  std::string type;
  std::string key;
  std::string value;
  friend auto operator<=>(const ModelUnique&, const ModelUnique&) = default;
};

/// What a relational store should hold, and what each operation should do to it, written down as simply as possible.
/// An operation that fails returns its code and changes nothing.
class Model {
 public:
  std::map<std::string, ModelResource> resources;
  /// Collection and member; whether it conveys.
  std::map<std::pair<std::string, std::string>, bool> memberships;
  std::set<ModelUnique> reservations;

  template <class T>
  using Outcome = std::expected<T, Code>;

  Outcome<std::string> create(const CreateResource& request, int version);
  Outcome<void> update(const UpdateResource& request, bool stale);
  Outcome<void> reserve(const UniqueValue& value);
  Outcome<bool> release(const UniqueValue& value);
  Outcome<void> transfer(const TransferUnique& request);
  Outcome<bool> attach(const std::string& child, const std::string& parent);
  Outcome<bool> detach(const std::string& child);
  Outcome<bool> add_member(const std::string& member, const JoinCollection& into);
  Outcome<bool> remove_member(const std::string& member, const std::string& collection);
  Outcome<DeleteCount> remove(const std::string& urn, DeleteMode mode);
  Outcome<DeleteCount> purge(const std::string& account);
  /// Deletes a resource alone, and gives what refers to it to another one.
  Outcome<DeleteCount> remove_reassigning(const std::string& urn, const std::string& to);
  /// How many got the account.
  Outcome<std::uint64_t> reassign_account(const ReassignAccount& request);
  /// Brings jobs to version 2.
  void rewrite(const std::string& urn);

  // ---- Reading ----

  [[nodiscard]] bool has(const std::string& urn) const { return resources.contains(urn); }
  [[nodiscard]] std::vector<std::string> children(const std::string& urn) const;
  /// Root first.
  [[nodiscard]] std::vector<std::string> ancestors(const std::string& urn) const;
  /// Each before what is below it.
  [[nodiscard]] std::vector<std::string> descendants(const std::string& urn) const;
  [[nodiscard]] std::set<std::string> authorization_path(const std::string& urn) const;
  [[nodiscard]] std::set<std::string> authorization_reach(const std::string& urn) const;
  /// All unique values and who has them.
  [[nodiscard]] std::map<ModelUnique, std::string> unique_values() const;
  /// The attributes as they are read: in the current version.
  [[nodiscard]] std::map<std::string, std::string> current_attributes(const std::string& urn) const;
  [[nodiscard]] std::optional<std::string> scope(const std::string& urn) const;
  [[nodiscard]] std::optional<ModelUnique> unique_of(const UniqueValue& value) const;

  /// Takes the resources away with all that touches them.
  DeleteCount erase(const std::set<std::string>& urns);
  /// Detaches without any check.
  void forget_parent(const std::string& urn) { resources.at(urn).parent.reset(); }

 private:
  [[nodiscard]] std::map<ModelUnique, std::string> unique_values_of(const std::string& urn,
                                                                    const ModelResource& resource) const;
  [[nodiscard]] Outcome<void> may_be_parent(const std::string& parent, const std::string& child,
                                            const ModelResource& child_resource) const;
  [[nodiscard]] std::optional<std::string> scope(const std::string& urn, const ModelResource& resource) const;
  [[nodiscard]] bool taken(const std::map<ModelUnique, std::string>& wanted, const std::string& by) const;
  void raise(const std::string& parent, unsigned child_height);
  void set_parent(const std::string& child, const std::string& parent);
  /// Whether it may get that parent.
  [[nodiscard]] Outcome<void> may_attach(const std::string& child, const ModelResource& child_resource,
                                         const std::string& parent) const;
  [[nodiscard]] std::set<std::string> with_all_that_refer_to(const std::string& urn) const;
  /// Whether a resource may get an account, and a new parent, as far as they alone are concerned.
  [[nodiscard]] Outcome<void> may_get_account(const ReassignAccount& request) const;
  /// The same for the unique values and memberships of those that get it. Memberships with resources of the account
  /// `going` do not matter.
  [[nodiscard]] Outcome<void> may_take_along(const std::set<std::string>& urns, const ReassignAccount& request,
                                             const std::string& going) const;
  [[nodiscard]] std::set<std::string> family(const std::string& urn) const;
};

/// What a value of a unique key is compared as.
std::string normal_value(const std::string& type, const std::string& value);

}  // namespace dolmen::torture
