// Operations on resources and their unique values.
#include "base/fail.h"
#include "relation/bound_types.h"
#include "relation/operation_list.h"
#include "relation/request.h"
#include "service/internal_tables.h"

namespace dolmen::relation {
namespace {

Result<std::vector<JoinCollection>> joins_in(const ObjectView& request, std::string_view name) {
  DOLMEN_TRY(const std::vector<std::string_view> list, request.list(name));
  std::vector<JoinCollection> joins;
  for (const std::string_view element : list) {
    DOLMEN_TRY(const ObjectView part,
               ObjectView::part(element, {"collection", "conveys_authorization", "allow_cross_account"}));
    DOLMEN_TRY(joins.emplace_back(), join_in(part));
  }
  return joins;
}

/// A list of {"key": "name", "value": "Acme"}.
Result<std::map<std::string, std::string>> unique_in(const ObjectView& request) {
  std::map<std::string, std::string> values;
  DOLMEN_TRY(const std::vector<std::string_view> list, request.list("unique"));
  for (const std::string_view element : list) {
    DOLMEN_TRY(const ObjectView part, ObjectView::part(element, {"key", "value"}));
    DOLMEN_TRY(std::string key, text_in(part, "key"));
    DOLMEN_TRY(values[std::move(key)], part.text("value"));
  }
  return values;
}

}  // namespace

Answer bind_relations(Operations& operations, std::string_view body) {
  DOLMEN_TRY(const ObjectView request, ObjectView::request(body, {"table", "types", "text"}));
  DOLMEN_TRY(const std::string table, text_in(request, "table"));
  DOLMEN_TRY_VOID(check_for_users(table));
  DOLMEN_TRY(const std::optional<std::string> text, request.optional_text("text"));
  const std::optional<std::string_view> json = request.find("types");
  if (text && json) return fail(Code::kQueryInvalid, "give either types or text");
  if (!text && !json) {
    DOLMEN_TRY_VOID(ensure_table(operations.store(), Relations::definition(table)));
  } else {
    DOLMEN_TRY_VOID(Relations::bind_types(operations.store(), table, text ? std::string_view(*text) : *json,
                                          text ? "text" : "types"));
  }
  return object_text([&](ObjectWriter& object) { object.text("table", table); });
}

Answer describe_relations(Operations& operations, std::string_view body) {
  DOLMEN_TRY(const ObjectView request, ObjectView::request(body, {"table"}));
  DOLMEN_TRY(const std::string table, text_in(request, "table"));
  DOLMEN_TRY_VOID(operations.relations_of(table));
  DOLMEN_TRY(const std::optional<std::string> text, bound_text(operations.store(), table));
  return object_text([&](ObjectWriter& object) {
    object.text("table", table);
    write_optional(object, "text", text);
  });
}

Answer create_resource(Operations& operations, std::string_view body) {
  DOLMEN_TRY(const ObjectView request, ObjectView::request(body, {"table", "type", "id", "parent", "account",
                                                                  "attributes", "unique", "collections"}));
  CreateResource wanted;
  DOLMEN_TRY(wanted.type, text_in(request, "type"));
  DOLMEN_TRY(const std::optional<std::string> id, request.optional_text("id"));
  wanted.id = id.value_or("");
  DOLMEN_TRY(wanted.parent, request.optional_text("parent"));
  DOLMEN_TRY(wanted.account, request.optional_text("account"));
  DOLMEN_TRY(wanted.attributes, item_in(request, "attributes"));
  DOLMEN_TRY(wanted.unique, unique_in(request));
  DOLMEN_TRY(wanted.collections, joins_in(request, "collections"));
  DOLMEN_TRY(const auto graph, relations_in(operations, request));
  DOLMEN_TRY(const Resource made, graph->create(wanted));
  return resource_text(made);
}

Answer get_resource(Operations& operations, std::string_view body) {
  DOLMEN_TRY(const ObjectView request, ObjectView::request(body, {"table", "urn", "strict"}));
  DOLMEN_TRY(const std::string urn, text_in(request, "urn"));
  GetResource options;
  DOLMEN_TRY(options.strict, request.flag("strict"));
  DOLMEN_TRY(const auto graph, relations_in(operations, request));
  DOLMEN_TRY(const Resource found, graph->get(urn, options));
  return resource_text(found);
}

Answer get_resources(Operations& operations, std::string_view body) {
  DOLMEN_TRY(const ObjectView request, ObjectView::request(body, {"table", "urns"}));
  DOLMEN_TRY(const std::vector<std::string> urns, texts_in(request, "urns"));
  DOLMEN_TRY(const auto graph, relations_in(operations, request));
  DOLMEN_TRY(const std::vector<std::optional<Resource>> found, graph->get_many(urns));
  return object_text([&](ObjectWriter& object) {
    std::string& out = object.member("resources");
    append_array(out, found, [&](const std::optional<Resource>& each) {
      out.append(each ? resource_text(*each) : std::string("null"));
    });
  });
}

Answer update_resource(Operations& operations, std::string_view body) {
  DOLMEN_TRY(const ObjectView request, ObjectView::request(body, {"table", "urn", "set", "remove", "if_updated_at"}));
  UpdateResource wanted;
  DOLMEN_TRY(wanted.urn, text_in(request, "urn"));
  DOLMEN_TRY(wanted.set, item_in(request, "set"));
  DOLMEN_TRY(wanted.remove, texts_in(request, "remove"));
  DOLMEN_TRY(wanted.if_updated_at, request.optional_text("if_updated_at"));
  DOLMEN_TRY(const auto graph, relations_in(operations, request));
  DOLMEN_TRY(const Resource changed, graph->update(wanted));
  return resource_text(changed);
}

Answer list_resources(Operations& operations, std::string_view body) {
  DOLMEN_TRY(const ObjectView request,
             ObjectView::request(body, {"table", "type", "roots", "account", "limit", "token", "descending"}));
  ResourceQuery query;
  DOLMEN_TRY(const std::optional<std::string> type, request.optional_text("type"));
  query.type = type.value_or("");
  DOLMEN_TRY(query.roots, request.flag("roots"));
  DOLMEN_TRY(query.account, request.optional_text("account"));
  DOLMEN_TRY(const ListOptions page, page_in(request));
  DOLMEN_TRY(const auto graph, relations_in(operations, request));
  DOLMEN_TRY(const ListPage<Resource> found, graph->list(query, page));
  return page_text("resources", found, write_resource);
}

Answer reserve_value(Operations& operations, std::string_view body) {
  DOLMEN_TRY(const ObjectView request, ObjectView::request(body, {"table", "type", "key", "value", "account"}));
  DOLMEN_TRY(const UniqueValue value, value_in(request));
  DOLMEN_TRY(const auto graph, relations_in(operations, request));
  DOLMEN_TRY_VOID(graph->reserve_unique(value));
  return "{}";
}

Answer release_value(Operations& operations, std::string_view body) {
  DOLMEN_TRY(const ObjectView request, ObjectView::request(body, {"table", "type", "key", "value", "account"}));
  DOLMEN_TRY(const UniqueValue value, value_in(request));
  DOLMEN_TRY(const auto graph, relations_in(operations, request));
  DOLMEN_TRY(const bool released, graph->release_unique(value));
  return object_text([&](ObjectWriter& object) { object.flag("released", released); });
}

Answer transfer_value(Operations& operations, std::string_view body) {
  DOLMEN_TRY(const ObjectView request,
             ObjectView::request(body, {"table", "type", "key", "value", "account", "from", "to"}));
  TransferUnique wanted{.value = {}, .to = {}};
  DOLMEN_TRY(wanted.value, value_in(request));
  DOLMEN_TRY(wanted.from, request.optional_text("from"));
  DOLMEN_TRY(wanted.to, text_in(request, "to"));
  DOLMEN_TRY(const auto graph, relations_in(operations, request));
  DOLMEN_TRY_VOID(graph->transfer_unique(wanted));
  return "{}";
}

Answer find_value(Operations& operations, std::string_view body) {
  DOLMEN_TRY(const ObjectView request, ObjectView::request(body, {"table", "type", "key", "value", "account"}));
  DOLMEN_TRY(const UniqueValue value, value_in(request));
  DOLMEN_TRY(const auto graph, relations_in(operations, request));
  DOLMEN_TRY(const std::optional<UniqueHolder> holder, graph->find_unique(value));
  if (!holder) return "{}";
  return object_text([&](ObjectWriter& object) { write_holder(object, *holder); });
}

Answer list_values(Operations& operations, std::string_view body) {
  DOLMEN_TRY(const ObjectView request,
             ObjectView::request(body, {"table", "type", "key", "account", "limit", "token", "descending"}));
  DOLMEN_TRY(const UniqueValue of, value_in(request, false));
  DOLMEN_TRY(const ListOptions page, page_in(request));
  DOLMEN_TRY(const auto graph, relations_in(operations, request));
  DOLMEN_TRY(const ListPage<UniqueHolder> found, graph->unique_values(of, page));
  return page_text("values", found, write_holder);
}

}  // namespace dolmen::relation
