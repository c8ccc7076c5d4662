#include "access/permission.h"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

#include "base/fail.h"

namespace dolmen::access {
namespace {

std::unexpected<Error> denied(const AccessKey& key, const Demand& demand, const ResourceOwner& owner,
                              std::string_view table) {
  return fail(Code::kAccessDenied,
              "User: arn:aws:iam::{0}:user/{1} is not authorized to perform: {2} on resource: "
              "arn:aws:dynamodb:{3}:{0}:table/{4} because no identity-based policy allows the {2} action",
              owner.account, key.id, demand.action, owner.region, table);
}

}  // namespace

Role role_needed(const OperationInfo& operation) {
  if (operation.reads()) return Role::kReadOnly;
  switch (operation.family) {
    case OperationFamily::kItems:
    case OperationFamily::kBatches:
    case OperationFamily::kTransactions:
    case OperationFamily::kStatements: return Role::kReadWrite;
    default: return Role::kAdmin;
  }
}

Result<void> check_permission(const AccessKey& key, const Demand& demand, const ResourceOwner& owner) {
  if (key.role < demand.role)
    return denied(key, demand, owner, demand.tables.empty() ? std::string_view("*") : demand.tables.front());
  if (demand.tables.empty() && !key.is_for_all_tables()) return denied(key, demand, owner, "*");
  const auto other =
      std::ranges::find_if_not(demand.tables, [&](const std::string& table) { return key.allows_table(table); });
  if (other != demand.tables.end()) return denied(key, demand, owner, *other);
  return {};
}

std::string principal_of(const AccessKey& key, const ResourceOwner& owner) {
  return fmt::format("arn:aws:iam::{}:user/{}", owner.account, key.id);
}

Result<void> check_permission(const AccessKey& key, const Demand& demand, const ResourceOwner& owner,
                              TablePolicies& policies) {
  if (demand.tables.empty()) return check_permission(key, demand, owner);
  const PolicyQuestion caller{.principal = principal_of(key, owner),
                              .account = std::string(owner.account),
                              .action = demand.action,
                              .resource = {}};
  std::vector<std::string> not_allowed;
  for (const std::string& table : demand.tables) {
    PolicyQuestion question = caller;
    question.resource = fmt::format("arn:aws:dynamodb:{}:{}:table/{}", owner.region, owner.account, table);
    const PolicyVerdict verdict = policies.judge(table, question);
    if (verdict == PolicyVerdict::kDeny)
      return fail(Code::kAccessDenied,
                  "User: {} is not authorized to perform: {} on resource: {} with an explicit deny in a resource-based "
                  "policy",
                  question.principal, demand.action, question.resource);
    if (verdict != PolicyVerdict::kAllow) not_allowed.push_back(table);
  }
  if (not_allowed.empty()) return {};
  return check_permission(key, {.action = demand.action, .role = demand.role, .tables = std::move(not_allowed)}, owner);
}

}  // namespace dolmen::access
