#include "relation/lists.h"

#include <fmt/format.h>

#include "base/fail.h"
#include "dolmen/relation/relations.h"
#include "relation/rules.h"

namespace dolmen {
namespace relation {
namespace {

constexpr std::uint32_t kLimitMax = 1000;

PartitionList inverted_list(std::string name, std::string partition, const char* sort_prefix) {
  return {.name = std::move(name),
          .partition = partition,
          .index = kInvertedIndex,
          .partition_name = "SK",
          .sort_name = "PK",
          .sort_prefix = sort_prefix,
          .start_key = [partition](const std::string& position) { return Item{{"PK", position}, {"SK", partition}}; }};
}

PartitionList table_list(std::string name, std::string partition, const char* sort_prefix) {
  return {.name = std::move(name),
          .partition = partition,
          .sort_prefix = sort_prefix,
          .start_key = [partition](const std::string& position) { return Item{{"PK", partition}, {"SK", position}}; }};
}

}  // namespace

Result<void> check_limit(const ListOptions& page) {
  if (page.limit >= 1 && page.limit <= kLimitMax) return {};
  return fail(Code::kInvalidArgument, "the limit of a page must be 1 to {}, not {}", kLimitMax, page.limit);
}

std::string list_identity(const Graph& graph, std::string_view name, std::string_view partition, bool descending) {
  return fmt::format("{}\n{}\n{}\n{}", graph.table, name, partition, descending ? "descending" : "ascending");
}

Result<ItemsPage> read_list(Graph& graph, const PartitionList& list, const ListOptions& page) {
  DOLMEN_TRY_VOID(check_limit(page));
  const std::string identity = list_identity(graph, list.name, list.partition, page.descending);
  QueryOptions query{.key = key(list.partition_name) == list.partition && list.sort_condition,
                     .index = list.index,
                     .descending = page.descending,
                     .limit = page.limit,
                     .page_size = page.limit,
                     .consistent_read = std::string_view(list.index).empty()};
  if (!page.token.empty()) {
    DOLMEN_TRY(const std::string position, read_token(identity, page.token));
    query.start_after = list.start_key(position);
  }
  DOLMEN_TRY(Page read, graph.store.query_page(graph.table, query));
  ItemsPage made{.items = std::move(read.items), .token = {}};
  if (read.last_key) made.token = make_token(identity, text_of(*read.last_key, list.sort_name));
  return made;
}

void narrow_to_type(PartitionList& list, std::string_view domain, std::string_view type) {
  if (type.empty()) return;
  const std::string prefix = fmt::format("{}urn:{}:{}::", list.sort_prefix, domain, type);
  list.name += "\n" + prefix;
  list.sort_condition = key(list.sort_name).begins_with(prefix);
}

PartitionList children_list(const std::string& parent) {
  return table_list("children", parent_key_text(parent), "Child#");
}
PartitionList members_list(const std::string& collection) {
  return table_list("members", collection_key_text(collection), "Member#");
}
PartitionList collections_list(const std::string& member) {
  return inverted_list("collections", member_key_text(member), "Collection#");
}

PartitionList account_list(const std::string& account) {
  return {.name = "account",
          .partition = account,
          .index = kAccountIndex,
          .partition_name = "_accountUrn",
          .sort_name = "urn",
          .start_key = [account](const std::string& position) {
            const std::string key = resource_key_text(position);
            return Item{{"_accountUrn", account}, {"urn", position}, {"PK", key}, {"SK", key}};
          }};
}

}  // namespace relation

namespace {

using relation::PartitionList;

template <class T, class Read>
Result<ListPage<T>> converted(Result<relation::ItemsPage> items, Read read) {
  if (!items) return std::unexpected(items.error());
  ListPage<T> page{.items = {}, .token = std::move(items->token)};
  for (const Item& item : items->items) {
    DOLMEN_TRY(auto record, read(item));
    if constexpr (std::is_same_v<T, ChildLink>)
      page.items.push_back({std::move(record.child), std::move(record.created_at), std::move(record.account)});
    else if constexpr (std::is_same_v<T, UniqueHolder>)
      page.items.push_back(std::move(record.holder));
    else
      page.items.push_back(std::move(record));
  }
  return page;
}

/// The bounds of the URNs that an account query wants, and a name for them.
Result<void> narrow(const AccountQuery& query, PartitionList& list) {
  const bool timed = query.created_from || query.created_before;
  if (query.type.empty()) {
    if (timed) return fail(Code::kInvalidArgument, "a time needs a type; name the type too");
    return {};
  }
  DOLMEN_TRY_VOID(check_resource_type(query.type));
  DOLMEN_TRY(const Urn account, Urn::parse(query.account));
  if (!timed) {
    relation::narrow_to_type(list, account.domain, query.type);
    return {};
  }
  const std::string prefix = fmt::format("urn:{}:{}::", account.domain, query.type);
  // "~" sorts behind everything that an id may hold.
  const std::string first = prefix + (query.created_from ? first_uuid_v7(*query.created_from) : "");
  const std::string last = prefix + (query.created_before ? first_uuid_v7(*query.created_before) : "~");
  list.name += fmt::format("\n{}\n{}", first, last);
  // The upper bound itself is an id that nobody makes: its random part is zero.
  list.sort_condition = key("urn").between(first, last);
  return {};
}

}  // namespace

Result<ListPage<ChildLink>> Relations::children(const std::string& parent, const ListOptions& page) {
  DOLMEN_TRY_VOID(graph_->live_row(parent));
  return converted<ChildLink>(relation::read_list(*graph_, relation::children_list(parent), page), relation::read_edge);
}

Result<ListPage<Membership>> Relations::members(const std::string& collection, const ListOptions& page) {
  DOLMEN_TRY_VOID(graph_->live_row(collection));
  return converted<Membership>(relation::read_list(*graph_, relation::members_list(collection), page),
                               relation::read_membership);
}

Result<ListPage<Membership>> Relations::collections(const std::string& member, const ListOptions& page) {
  DOLMEN_TRY_VOID(graph_->live_row(member));
  return converted<Membership>(relation::read_list(*graph_, relation::collections_list(member), page),
                               relation::read_membership);
}

Result<ListPage<UniqueHolder>> Relations::unique_values(const UniqueValue& of, const ListOptions& page) {
  UniqueValue without_value = of;
  without_value.value.clear();
  DOLMEN_TRY(const relation::UniqueName name, relation::unique_name(graph_->types, without_value));
  const std::string partition = relation::unique_sort_text(name.type, name.key);
  const PartitionList list{
      .name = "unique",
      .partition = partition,
      .index = relation::kInvertedIndex,
      .partition_name = "SK",
      .sort_name = "PK",
      .start_key = [partition](const std::string& position) { return Item{{"PK", position}, {"SK", partition}}; }};
  return converted<UniqueHolder>(relation::read_list(*graph_, list, page), relation::read_unique);
}

Result<ListPage<Resource>> Relations::by_account(const AccountQuery& query, const ListOptions& page) {
  DOLMEN_TRY_VOID(relation::check_urn(query.account));
  PartitionList list = relation::account_list(query.account);
  DOLMEN_TRY_VOID(narrow(query, list));
  DOLMEN_TRY(relation::ItemsPage items, relation::read_list(*graph_, list, page));
  ListPage<Resource> made{.items = {}, .token = std::move(items.token)};
  for (const Item& item : items.items) {
    DOLMEN_TRY(relation::Row row, relation::read_row(item));
    if (!row.live()) continue;
    DOLMEN_TRY(row, graph_->upcast(std::move(row)));
    made.items.push_back(relation::resource_of(std::move(row)));
  }
  return made;
}

}  // namespace dolmen
