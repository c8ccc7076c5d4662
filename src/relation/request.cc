#include "relation/request.h"

#include <charconv>

#include "base/fail.h"
#include "value/encoded_item.h"
#include "value/json.h"

namespace dolmen::relation {

Result<std::string> text_in(const ObjectView& request, std::string_view name) {
  DOLMEN_TRY(std::string text, request.text(name));
  if (text.empty()) return fail(Code::kQueryInvalid, "{} is missing", name);
  return text;
}

Result<std::vector<std::string>> texts_in(const ObjectView& request, std::string_view name) {
  DOLMEN_TRY(const std::vector<std::string_view> list, request.list(name));
  std::vector<std::string> texts;
  for (const std::string_view element : list) {
    std::optional<std::string> text = json_text(element);
    if (!text) return fail(Code::kQueryInvalid, "{} must be a list of strings", name);
    texts.push_back(*std::move(text));
  }
  return texts;
}

Result<Item> item_in(const ObjectView& request, std::string_view name) {
  const std::optional<std::string_view> json = request.find(name);
  if (!json) return Item{};
  DOLMEN_TRY(const EncodedItem encoded, json::parse_item(*json));
  return decode_item(encoded.bytes);
}

Result<std::optional<std::uint32_t>> number_in(const ObjectView& request, std::string_view name) {
  const std::optional<std::string_view> json = request.find(name);
  if (!json) return std::nullopt;
  std::uint32_t number = 0;
  const auto [end, error] = std::from_chars(json->data(), json->data() + json->size(), number);
  if (error != std::errc{} || end != json->data() + json->size())
    return fail(Code::kQueryInvalid, "{} must be a whole number, not {}", name, *json);
  return number;
}

Result<ListOptions> page_in(const ObjectView& request) {
  ListOptions page;
  DOLMEN_TRY(const std::optional<std::uint32_t> limit, number_in(request, "limit"));
  if (limit) page.limit = *limit;
  DOLMEN_TRY(const std::optional<std::string> token, request.optional_text("token"));
  page.token = token.value_or("");
  DOLMEN_TRY(page.descending, request.flag("descending"));
  return page;
}

Result<UniqueValue> value_in(const ObjectView& request, bool needs_value) {
  UniqueValue value;
  DOLMEN_TRY(value.type, text_in(request, "type"));
  DOLMEN_TRY(value.key, text_in(request, "key"));
  if (needs_value) {
    DOLMEN_TRY(value.value, text_in(request, "value"));
  }
  DOLMEN_TRY(value.account, request.optional_text("account"));
  return value;
}

Result<JoinCollection> join_in(const ObjectView& request) {
  JoinCollection join;
  DOLMEN_TRY(join.collection, text_in(request, "collection"));
  DOLMEN_TRY(join.conveys_authorization, request.flag("conveys_authorization"));
  DOLMEN_TRY(join.allow_cross_account, request.flag("allow_cross_account"));
  return join;
}

Result<Scope> scope_in(const ObjectView& request) {
  Scope scope;
  DOLMEN_TRY(scope.below, request.optional_text("below"));
  DOLMEN_TRY(scope.account, request.optional_text("account"));
  DOLMEN_TRY(const std::optional<std::string> type, request.optional_text("type"));
  scope.type = type.value_or("");
  DOLMEN_TRY(scope.whole_table, request.flag("whole_table"));
  return scope;
}

void write_optional(ObjectWriter& object, std::string_view name, const std::optional<std::string>& text) {
  if (text) object.text(name, *text);
}

void write_resource(ObjectWriter& object, const Resource& resource) {
  object.text("urn", resource.urn).text("type", resource.type).text("id", resource.id);
  object.number("schema_version", resource.schema_version);
  object.text("created_at", resource.created_at).text("updated_at", resource.updated_at);
  write_optional(object, "account", resource.account);
  write_optional(object, "parent", resource.parent);
  object.json("attributes", json::to_text(resource.attributes));
}

std::string resource_text(const Resource& resource) {
  return object_text([&](ObjectWriter& object) { write_resource(object, resource); });
}

void write_holder(ObjectWriter& object, const UniqueHolder& holder) {
  object.text("value", holder.value);
  write_optional(object, "owner", holder.owner);
  object.text("created_at", holder.created_at).text("updated_at", holder.updated_at);
}

void write_membership(ObjectWriter& object, const Membership& membership) {
  object.text("collection", membership.collection).text("member", membership.member);
  object.flag("conveys_authorization", membership.conveys_authorization).text("created_at", membership.created_at);
  write_optional(object, "account", membership.account);
}

void write_count(ObjectWriter& object, std::string_view name, const DeleteCount& count) {
  object.json(name, object_text([&](ObjectWriter& inner) {
                inner.number("resources", count.resources).number("edges", count.edges);
                inner.number("memberships", count.memberships).number("unique_values", count.unique_values);
              }));
}

void write_progress(ObjectWriter& object, const DeleteProgress& progress) {
  object.text("job", progress.job).text("kind", job_kind_name(progress.kind)).text("root", progress.root);
  object.text("started_at", progress.started_at).number("reassigned", progress.reassigned);
  write_count(object, "deleted", progress.deleted);
}

}  // namespace dolmen::relation
