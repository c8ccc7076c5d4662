#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "access/access_key.h"
#include "access/table_policies.h"
#include "dolmen/error.h"
#include "service/operations.h"

namespace dolmen::access {

/// What an operation asks of a key.
struct Demand {
  /// As policies name it: "dynamodb:PutItem".
  std::string action;
  Role role = Role::kAdmin;
  /// The tables that the request names. None: it is about all of them.
  std::vector<std::string> tables = {};
};

Role role_needed(const OperationInfo& operation);

/// Whose resources they are, as ARNs name it.
struct ResourceOwner {
  std::string_view account;
  std::string_view region;
};

/// Fails with kAccessDenied when the key does not allow all of it.
Result<void> check_permission(const AccessKey& key, const Demand& demand, const ResourceOwner& owner);

/// The same with the resource policies of the tables: one that denies is stronger than the key, and one that allows
/// adds to what the key allows.
Result<void> check_permission(const AccessKey& key, const Demand& demand, const ResourceOwner& owner,
                              TablePolicies& policies);

/// How policies name the holder of a key.
std::string principal_of(const AccessKey& key, const ResourceOwner& owner);

}  // namespace dolmen::access
