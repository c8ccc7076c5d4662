#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "dolmen/error.h"
#include "dolmen/relation/types.h"
#include "dolmen/value.h"
#include "value/item_text.h"

/// The four kinds of records and their keys.
namespace dolmen::relation {

inline constexpr const char* kInvertedIndex = "InvertedIndex";
inline constexpr const char* kAccountIndex = "ResourcesByAccountIndex";

/// A Resource record. Besides what everybody sees it has what keeps the promises:
///
///   _parentUrn     the parent; the edge says the same
///   _uniqueValues  the unique values that it owns, by the key of their records
///   _links         counts the edges and memberships that were ever added to it. A delete in one transaction depends on
///                  it, because DynamoDB has no condition on "no other children"
///   _memberOf      how many collections it is in now, by which a lagging index is noticed
///   _height        at least the levels below it; keeps the depth limit without a walk through everything below
///   _accountLinks  counts the resources that ever got it as their account
///   _accountMove   the job that has given it another account, until all below it have it too
///   _deleteJob     the job that is deleting it
///
/// Records that other programs wrote have none of this; without _height the counters are not trusted.
struct Row {
  std::string urn;
  std::string type;
  std::string id;
  std::int64_t schema_version = 1;
  std::string created_at;
  std::string updated_at;
  std::optional<std::string> account;
  std::optional<std::string> parent;
  std::optional<std::string> delete_job;
  std::optional<std::string> account_move;
  std::map<std::string, std::string> unique;
  std::uint64_t links = 0;
  std::uint64_t member_of = 0;
  std::uint64_t account_links = 0;
  /// Nothing when another program wrote the record.
  std::optional<std::uint64_t> height = 0;
  Item attributes;
  /// What the stored record counts in a transaction.
  std::size_t bytes = 0;

  [[nodiscard]] bool live() const { return !delete_job; }
  /// Whether there may be children, memberships of others in it, memberships of it in others, or resources that have it
  /// as their account.
  [[nodiscard]] bool may_have_children() const { return !height || *height > 0; }
  [[nodiscard]] bool may_have_members() const { return !height || links > 0; }
  [[nodiscard]] bool may_be_member() const { return !height || member_of > 0; }
  [[nodiscard]] bool may_be_account() const { return !height || account_links > 0; }
  /// Whether an edge from `other` to this is true. A record of another program does not say, so its edges count.
  [[nodiscard]] bool is_child_of(const std::string& other) const { return parent ? *parent == other : !height; }
};

/// Fails with kCorruption when the item is not a Resource record.
Result<Row> read_row(const Item& item);
Item resource_record(const Row& row);
Resource resource_of(Row row);

/// A UniqueKeyValue record's name: `key` has the account behind an "@" where the value is unique per account.
struct UniqueName {
  std::string type;
  std::string key;
  std::string value;

  friend auto operator<=>(const UniqueName&, const UniqueName&) = default;
};

Item resource_key(std::string_view urn);
Item edge_key(std::string_view parent, std::string_view child);
Item membership_key(std::string_view collection, std::string_view member);
Item unique_key(const UniqueName& name);

/// Values of PK or SK.
std::string resource_key_text(std::string_view urn);
std::string parent_key_text(std::string_view urn);
std::string child_key_text(std::string_view urn);
std::string collection_key_text(std::string_view urn);
std::string member_key_text(std::string_view urn);
std::string unique_sort_text(std::string_view type, std::string_view key);

/// Fails with kInvalidResource when a part of the key is longer than a sort key may be: both are one in some index.
Result<void> check_key_lengths(const Item& key);

struct Edge {
  std::string parent;
  std::string child;
  std::string created_at;
  std::optional<std::string> account;
};

Item edge_record(const Edge& edge);
Result<Edge> read_edge(const Item& item);

Item membership_record(const Membership& membership);
Result<Membership> read_membership(const Item& item);

Item unique_record(const UniqueName& name, const UniqueHolder& holder);
struct UniqueRecord {
  UniqueName name;
  UniqueHolder holder;
};
Result<UniqueRecord> read_unique(const Item& item);

/// "2026-11-02T10:15:30.123Z".
std::string time_text(Timestamp time);
/// The later of `time` and one millisecond after `last`.
std::string later_time_text(Timestamp time, const std::string& last);

}  // namespace dolmen::relation
