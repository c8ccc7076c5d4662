#include "relation/scope.h"

#include "base/fail.h"
#include "relation/lists.h"

namespace dolmen::relation {
namespace {

constexpr const char* kWholeTable = "whole table";

}  // namespace

Result<ScopePage> read_scope(Graph& graph, const Scope& scope, const ListOptions& page) {
  if (scope.below.has_value() == scope.account.has_value())
    return fail(Code::kInvalidArgument, "name either a resource or an account");
  ScopePage made;
  if (scope.below) {
    if (!scope.type.empty()) return fail(Code::kInvalidArgument, "a type needs an account; name the account too");
    DOLMEN_TRY(ListPage<Descendant> below, read_descendants(graph, *scope.below, 0, page));
    if (page.token.empty()) made.urns.push_back(*scope.below);
    for (Descendant& each : below.items) made.urns.push_back(std::move(each.urn));
    made.token = std::move(below.token);
    return made;
  }
  DOLMEN_TRY_VOID(check_urn(*scope.account));
  PartitionList list = account_list(*scope.account);
  if (!scope.type.empty()) {
    DOLMEN_TRY_VOID(check_resource_type(scope.type));
    DOLMEN_TRY(const Urn account, Urn::parse(*scope.account));
    narrow_to_type(list, account.domain, scope.type);
  }
  DOLMEN_TRY(ItemsPage items, read_list(graph, list, page));
  if (page.token.empty() && scope.type.empty()) made.urns.push_back(*scope.account);
  for (const Item& item : items.items) made.urns.push_back(text_of(item, "urn"));
  made.token = std::move(items.token);
  return made;
}

std::string table_token(const std::string& identity, const Item& record) {
  return make_token(identity, text_of(record, "PK") + "\n" + text_of(record, "SK"));
}

Result<std::optional<Item>> table_position(const std::string& identity, const std::string& token) {
  if (token.empty()) return std::nullopt;
  DOLMEN_TRY(const std::string position, read_token(identity, token));
  const std::size_t mark = position.find('\n');
  if (mark == std::string::npos) return fail(Code::kInvalidPageToken, "the page token is damaged");
  return Item{{"PK", position.substr(0, mark)}, {"SK", position.substr(mark + 1)}};
}

Result<RecordPage> read_table(Graph& graph, const ListOptions& page) {
  DOLMEN_TRY_VOID(check_limit(page));
  const std::string identity = list_identity(graph, kWholeTable, "", false);
  ScanOptions scan{.limit = page.limit, .page_size = page.limit, .consistent_read = true};
  DOLMEN_TRY(scan.start_after, table_position(identity, page.token));
  DOLMEN_TRY(Page read, graph.store.scan_page(graph.table, scan));
  RecordPage made{.records = std::move(read.items), .token = {}};
  if (read.last_key) made.token = table_token(identity, *read.last_key);
  return made;
}

}  // namespace dolmen::relation
