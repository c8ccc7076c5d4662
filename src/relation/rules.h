#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>

#include "relation/graph.h"

/// What resource types ask of attributes, and the records of their unique values.
namespace dolmen::relation {

/// Names that are not reserved, and what the type's model says. Fails with kInvalidResource.
Result<void> check_attributes(const ResourceType& type, const Item& attributes);

/// The unique values of a resource with these attributes, by the key of their records. `others` are keys that are
/// unique although the type does not say so.
Result<std::map<std::string, std::string>> unique_values_of(const ResourceType& type, const Row& row,
                                                            const std::set<std::string>& others = {});

/// The same for a stored resource that has been changed. Without a declaration of its type, values that were unique
/// stay so: those that have not changed as they are stored, others exact and in the whole store. Fails with
/// kInvalidResource when a changed one was unique in another way, which only a declaration knows.
Result<std::map<std::string, std::string>> unique_values_after(const ResourceTypes& types, const Row& stored,
                                                               const Row& changed);

/// Fails with kLimitExceeded when the record would be too large: there must be room in an item for what links and
/// deletes add to it, or nobody could delete it.
Result<void> check_size(const Row& row);

/// The attribute that a record's key is about: without the account.
std::string attribute_of_unique(const std::string& key);
/// The key of a record whose value is unique in an account.
std::string account_unique_key(const std::string& attribute, const std::string& account);

/// The record that stands for a value. Fails with kInvalidResource when the type has no such unique key.
Result<UniqueName> unique_name(const ResourceTypes& types, const UniqueValue& value);

/// Takes a value for an owner; kUniqueViolation when it is taken.
void plan_claim(Plan& plan, const UniqueName& name, const std::string& owner, const std::string& time);
/// Gives a value of an owner back.
void plan_release(Plan& plan, const UniqueName& name, const std::string& owner);
/// Both, for what is different.
void plan_unique_changes(Plan& plan, const Row& before, const Row& after);

/// Notes in `change` what makes a stored record into another: attributes, unique values, schema version and time.
Result<void> plan_attributes(RowChange& change, const Row& before, const Row& after);

/// The account of a membership. Fails with kAccountMismatch when the two belong to different ones.
Result<std::optional<std::string>> membership_account(const Graph& graph, const Row& collection, const Row& member,
                                                      const JoinCollection& request);

Error unique_violation(const UniqueName& name, const std::optional<std::string>& owner);

}  // namespace dolmen::relation
