#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "access/access_key.h"
#include "access/resource_policies.h"
#include "dolmen/error.h"
#include "service/operations.h"

namespace dolmen::access {

/// What an operation asks of a key.
struct Demand {
  /// Whose operation it is: "dynamodb", or "dolmen" for those that DynamoDB does not have.
  std::string_view service = "dynamodb";
  /// Both are views of texts that live longer.
  std::string_view operation;
  Role role = Role::kAdmin;
  /// The tables and streams that the request names. None: it is about all of them.
  std::vector<PolicyResource> resources = {};

  /// As policies name it: "dynamodb:PutItem".
  [[nodiscard]] std::string action() const { return std::string(service).append(":").append(operation); }
};

Role role_needed(const OperationInfo& operation);

/// Whose resources they are, as ARNs name it.
struct ResourceOwner {
  std::string_view account;
  std::string_view region;
};

/// Fails with kAccessDenied when the key does not allow all of it.
Result<void> check_permission(const AccessKey& key, const Demand& demand, const ResourceOwner& owner);

/// The same with the resource policies: one that denies is stronger than the key, and one that allows adds to what the
/// key allows. A stream has its own policy; that of its table is not about it.
Result<void> check_permission(const AccessKey& key, const Demand& demand, const ResourceOwner& owner,
                              ResourcePolicies& policies);

/// How policies name the holder of a key.
std::string principal_of(const AccessKey& key, const ResourceOwner& owner);

}  // namespace dolmen::access
