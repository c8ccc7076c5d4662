#include "access/permission.h"

#include <algorithm>

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

}  // namespace dolmen::access
