// Lists of resources: of the table, of an account, and of links.
#include "base/fail.h"
#include "dolmen/relation/relations.h"
#include "relation/lists.h"
#include "relation/reserved.h"
#include "relation/scope.h"

namespace dolmen {
namespace {

using relation::Graph;
using relation::ItemsPage;
using relation::PartitionList;
using relation::Row;

/// What one request reads, and what one page reads at most when hardly anything matches.
constexpr std::uint32_t kReadAtOnce = 1000;
constexpr std::uint64_t kReadMax = 20'000;

/// Adds what is not being deleted, in the current schema version.
Result<void> add(const Graph& graph, Row row, ListPage<Resource>& page) {
  if (!row.live() || row.type.starts_with(relation::kReservedTypePrefix)) return {};
  DOLMEN_TRY(row, graph.upcast(std::move(row)));
  page.items.push_back(relation::resource_of(std::move(row)));
  return {};
}

Result<ListPage<Resource>> list_account(Graph& graph, const ResourceQuery& query, const ListOptions& page) {
  PartitionList list = relation::account_list(*query.account);
  DOLMEN_TRY(const Urn account, Urn::parse(*query.account));
  relation::narrow_to_type(list, account.domain, query.type);
  DOLMEN_TRY(ItemsPage items, relation::read_list(graph, list, page));
  ListPage<Resource> made{.items = {}, .token = std::move(items.token)};
  for (const Item& item : items.items) {
    DOLMEN_TRY(Row row, relation::read_row(item));
    if (!query.roots || !row.parent) DOLMEN_TRY_VOID(add(graph, std::move(row), made));
  }
  return made;
}

Condition wanted(const ResourceQuery& query) {
  Condition condition = attr("_recordType") == "Resource" && attr("_deleteJob").not_exists();
  if (!query.type.empty()) condition = std::move(condition) && attr("_resourceType") == query.type;
  if (query.roots) condition = std::move(condition) && attr("_parentUrn").not_exists();
  return condition;
}

/// There is no index of types: records are read until a page is full.
Result<ListPage<Resource>> list_table(Graph& graph, const ResourceQuery& query, const ListOptions& page) {
  DOLMEN_TRY_VOID(relation::check_limit(page));
  if (page.descending) return fail(Code::kInvalidArgument, "the list has no order, so it cannot be descending");
  const std::string identity =
      relation::list_identity(graph, query.roots ? "roots" : "resources", query.type, page.descending);
  ScanOptions scan{.filter = wanted(query), .page_size = kReadAtOnce, .consistent_read = true};
  DOLMEN_TRY(scan.start_after, relation::table_position(identity, page.token));
  ListPage<Resource> made;
  for (std::uint64_t read = 0; read < kReadMax;) {
    DOLMEN_TRY(const Page part, graph.store.scan_page(graph.table, scan));
    read += part.scanned_count;
    for (const Item& item : part.items) {
      DOLMEN_TRY(Row row, relation::read_row(item));
      DOLMEN_TRY_VOID(add(graph, std::move(row), made));
      if (made.items.size() < page.limit) continue;
      made.token = relation::table_token(identity, item);
      return made;
    }
    if (!part.last_key) return made;
    scan.start_after = part.last_key;
  }
  made.token = relation::table_token(identity, *scan.start_after);
  return made;
}

/// The resources at the other end of links.
Result<ListPage<Resource>> list_links(Graph& graph, const LinkQuery& query, PartitionList list, const ListOptions& page,
                                      const char* other_end) {
  DOLMEN_TRY(const Row of, graph.live_row(query.of));
  DOLMEN_TRY(const Urn urn, Urn::parse(query.of));
  if (!query.type.empty()) DOLMEN_TRY_VOID(check_resource_type(query.type));
  relation::narrow_to_type(list, urn.domain, query.type);
  DOLMEN_TRY(const ItemsPage items, relation::read_list(graph, list, page));
  std::vector<std::string> urns;
  for (const Item& item : items.items) urns.push_back(text_of(item, other_end));
  DOLMEN_TRY(std::vector<std::optional<Row>> rows, graph.find_rows(urns));
  ListPage<Resource> made{.items = {}, .token = items.token};
  for (std::optional<Row>& row : rows)
    if (row) DOLMEN_TRY_VOID(add(graph, *std::move(row), made));
  return made;
}

}  // namespace

Result<ListPage<Resource>> Relations::list(const ResourceQuery& query, const ListOptions& page) {
  if (!query.type.empty()) DOLMEN_TRY_VOID(check_resource_type(query.type));
  return query.account ? list_account(*graph_, query, page) : list_table(*graph_, query, page);
}

Result<ListPage<Resource>> Relations::child_resources(const LinkQuery& query, const ListOptions& page) {
  return list_links(*graph_, query, relation::children_list(query.of), page, "childUrn");
}

Result<ListPage<Resource>> Relations::member_resources(const LinkQuery& query, const ListOptions& page) {
  return list_links(*graph_, query, relation::members_list(query.of), page, "memberUrn");
}

Result<ListPage<Resource>> Relations::collection_resources(const LinkQuery& query, const ListOptions& page) {
  return list_links(*graph_, query, relation::collections_list(query.of), page, "collectionUrn");
}

}  // namespace dolmen
