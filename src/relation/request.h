#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dolmen/relation/relations.h"
#include "protocol/object_view.h"
#include "protocol/object_writer.h"

/// What requests and responses of the operations on relations have in common. Attributes are in DynamoDB's JSON.
namespace dolmen::relation {

/// Fails with kQueryInvalid unless it is there and not empty.
Result<std::string> text_in(const ObjectView& request, std::string_view name);
Result<std::vector<std::string>> texts_in(const ObjectView& request, std::string_view name);
/// An item in DynamoDB's JSON; empty when it is missing.
Result<Item> item_in(const ObjectView& request, std::string_view name);
/// Nothing when it is missing.
Result<std::optional<std::uint32_t>> number_in(const ObjectView& request, std::string_view name);
/// limit, token and descending.
Result<ListOptions> page_in(const ObjectView& request);
/// type, key, value and account.
Result<UniqueValue> value_in(const ObjectView& request, bool needs_value = true);
/// collection, conveys_authorization and allow_cross_account.
Result<JoinCollection> join_in(const ObjectView& request);
/// below, account, type and whole_table.
Result<Scope> scope_in(const ObjectView& request);

void write_resource(ObjectWriter& object, const Resource& resource);
std::string resource_text(const Resource& resource);
void write_holder(ObjectWriter& object, const UniqueHolder& holder);
void write_membership(ObjectWriter& object, const Membership& membership);
void write_progress(ObjectWriter& object, const DeleteProgress& progress);
void write_count(ObjectWriter& object, std::string_view name, const DeleteCount& count);
void write_optional(ObjectWriter& object, std::string_view name, const std::optional<std::string>& text);

/// A page: `write(object, item)` writes each item.
template <class T, class Write>
std::string page_text(std::string_view name, const ListPage<T>& page, Write write) {
  return object_text([&](ObjectWriter& object) {
    object.objects(name, page.items, write);
    if (!page.token.empty()) object.text("token", page.token);
  });
}

}  // namespace dolmen::relation
