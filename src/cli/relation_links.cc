// dolmen relation: families, collections, accounts and authorisation.
#include <fmt/format.h>

#include "cli/relation_flags.h"

namespace dolmen::cli {
namespace {

RelationAnswer yes_or_no(bool yes, const char* done, const char* not_done) {
  return {.text = std::string(yes ? done : not_done) + "\n", .json = LogicalItem{{"changed", yes}}};
}

RelationAnswer membership_list(const ListPage<Membership>& page) {
  RelationAnswer made;
  LogicalValue::List list;
  for (const Membership& each : page.items) {
    made.text += fmt::format("{}  in  {}{}\n", each.member, each.collection,
                             each.conveys_authorization ? "  conveys authorisation" : "");
    list.emplace_back(LogicalItem{{"collection", each.collection},
                                  {"member", each.member},
                                  {"conveysAuthorization", each.conveys_authorization},
                                  {"createdAt", each.created_at},
                                  {"account", text_or_null(each.account)}});
  }
  if (!page.token.empty()) made.text += "more: --token " + page.token + "\n";
  made.json = LogicalItem{{"memberships", std::move(list)}, {"token", page.token}};
  return made;
}

/// A filter is one of resources.
bool wants_resources(const RelationFlags& flags) { return flags.resources || !flags.type.empty(); }

using Linked = Result<ListPage<Resource>> (Relations::*)(const LinkQuery&, const ListOptions&);

Result<RelationAnswer> linked(Relations& graph, const RelationFlags& flags, Linked list) {
  DOLMEN_TRY(const ListPage<Resource> page,
             (graph.*list)(LinkQuery{.of = flags.urn, .type = flags.type}, page_of(flags)));
  return resource_list(page);
}

}  // namespace

LogicalValue text_or_null(const std::optional<std::string>& text) {
  return text ? LogicalValue(*text) : LogicalValue(nullptr);
}

LogicalItem describe_resource(const Resource& resource) {
  LogicalItem attributes;
  for (const auto& [name, value] : resource.attributes) attributes.emplace(name, LogicalValue::from(value));
  return {{"urn", resource.urn},
          {"type", resource.type},
          {"id", resource.id},
          {"schemaVersion", resource.schema_version},
          {"createdAt", resource.created_at},
          {"updatedAt", resource.updated_at},
          {"account", text_or_null(resource.account)},
          {"parent", text_or_null(resource.parent)},
          {"attributes", std::move(attributes)}};
}

RelationAnswer urn_list(const std::vector<std::string>& urns, const std::string& token) {
  RelationAnswer made;
  LogicalValue::List list;
  for (const std::string& urn : urns) {
    made.text += urn + "\n";
    list.emplace_back(urn);
  }
  if (!token.empty()) made.text += "more: --token " + token + "\n";
  made.json = LogicalItem{{"urns", std::move(list)}, {"token", token}};
  return made;
}

RelationAnswer resource_list(const ListPage<Resource>& page) {
  std::vector<std::string> urns;
  LogicalValue::List list;
  for (const Resource& resource : page.items) {
    urns.push_back(resource.urn);
    list.emplace_back(describe_resource(resource));
  }
  RelationAnswer made = urn_list(urns, page.token);
  made.json = LogicalItem{{"resources", std::move(list)}, {"token", page.token}};
  return made;
}

ListOptions page_of(const RelationFlags& flags) {
  return {.limit = flags.limit, .token = flags.token, .descending = flags.descending};
}

Result<RelationAnswer> attach_child(Relations& graph, const RelationFlags& flags) {
  DOLMEN_TRY(const bool moved, graph.attach(flags.urn, flags.other));
  return yes_or_no(moved, "attached", "it has that parent already");
}

Result<RelationAnswer> detach_child(Relations& graph, const RelationFlags& flags) {
  DOLMEN_TRY(const bool detached, graph.detach(flags.urn));
  return yes_or_no(detached, "detached", "it has no parent");
}

Result<RelationAnswer> show_parent(Relations& graph, const RelationFlags& flags) {
  DOLMEN_TRY(const std::optional<std::string> parent, graph.parent(flags.urn));
  return RelationAnswer{.text = parent.value_or("none") + "\n", .json = LogicalItem{{"parent", text_or_null(parent)}}};
}

Result<RelationAnswer> list_children(Relations& graph, const RelationFlags& flags) {
  if (wants_resources(flags)) return linked(graph, flags, &Relations::child_resources);
  DOLMEN_TRY(const ListPage<ChildLink> page, graph.children(flags.urn, page_of(flags)));
  std::vector<std::string> urns;
  for (const ChildLink& child : page.items) urns.push_back(child.urn);
  return urn_list(urns, page.token);
}

Result<RelationAnswer> list_ancestors(Relations& graph, const RelationFlags& flags) {
  DOLMEN_TRY(const std::vector<std::string> urns, graph.ancestors(flags.urn));
  return urn_list(urns);
}

Result<RelationAnswer> list_descendants(Relations& graph, const RelationFlags& flags) {
  DOLMEN_TRY(const ListPage<Descendant> page, graph.descendants(flags.urn, flags.depth, page_of(flags)));
  RelationAnswer made;
  LogicalValue::List list;
  for (const Descendant& each : page.items) {
    made.text += fmt::format("{:{}}{}\n", "", 2 * (each.depth - 1), each.urn);
    list.emplace_back(
        LogicalItem{{"urn", each.urn}, {"parent", each.parent}, {"depth", each.depth}, {"createdAt", each.created_at}});
  }
  if (!page.token.empty()) made.text += "more: --token " + page.token + "\n";
  made.json = LogicalItem{{"descendants", std::move(list)}, {"token", page.token}};
  return made;
}

Result<RelationAnswer> join_collection(Relations& graph, const RelationFlags& flags) {
  const JoinCollection into{
      .collection = flags.other, .conveys_authorization = flags.conveys, .allow_cross_account = flags.cross_account};
  DOLMEN_TRY(const bool added, graph.add_member(flags.urn, into));
  return yes_or_no(added, "added", "it is a member already");
}

Result<RelationAnswer> leave_collection(Relations& graph, const RelationFlags& flags) {
  DOLMEN_TRY(const bool removed, graph.remove_member(flags.urn, flags.other));
  return yes_or_no(removed, "removed", "it is not a member");
}

Result<RelationAnswer> list_members(Relations& graph, const RelationFlags& flags) {
  if (wants_resources(flags)) return linked(graph, flags, &Relations::member_resources);
  DOLMEN_TRY(const ListPage<Membership> page, graph.members(flags.urn, page_of(flags)));
  return membership_list(page);
}

Result<RelationAnswer> list_collections(Relations& graph, const RelationFlags& flags) {
  if (wants_resources(flags)) return linked(graph, flags, &Relations::collection_resources);
  DOLMEN_TRY(const ListPage<Membership> page, graph.collections(flags.urn, page_of(flags)));
  return membership_list(page);
}

Result<RelationAnswer> list_account(Relations& graph, const RelationFlags& flags) {
  AccountQuery query{.account = flags.urn, .type = flags.type};
  if (!flags.created_from.empty()) {
    DOLMEN_TRY(query.created_from, parse_timestamp(flags.created_from));
  }
  if (!flags.created_before.empty()) {
    DOLMEN_TRY(query.created_before, parse_timestamp(flags.created_before));
  }
  DOLMEN_TRY(const ListPage<Resource> page, graph.by_account(query, page_of(flags)));
  return resource_list(page);
}

Result<RelationAnswer> authorization_path(Relations& graph, const RelationFlags& flags) {
  DOLMEN_TRY(const std::vector<std::string> urns, graph.authorization_path(flags.urn));
  return urn_list(urns);
}

Result<RelationAnswer> authorization_reach(Relations& graph, const RelationFlags& flags) {
  DOLMEN_TRY(const ListPage<std::string> page, graph.authorization_reach(flags.urn, page_of(flags)));
  return urn_list(page.items, page.token);
}

}  // namespace dolmen::cli
