#include "model.h"

#include <algorithm>

namespace dolmen::torture {
namespace {

using Failed = std::unexpected<Code>;

/// The unique key of each type; none has two.
const std::map<std::string, std::string, std::less<>> kUniqueKeys{
    {kAccount, "name"}, {kUser, "email"}, {kFolder, "path"}};

bool allowed_parent(const std::string& child, const std::string& parent) {
  if (child == kAccount) return parent == kSystem;
  if (child == kFolder) return parent == kAccount || parent == kFolder;
  return true;
}

bool needs_account(const std::string& type) { return type == kFolder || type == kJob; }
bool refuses_account(const std::string& type) { return type == kSystem || type == kAccount; }

std::map<std::string, std::string> texts(const Item& item) {
  std::map<std::string, std::string> made;
  for (const auto& [name, value] : item) made.emplace(name, value.string());
  return made;
}

/// Jobs of version 1 as they are read.
void upcast(ModelResource& resource) {
  if (resource.type != kJob || resource.version == 2) return;
  if (const auto title = resource.attributes.find("title"); title != resource.attributes.end()) {
    resource.attributes["name"] = title->second;
    resource.attributes.erase("title");
  }
  resource.attributes.emplace("state", "new");
  resource.version = 2;
}

}  // namespace

ResourceTypes types_of_run(int version) {
  ResourceTypes types;
  types.ids = IdPolicy::kAny;
  const auto add = [&](ResourceType type) { types.add(std::move(type)).value(); };
  add({.name = kSystem, .account = AccountScope::kNone});
  add({.name = kAccount,
       .account = AccountScope::kSelf,
       .parents = {kSystem},
       .unique = {{.key = "name", .normaliser = Normaliser::kCaseFold}}});
  add({.name = kUser, .unique = {{.key = "email", .normaliser = Normaliser::kCaseFold}}});
  add({.name = kFolder,
       .account = AccountScope::kRequired,
       .parents = {kAccount, kFolder},
       .unique = {{.key = "path", .per_account = true}}});
  add({.name = kGroup});
  ResourceType job{.name = kJob, .account = AccountScope::kRequired, .schema_version = version};
  if (version == 2)
    job.upcasters.emplace(1, [](Item attributes) -> Result<Item> {
      if (const AttributeValue* title = attributes.find("title")) {
        attributes.set("name", AttributeValue(*title));
        attributes.erase("title");
      }
      if (!attributes.contains("state")) attributes.set("state", "new");
      return attributes;
    });
  add(std::move(job));
  return types;
}

std::string normal_value(const std::string& type, const std::string& value) {
  if (type == kFolder) return value;
  // Only the letters that the run uses.
  std::string normal;
  for (std::size_t i = 0; i < value.size(); ++i) {
    if (value.compare(i, 2, "ß") == 0) {
      normal += "ss";
      ++i;
    } else {
      normal += static_cast<char>(value[i] >= 'A' && value[i] <= 'Z' ? value[i] - 'A' + 'a' : value[i]);
    }
  }
  return normal;
}

std::optional<std::string> Model::scope(const std::string& urn, const ModelResource& resource) const {
  return resource.type == kAccount ? std::optional(urn) : resource.account;
}

std::optional<std::string> Model::scope(const std::string& urn) const { return scope(urn, resources.at(urn)); }

std::optional<ModelUnique> Model::unique_of(const UniqueValue& value) const {
  const auto key = kUniqueKeys.find(value.type);
  if (key == kUniqueKeys.end() || key->second != value.key) return std::nullopt;
  if (value.type == kFolder && !value.account) return std::nullopt;
  return ModelUnique{value.type, value.type == kFolder ? value.key + "@" + *value.account : value.key,
                     normal_value(value.type, value.value)};
}

std::map<ModelUnique, std::string> Model::unique_values_of(const std::string& urn,
                                                           const ModelResource& resource) const {
  std::map<ModelUnique, std::string> made;
  const auto key = kUniqueKeys.find(resource.type);
  if (key == kUniqueKeys.end()) return made;
  const auto value = resource.attributes.find(key->second);
  if (value == resource.attributes.end()) return made;
  if (const auto unique = unique_of({resource.type, key->second, value->second, resource.account}))
    made.emplace(*unique, urn);
  return made;
}

std::map<ModelUnique, std::string> Model::unique_values() const {
  std::map<ModelUnique, std::string> made;
  for (const auto& [urn, resource] : resources) made.merge(unique_values_of(urn, resource));
  return made;
}

bool Model::taken(const std::map<ModelUnique, std::string>& wanted, const std::string& by) const {
  const std::map<ModelUnique, std::string> all = unique_values();
  return std::ranges::any_of(wanted, [&](const auto& entry) {
    const auto owner = all.find(entry.first);
    return reservations.contains(entry.first) || (owner != all.end() && owner->second != by);
  });
}

Model::Outcome<void> Model::may_be_parent(const std::string& parent, const std::string& child,
                                          const ModelResource& child_resource) const {
  if (parent == child) return Failed(Code::kCycle);
  if (!allowed_parent(child_resource.type, resources.at(parent).type)) return Failed(Code::kInvalidResource);
  const auto parent_scope = scope(parent);
  if (parent_scope && parent_scope != scope(child, child_resource)) return Failed(Code::kAccountMismatch);
  return {};
}

void Model::raise(const std::string& parent, unsigned child_height) {
  unsigned height = child_height;
  for (std::optional<std::string> at = parent; at; at = resources.at(*at).parent) {
    ModelResource& resource = resources.at(*at);
    if (resource.height >= ++height) return;
    resource.height = height;
  }
}

Model::Outcome<std::string> Model::create(const CreateResource& request, int version) {
  const std::string urn = "urn:pp:" + request.type + "::" + request.id;
  ModelResource resource{.type = request.type, .parent = request.parent, .attributes = texts(request.attributes)};
  if (request.type == kJob) resource.version = version;
  for (const auto& [key, value] : request.unique) resource.attributes[key] = value;
  if (request.parent && !has(*request.parent)) return Failed(Code::kParentNotFound);
  resource.account = request.account;
  if (!resource.account && request.parent && !refuses_account(request.type)) resource.account = scope(*request.parent);
  if (!resource.account && needs_account(request.type)) return Failed(Code::kAccountMismatch);
  if (resource.account) {
    if (refuses_account(request.type) || !has(*resource.account) || resources.at(*resource.account).type != kAccount)
      return Failed(Code::kAccountMismatch);
  }
  const auto wanted = unique_values_of(urn, resource);
  for (const auto& [unique, owner] : wanted)
    if (unique.value.empty() || unique.value.size() > 900) return Failed(Code::kInvalidResource);
  if (request.parent)
    if (auto family = may_be_parent(*request.parent, urn, resource); !family) return Failed(family.error());
  std::set<std::string> joined;
  for (const JoinCollection& join : request.collections) {
    if (join.collection == urn) return Failed(Code::kInvalidResource);
    if (!has(join.collection)) return Failed(Code::kResourceNotFound);
    if (!joined.insert(join.collection).second) return Failed(Code::kInvalidResource);
    const auto of_collection = scope(join.collection);
    const auto of_member = scope(urn, resource);
    if (of_collection && of_member && of_collection != of_member && !join.allow_cross_account)
      return Failed(Code::kAccountMismatch);
  }
  if (request.parent && ancestors(*request.parent).size() + 2 > kDepthMax) return Failed(Code::kLimitExceeded);
  if (has(urn)) return Failed(Code::kResourceExists);
  if (taken(wanted, urn)) return Failed(Code::kUniqueViolation);
  resources.emplace(urn, resource);
  if (request.parent) raise(*request.parent, 0);
  for (const JoinCollection& join : request.collections)
    memberships[{join.collection, urn}] = join.conveys_authorization;
  return urn;
}

Model::Outcome<void> Model::update(const UpdateResource& request, bool stale) {
  for (const std::string& name : request.remove)
    if (request.set.contains(name)) return Failed(Code::kInvalidResource);
  if (!has(request.urn)) return Failed(Code::kResourceNotFound);
  if (stale) return Failed(Code::kConditionFailed);
  ModelResource changed = resources.at(request.urn);
  upcast(changed);
  for (const auto& [name, value] : request.set) changed.attributes[name] = value.string();
  for (const std::string& name : request.remove) changed.attributes.erase(name);
  const auto wanted = unique_values_of(request.urn, changed);
  for (const auto& [unique, owner] : wanted)
    if (unique.value.empty() || unique.value.size() > 900) return Failed(Code::kInvalidResource);
  if (taken(wanted, request.urn)) return Failed(Code::kUniqueViolation);
  resources.at(request.urn) = std::move(changed);
  return {};
}

Model::Outcome<void> Model::reserve(const UniqueValue& value) {
  const auto unique = unique_of(value);
  if (!unique) return Failed(Code::kInvalidResource);
  if (reservations.contains(*unique) || unique_values().contains(*unique)) return Failed(Code::kUniqueViolation);
  reservations.insert(*unique);
  return {};
}

Model::Outcome<bool> Model::release(const UniqueValue& value) {
  const auto unique = unique_of(value);
  if (!unique) return Failed(Code::kInvalidResource);
  if (unique_values().contains(*unique)) return Failed(Code::kUniqueViolation);
  return reservations.erase(*unique) > 0;
}

Model::Outcome<void> Model::transfer(const TransferUnique& request) {
  const auto unique = unique_of(request.value);
  if (!unique) return Failed(Code::kInvalidResource);
  if (request.from == request.to) return Failed(Code::kInvalidResource);
  const auto all = unique_values();
  const auto owner = all.find(*unique);
  const bool reserved = reservations.contains(*unique);
  if (owner == all.end() && !reserved) return Failed(Code::kResourceNotFound);
  if (request.from ? (owner == all.end() || owner->second != *request.from) : !reserved)
    return Failed(Code::kUniqueViolation);
  if (!has(request.to)) return Failed(Code::kResourceNotFound);
  ModelResource& to = resources.at(request.to);
  if (to.type != request.value.type) return Failed(Code::kInvalidResource);
  if (request.value.type == kFolder && to.account != request.value.account) return Failed(Code::kAccountMismatch);
  if (request.from) {
    upcast(resources.at(*request.from));
    resources.at(*request.from).attributes.erase(request.value.key);
  }
  reservations.erase(*unique);
  upcast(to);
  to.attributes[request.value.key] = request.value.value;
  return {};
}

Model::Outcome<void> Model::may_attach(const std::string& child, const ModelResource& child_resource,
                                       const std::string& parent) const {
  if (!has(parent)) return Failed(Code::kParentNotFound);
  if (auto family = may_be_parent(parent, child, child_resource); !family) return Failed(family.error());
  const std::vector<std::string> above = ancestors(parent);
  if (std::ranges::find(above, child) != above.end()) return Failed(Code::kCycle);
  if (above.size() + 2 + child_resource.height > kDepthMax) return Failed(Code::kLimitExceeded);
  return {};
}

void Model::set_parent(const std::string& child, const std::string& parent) {
  resources.at(child).parent = parent;
  raise(parent, resources.at(child).height);
}

Model::Outcome<bool> Model::attach(const std::string& child, const std::string& parent) {
  if (!has(child)) return Failed(Code::kResourceNotFound);
  if (!has(parent)) return Failed(Code::kParentNotFound);
  if (resources.at(child).parent == parent) return false;
  if (auto may = may_attach(child, resources.at(child), parent); !may) return Failed(may.error());
  set_parent(child, parent);
  return true;
}

Model::Outcome<bool> Model::detach(const std::string& child) {
  if (!has(child)) return Failed(Code::kResourceNotFound);
  const bool had = resources.at(child).parent.has_value();
  resources.at(child).parent.reset();
  return had;
}

Model::Outcome<bool> Model::add_member(const std::string& member, const JoinCollection& into) {
  if (member == into.collection) return Failed(Code::kInvalidResource);
  if (!has(into.collection) || !has(member)) return Failed(Code::kResourceNotFound);
  const auto of_collection = scope(into.collection);
  const auto of_member = scope(member);
  if (of_collection && of_member && of_collection != of_member && !into.allow_cross_account)
    return Failed(Code::kAccountMismatch);
  const bool is_new = !memberships.contains({into.collection, member});
  memberships[{into.collection, member}] = into.conveys_authorization;
  return is_new;
}

Model::Outcome<bool> Model::remove_member(const std::string& member, const std::string& collection) {
  return memberships.erase({collection, member}) > 0;
}

DeleteCount Model::erase(const std::set<std::string>& urns) {
  DeleteCount count;
  for (const std::string& urn : urns) {
    const ModelResource& resource = resources.at(urn);
    ++count.resources;
    count.edges += resource.parent ? 1 : 0;
    count.unique_values += unique_values_of(urn, resource).size();
    resources.erase(urn);
  }
  count.memberships = std::erase_if(memberships, [&](const auto& entry) {
    return urns.contains(entry.first.first) || urns.contains(entry.first.second);
  });
  return count;
}

std::set<std::string> Model::with_all_that_refer_to(const std::string& urn) const {
  std::set<std::string> urns;
  for (std::vector<std::string> waiting{urn}; !waiting.empty();) {
    const std::string at = waiting.back();
    waiting.pop_back();
    if (!urns.insert(at).second) continue;
    for (const auto& [each, resource] : resources)
      if (resource.parent == at || resource.account == at) waiting.push_back(each);
  }
  return urns;
}

Model::Outcome<DeleteCount> Model::remove(const std::string& urn, DeleteMode mode) {
  if (!has(urn)) return Failed(Code::kResourceNotFound);
  const std::set<std::string> urns = with_all_that_refer_to(urn);
  if (mode == DeleteMode::kRestrict && urns.size() > 1) return Failed(Code::kResourceInUse);
  return erase(urns);
}

Model::Outcome<DeleteCount> Model::purge(const std::string& account) {
  if (!has(account)) return Failed(Code::kResourceNotFound);
  if (resources.at(account).type != kAccount) return Failed(Code::kInvalidResource);
  return remove(account, DeleteMode::kCascade);
}

void Model::rewrite(const std::string& urn) { upcast(resources.at(urn)); }

std::vector<std::string> Model::children(const std::string& urn) const {
  std::vector<std::string> made;
  for (const auto& [child, resource] : resources)
    if (resource.parent == urn) made.push_back(child);
  return made;
}

std::vector<std::string> Model::ancestors(const std::string& urn) const {
  std::vector<std::string> made;
  for (auto at = resources.at(urn).parent; at; at = resources.at(*at).parent) made.insert(made.begin(), *at);
  return made;
}

std::vector<std::string> Model::descendants(const std::string& urn) const {
  std::vector<std::string> made;
  for (const std::string& child : children(urn)) {
    made.push_back(child);
    for (std::string& below : descendants(child)) made.push_back(std::move(below));
  }
  return made;
}

std::set<std::string> Model::authorization_path(const std::string& urn) const {
  std::set<std::string> seen{urn};
  for (std::vector<std::string> waiting{urn}; !waiting.empty();) {
    const std::string at = waiting.back();
    waiting.pop_back();
    std::vector<std::string> above;
    if (const auto& parent = resources.at(at).parent) above.push_back(*parent);
    for (const auto& [pair, conveys] : memberships)
      if (conveys && pair.second == at) above.push_back(pair.first);
    for (const std::string& next : above)
      if (seen.insert(next).second) waiting.push_back(next);
  }
  return seen;
}

std::set<std::string> Model::authorization_reach(const std::string& urn) const {
  std::set<std::string> reached;
  for (const auto& [each, resource] : resources)
    if (authorization_path(each).contains(urn)) reached.insert(each);
  return reached;
}

std::map<std::string, std::string> Model::current_attributes(const std::string& urn) const {
  ModelResource resource = resources.at(urn);
  upcast(resource);
  return resource.attributes;
}

}  // namespace dolmen::torture
