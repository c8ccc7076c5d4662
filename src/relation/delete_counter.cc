#include "relation/delete_counter.h"

#include "base/fail.h"
#include "relation/doomed.h"
#include "relation/lists.h"
#include "relation/references.h"

namespace dolmen::relation {

Result<void> DeleteCounter::add_tree(const std::string& root) {
  std::deque<std::string> waiting{root};
  while (!waiting.empty()) {
    const std::string urn = std::move(waiting.front());
    waiting.pop_front();
    if (resources_.contains(urn)) continue;
    DOLMEN_TRY(std::optional<Row> row, graph_.find_row(urn));
    if (!row) continue;
    DOLMEN_TRY(std::vector<std::string> children, children_of(graph_, *row));
    waiting.insert(waiting.end(), children.begin(), children.end());
    DOLMEN_TRY(const bool is_account, graph_.is_account(*row));
    if (is_account) DOLMEN_TRY_VOID(add_account(urn, waiting));
    DOLMEN_TRY_VOID(add_alone(*std::move(row)));
  }
  return {};
}

Result<void> DeleteCounter::add_account(const std::string& account, std::deque<std::string>& waiting) {
  ListOptions options;
  do {
    DOLMEN_TRY(const ItemsPage page, read_list(graph_, account_list(account), options));
    for (const Item& item : page.items) waiting.push_back(text_of(item, "urn"));
    options.token = page.token;
  } while (!options.token.empty());
  return {};
}

Result<void> DeleteCounter::add_alone(Row row) {
  resources_.insert(row.urn);
  DOLMEN_TRY(const std::set<std::string> parents, find_unrecorded(graph_, row));
  count_.edges += parents.size();
  count_.unique_values += row.unique.size();
  if (row.may_have_members()) DOLMEN_TRY_VOID(add_memberships(collection_key_text(row.urn), ""));
  if (row.may_be_member()) DOLMEN_TRY_VOID(add_memberships(member_key_text(row.urn), kInvertedIndex));
  return {};
}

DeleteCount DeleteCounter::count() const {
  DeleteCount all = count_;
  all.resources = resources_.size();
  all.memberships = memberships_.size();
  return all;
}

Result<void> DeleteCounter::add_memberships(const std::string& partition, const char* index) {
  DOLMEN_TRY(const std::vector<Item> items, graph_.all_in(partition, index));
  for (const Item& item : items) memberships_.insert({text_of(item, "PK"), text_of(item, "SK")});
  return {};
}

}  // namespace dolmen::relation
