// What a model does when resources get another account.
#include <algorithm>

#include "model.h"

namespace dolmen::torture {
namespace {

using Failed = std::unexpected<Code>;

bool may_have_account(const std::string& type) { return type != kSystem && type != kAccount; }

}  // namespace

std::set<std::string> Model::family(const std::string& urn) const {
  const std::vector<std::string> below = descendants(urn);
  std::set<std::string> urns(below.begin(), below.end());
  urns.insert(urn);
  return urns;
}

Model::Outcome<void> Model::may_get_account(const ReassignAccount& request) const {
  ModelResource changed = resources.at(request.urn);
  if (!may_have_account(changed.type)) return Failed(Code::kAccountMismatch);
  if (!has(request.account) || resources.at(request.account).type != kAccount) return Failed(Code::kAccountMismatch);
  if (!changed.account && !children(request.urn).empty()) return Failed(Code::kAccountMismatch);
  changed.account = request.account;
  if (request.parent && request.parent != changed.parent) return may_attach(request.urn, changed, *request.parent);
  if (changed.parent) return may_be_parent(*changed.parent, request.urn, changed);
  return {};
}

Model::Outcome<void> Model::may_take_along(const std::set<std::string>& urns, const ReassignAccount& request,
                                           const std::string& going) const {
  for (const std::string& urn : urns) {
    ModelResource changed = resources.at(urn);
    changed.account = request.account;
    // A value that is unique everywhere is its own.
    if (taken(unique_values_of(urn, changed), urn)) return Failed(Code::kUniqueViolation);
  }
  if (request.allow_cross_account) return {};
  for (const auto& [pair, conveys] : memberships) {
    if (urns.contains(pair.first) == urns.contains(pair.second)) continue;
    const auto other = scope(urns.contains(pair.first) ? pair.second : pair.first);
    if (other && other != request.account && other != going) return Failed(Code::kAccountMismatch);
  }
  return {};
}

Model::Outcome<std::uint64_t> Model::reassign_account(const ReassignAccount& request) {
  if (!has(request.urn)) return Failed(Code::kResourceNotFound);
  if (resources.at(request.urn).account == request.account) {
    if (!request.parent) return 0;
    if (const auto attached = attach(request.urn, *request.parent); !attached) return Failed(attached.error());
    return 0;
  }
  if (const auto may = may_get_account(request); !may) return Failed(may.error());
  const std::set<std::string> urns = family(request.urn);
  if (const auto may = may_take_along(urns, request, ""); !may) return Failed(may.error());
  for (const std::string& urn : urns) resources.at(urn).account = request.account;
  if (request.parent && request.parent != resources.at(request.urn).parent) set_parent(request.urn, *request.parent);
  return urns.size();
}

Model::Outcome<DeleteCount> Model::remove_reassigning(const std::string& urn, const std::string& to) {
  if (urn == to) return Failed(Code::kInvalidResource);
  if (!has(urn) || !has(to)) return Failed(Code::kResourceNotFound);
  const std::vector<std::string> above = ancestors(to);
  if (std::ranges::find(above, urn) != above.end()) return Failed(Code::kCycle);
  const std::vector<std::string> below = children(urn);
  for (const std::string& child : below)
    if (resources.at(child).account != urn)
      if (const auto may = may_attach(child, resources.at(child), to); !may) return Failed(may.error());
  std::vector<ReassignAccount> moves;
  if (resources.at(urn).type == kAccount) {
    if (resources.at(to).type != kAccount) return Failed(Code::kAccountMismatch);
    std::set<std::string> all;
    for (const auto& [each, resource] : resources) {
      if (resource.account != urn) continue;
      const bool is_child = resource.parent == urn;
      if (resource.parent && !is_child && resources.at(*resource.parent).account == urn) continue;
      moves.push_back({.urn = each, .account = to, .parent = is_child ? std::optional(to) : std::nullopt});
      if (const auto may = may_get_account(moves.back()); !may) return Failed(may.error());
      const std::set<std::string> urns = family(each);
      ReassignAccount anyhow = moves.back();
      anyhow.allow_cross_account = true;
      if (const auto may = may_take_along(urns, anyhow, urn); !may) return Failed(may.error());
      all.insert(urns.begin(), urns.end());
    }
    if (const auto may = may_take_along(all, {.urn = urn, .account = to}, urn); !may) return Failed(may.error());
  }
  for (const ReassignAccount& move : moves) {
    for (const std::string& each : family(move.urn)) resources.at(each).account = to;
    if (move.parent) set_parent(move.urn, to);
  }
  for (const std::string& child : children(urn)) set_parent(child, to);
  return erase({urn});
}

}  // namespace dolmen::torture
