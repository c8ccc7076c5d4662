// Operations on families, collections and authorisation.
#include "base/fail.h"
#include "relation/operation_list.h"
#include "relation/request.h"

namespace dolmen::relation {
namespace {

std::string changed_text(bool changed) {
  return object_text([&](ObjectWriter& object) { object.flag("changed", changed); });
}

/// A list of links, or of the resources at their other ends when a type is named or they are asked for.
struct LinkRequest {
  LinkQuery query;
  bool resources = false;
  ListOptions page;
  std::shared_ptr<Relations> graph;
};

Result<LinkRequest> link_request(Operations& operations, std::string_view body) {
  DOLMEN_TRY(const ObjectView request,
             ObjectView::request(body, {"table", "urn", "type", "resources", "limit", "token", "descending"}));
  LinkRequest made;
  DOLMEN_TRY(made.query.of, text_in(request, "urn"));
  DOLMEN_TRY(const std::optional<std::string> type, request.optional_text("type"));
  made.query.type = type.value_or("");
  DOLMEN_TRY(made.resources, request.flag("resources"));
  made.resources = made.resources || !made.query.type.empty();
  DOLMEN_TRY(made.page, page_in(request));
  DOLMEN_TRY(made.graph, relations_in(operations, request));
  return made;
}

/// `urn` and what a page needs.
struct WalkRequest {
  std::string urn;
  std::uint32_t depth = 0;
  ListOptions page;
  std::shared_ptr<Relations> graph;
};

Result<WalkRequest> walk_request(Operations& operations, std::string_view body, ObjectView::Names allowed) {
  DOLMEN_TRY(const ObjectView request, ObjectView::request(body, allowed));
  WalkRequest made;
  DOLMEN_TRY(made.urn, text_in(request, "urn"));
  DOLMEN_TRY(const std::optional<std::uint32_t> depth, number_in(request, "depth"));
  made.depth = depth.value_or(0);
  DOLMEN_TRY(made.page, page_in(request));
  DOLMEN_TRY(made.graph, relations_in(operations, request));
  return made;
}

std::string urns_text(const std::vector<std::string>& urns, const std::string& token = {}) {
  return object_text([&](ObjectWriter& object) {
    object.texts("urns", urns);
    if (!token.empty()) object.text("token", token);
  });
}

void write_child(ObjectWriter& object, const ChildLink& child) {
  object.text("urn", child.urn).text("created_at", child.created_at);
  write_optional(object, "account", child.account);
}

}  // namespace

Answer attach_resource(Operations& operations, std::string_view body) {
  DOLMEN_TRY(const ObjectView request, ObjectView::request(body, {"table", "urn", "parent"}));
  DOLMEN_TRY(const std::string child, text_in(request, "urn"));
  DOLMEN_TRY(const std::string parent, text_in(request, "parent"));
  DOLMEN_TRY(const auto graph, relations_in(operations, request));
  DOLMEN_TRY(const bool changed, graph->attach(child, parent));
  return changed_text(changed);
}

Answer detach_resource(Operations& operations, std::string_view body) {
  DOLMEN_TRY(const ObjectView request, ObjectView::request(body, {"table", "urn"}));
  DOLMEN_TRY(const std::string child, text_in(request, "urn"));
  DOLMEN_TRY(const auto graph, relations_in(operations, request));
  DOLMEN_TRY(const bool changed, graph->detach(child));
  return changed_text(changed);
}

Answer list_children(Operations& operations, std::string_view body) {
  DOLMEN_TRY(const LinkRequest asked, link_request(operations, body));
  if (!asked.resources) {
    DOLMEN_TRY(const ListPage<ChildLink> links, asked.graph->children(asked.query.of, asked.page));
    return page_text("children", links, write_child);
  }
  DOLMEN_TRY(const ListPage<Resource> found, asked.graph->child_resources(asked.query, asked.page));
  return page_text("resources", found, write_resource);
}

Answer list_ancestors(Operations& operations, std::string_view body) {
  DOLMEN_TRY(const WalkRequest asked, walk_request(operations, body, {"table", "urn"}));
  DOLMEN_TRY(const std::vector<std::string> urns, asked.graph->ancestors(asked.urn));
  return urns_text(urns);
}

Answer list_descendants(Operations& operations, std::string_view body) {
  DOLMEN_TRY(const WalkRequest asked,
             walk_request(operations, body, {"table", "urn", "depth", "limit", "token", "descending"}));
  DOLMEN_TRY(const ListPage<Descendant> found, asked.graph->descendants(asked.urn, asked.depth, asked.page));
  return page_text("descendants", found, [](ObjectWriter& object, const Descendant& each) {
    object.text("urn", each.urn).text("parent", each.parent).number("depth", each.depth);
    object.text("created_at", each.created_at);
  });
}

Answer add_member(Operations& operations, std::string_view body) {
  DOLMEN_TRY(const ObjectView request,
             ObjectView::request(body, {"table", "urn", "collection", "conveys_authorization", "allow_cross_account"}));
  DOLMEN_TRY(const std::string member, text_in(request, "urn"));
  DOLMEN_TRY(const JoinCollection into, join_in(request));
  DOLMEN_TRY(const auto graph, relations_in(operations, request));
  DOLMEN_TRY(const bool added, graph->add_member(member, into));
  return changed_text(added);
}

Answer remove_member(Operations& operations, std::string_view body) {
  DOLMEN_TRY(const ObjectView request, ObjectView::request(body, {"table", "urn", "collection"}));
  DOLMEN_TRY(const std::string member, text_in(request, "urn"));
  DOLMEN_TRY(const std::string collection, text_in(request, "collection"));
  DOLMEN_TRY(const auto graph, relations_in(operations, request));
  DOLMEN_TRY(const bool removed, graph->remove_member(member, collection));
  return changed_text(removed);
}

Answer list_members(Operations& operations, std::string_view body) {
  DOLMEN_TRY(const LinkRequest asked, link_request(operations, body));
  if (!asked.resources) {
    DOLMEN_TRY(const ListPage<Membership> links, asked.graph->members(asked.query.of, asked.page));
    return page_text("memberships", links, write_membership);
  }
  DOLMEN_TRY(const ListPage<Resource> found, asked.graph->member_resources(asked.query, asked.page));
  return page_text("resources", found, write_resource);
}

Answer list_collections(Operations& operations, std::string_view body) {
  DOLMEN_TRY(const LinkRequest asked, link_request(operations, body));
  if (!asked.resources) {
    DOLMEN_TRY(const ListPage<Membership> links, asked.graph->collections(asked.query.of, asked.page));
    return page_text("memberships", links, write_membership);
  }
  DOLMEN_TRY(const ListPage<Resource> found, asked.graph->collection_resources(asked.query, asked.page));
  return page_text("resources", found, write_resource);
}

Answer list_authorization_path(Operations& operations, std::string_view body) {
  DOLMEN_TRY(const WalkRequest asked, walk_request(operations, body, {"table", "urn"}));
  DOLMEN_TRY(const std::vector<std::string> urns, asked.graph->authorization_path(asked.urn));
  return urns_text(urns);
}

Answer list_authorization_reach(Operations& operations, std::string_view body) {
  DOLMEN_TRY(const WalkRequest asked, walk_request(operations, body, {"table", "urn", "limit", "token"}));
  DOLMEN_TRY(const ListPage<std::string> page, asked.graph->authorization_reach(asked.urn, asked.page));
  return urns_text(page.items, page.token);
}

}  // namespace dolmen::relation
