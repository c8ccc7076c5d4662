// dolmen relation: resources and their unique values.
#include <fmt/format.h>

#include "base/fail.h"
#include "cli/relation_flags.h"
#include "cli/stored_value.h"

namespace dolmen::cli {
namespace {

Result<Item> attributes_of(const RelationFlags& flags) {
  Item item;
  for (const std::string& assignment : flags.set) {
    DOLMEN_TRY(NamedText split, split_assignment(assignment));
    item.set(std::move(split.name), std::move(split.text));
  }
  for (const std::string& assignment : flags.set_json) {
    DOLMEN_TRY(NamedText split, split_assignment(assignment));
    DOLMEN_TRY(const LogicalValue json, parse_json(split.text));
    DOLMEN_TRY(AttributeValue value, stored_value(json));
    item.set(std::move(split.name), std::move(value));
  }
  return item;
}

RelationAnswer answer(const Resource& resource) {
  std::string text = fmt::format("{}\n  created {}, updated {}, schema version {}\n", resource.urn, resource.created_at,
                                 resource.updated_at, resource.schema_version);
  if (resource.parent) text += fmt::format("  parent  {}\n", *resource.parent);
  if (resource.account) text += fmt::format("  account {}\n", *resource.account);
  for (const auto& [name, value] : resource.attributes) {
    const Result<std::string> json = canonical_json(LogicalValue::from(value));
    text += fmt::format("  {} = {}\n", name, json ? *json : std::string(type_name(value.type())));
  }
  return {.text = std::move(text), .json = describe_resource(resource)};
}

std::optional<std::string> given(const std::string& text) { return text.empty() ? std::nullopt : std::optional(text); }

UniqueValue value_of(const RelationFlags& flags) {
  return {.type = flags.type, .key = flags.key, .value = flags.value, .account = given(flags.account)};
}

LogicalItem describe_holder(const UniqueHolder& holder) {
  return {{"value", holder.value},
          {"owner", text_or_null(holder.owner)},
          {"createdAt", holder.created_at},
          {"updatedAt", holder.updated_at}};
}

std::string printed(const UniqueHolder& holder) {
  return fmt::format("{}  {}\n", holder.value, holder.owner.value_or("(reserved)"));
}

}  // namespace

Result<RelationAnswer> create_resource(Relations& graph, const RelationFlags& flags) {
  CreateResource request{
      .type = flags.type, .id = flags.id, .parent = given(flags.parent), .account = given(flags.account)};
  DOLMEN_TRY(request.attributes, attributes_of(flags));
  for (const std::string& assignment : flags.unique) {
    DOLMEN_TRY(NamedText split, split_assignment(assignment));
    request.unique[std::move(split.name)] = std::move(split.text);
  }
  for (const std::string& collection : flags.join)
    request.collections.push_back(
        {.collection = collection, .conveys_authorization = flags.conveys, .allow_cross_account = flags.cross_account});
  DOLMEN_TRY(const Resource made, graph.create(request));
  return RelationAnswer{.text = made.urn + "\n", .json = describe_resource(made)};
}

Result<RelationAnswer> get_resources(Relations& graph, const RelationFlags& flags) {
  if (flags.urns.size() == 1) {
    DOLMEN_TRY(const Resource found, graph.get(flags.urns.front(), {.strict = flags.strict}));
    return answer(found);
  }
  DOLMEN_TRY(const std::vector<std::optional<Resource>> found, graph.get_many(flags.urns));
  RelationAnswer all;
  LogicalValue::List list;
  for (std::size_t i = 0; i < found.size(); ++i) {
    all.text += found[i] ? answer(*found[i]).text : fmt::format("{}\n  not there\n", flags.urns[i]);
    list.push_back(found[i] ? LogicalValue(describe_resource(*found[i])) : LogicalValue(nullptr));
  }
  all.json = std::move(list);
  return all;
}

Result<RelationAnswer> list_resources(Relations& graph, const RelationFlags& flags) {
  const ResourceQuery query{.type = flags.type, .roots = flags.roots, .account = given(flags.account)};
  DOLMEN_TRY(const ListPage<Resource> page, graph.list(query, page_of(flags)));
  return resource_list(page);
}

Result<RelationAnswer> update_resource(Relations& graph, const RelationFlags& flags) {
  UpdateResource request{.urn = flags.urn, .remove = flags.unset, .if_updated_at = given(flags.if_updated_at)};
  DOLMEN_TRY(request.set, attributes_of(flags));
  DOLMEN_TRY(const Resource changed, graph.update(request));
  return answer(changed);
}

Result<RelationAnswer> reserve_value(Relations& graph, const RelationFlags& flags) {
  DOLMEN_TRY_VOID(graph.reserve_unique(value_of(flags)));
  return RelationAnswer{.text = "reserved\n", .json = LogicalItem{{"reserved", true}}};
}

Result<RelationAnswer> release_value(Relations& graph, const RelationFlags& flags) {
  DOLMEN_TRY(const bool released, graph.release_unique(value_of(flags)));
  return RelationAnswer{.text = released ? "released\n" : "the value is not reserved\n",
                        .json = LogicalItem{{"released", released}}};
}

Result<RelationAnswer> transfer_value(Relations& graph, const RelationFlags& flags) {
  DOLMEN_TRY_VOID(graph.transfer_unique({.value = value_of(flags), .from = given(flags.from), .to = flags.to}));
  return RelationAnswer{.text = fmt::format("{} has it now\n", flags.to), .json = LogicalItem{{"owner", flags.to}}};
}

Result<RelationAnswer> find_value(Relations& graph, const RelationFlags& flags) {
  DOLMEN_TRY(const std::optional<UniqueHolder> holder, graph.find_unique(value_of(flags)));
  if (!holder) return RelationAnswer{.text = "no resource has it\n", .good = false};
  return RelationAnswer{.text = printed(*holder), .json = describe_holder(*holder)};
}

Result<RelationAnswer> list_values(Relations& graph, const RelationFlags& flags) {
  DOLMEN_TRY(const ListPage<UniqueHolder> page, graph.unique_values(value_of(flags), page_of(flags)));
  RelationAnswer made;
  LogicalValue::List list;
  for (const UniqueHolder& holder : page.items) {
    made.text += printed(holder);
    list.emplace_back(describe_holder(holder));
  }
  if (!page.token.empty()) made.text += "more: --token " + page.token + "\n";
  made.json = LogicalItem{{"values", std::move(list)}, {"token", page.token}};
  return made;
}

}  // namespace dolmen::cli
