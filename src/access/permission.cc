#include "access/permission.h"

#include <algorithm>
#include <fmt/format.h>
#include <ranges>

#include "base/fail.h"

namespace dolmen::access {
namespace {

std::unexpected<Error> denied(const AccessKey& key, const Demand& demand, const ResourceOwner& owner,
                              std::string_view resource) {
  return fail(Code::kAccessDenied,
              "User: arn:aws:iam::{0}:user/{1} is not authorized to perform: {2} on resource: "
              "arn:aws:dynamodb:{3}:{0}:table/{4} because no identity-based policy allows the {2} action",
              owner.account, key.id, demand.action(), owner.region, resource);
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
    return denied(key, demand, owner, demand.resources.empty() ? "*" : demand.resources.front().path());
  if (demand.resources.empty() && !key.is_for_all_tables()) return denied(key, demand, owner, "*");
  const auto other = std::ranges::find_if_not(
      demand.resources, [&](const PolicyResource& resource) { return key.allows_table(resource.table); });
  if (other != demand.resources.end()) return denied(key, demand, owner, other->path());
  return {};
}

std::string principal_of(const AccessKey& key, const ResourceOwner& owner) {
  return fmt::format("arn:aws:iam::{}:user/{}", owner.account, key.id);
}

Result<void> check_permission(const AccessKey& key, const Demand& demand, const ResourceOwner& owner,
                              ResourcePolicies& policies) {
  if (demand.resources.empty()) return check_permission(key, demand, owner);
  std::vector<std::size_t> allowed;
  for (std::size_t i = 0; i < demand.resources.size(); ++i) {
    const PolicyResource& resource = demand.resources[i];
    const auto question = [&] {
      return PolicyQuestion{
          .principal = principal_of(key, owner),
          .account = std::string(owner.account),
          .action = demand.action(),
          .resource = fmt::format("arn:aws:dynamodb:{}:{}:table/{}", owner.region, owner.account, resource.path())};
    };
    const PolicyVerdict verdict = policies.judge(resource, question);
    if (verdict == PolicyVerdict::kDeny) {
      const PolicyQuestion denied = question();
      return fail(Code::kAccessDenied,
                  "User: {} is not authorized to perform: {} on resource: {} with an explicit deny in a resource-based "
                  "policy",
                  denied.principal, denied.action, denied.resource);
    }
    if (verdict == PolicyVerdict::kAllow) allowed.push_back(i);
  }
  if (allowed.empty()) return check_permission(key, demand, owner);
  if (allowed.size() == demand.resources.size()) return {};
  Demand rest = demand;
  for (const std::size_t i : std::views::reverse(allowed))
    rest.resources.erase(rest.resources.begin() + static_cast<std::ptrdiff_t>(i));
  return check_permission(key, rest, owner);
}

}  // namespace dolmen::access
