#include "document/index_set.h"

#include <algorithm>

#include "base/check.h"
#include "base/fail.h"
#include "document/layout.h"
#include "document/limits.h"
#include "value/item_text.h"

namespace dolmen {

std::string_view index_state_name(IndexState state) {
  switch (state) {
    case IndexState::kBuilding: return "building";
    case IndexState::kReady: return "ready";
    case IndexState::kFailed: return "failed";
    case IndexState::kDropping: return "dropping";
  }
  DOLMEN_UNREACHABLE("a state outside the closed list");
}

namespace document {
namespace {

Item row_of(const DeclaredIndex& index) {
  Item row{{"state", index_state_name(index.state)}, {"reason", index.reason}, {"epoch", index.epoch}};
  if (index.clears) row.set("clears", true);
  return row;
}

std::int64_t number_in(const Item& row, std::string_view name) {
  const AttributeValue* value = row.find(name);
  const Number* number = value == nullptr ? nullptr : value->get_if<Number>();
  return number == nullptr ? 0 : number->to_int64().value_or(0);
}

DeclaredIndex index_of(const Row& row) {
  return {{.field = row.sort,
           .state = index_state_of(text_of(row.attributes, "state")),
           .reason = text_of(row.attributes, "reason")},
          number_in(row.attributes, "epoch"),
          row.attributes.find("clears") != nullptr};
}

/// What holds for the row of an index that still has its epoch. Indexes that were declared by earlier versions of this
/// program have none.
void require_epoch(RowChange& change, const DeclaredIndex& index) {
  change.condition = "attribute_exists(pk) AND attribute_not_exists(epoch)";
  if (index.epoch == 0) return;
  change.condition = "epoch = :e";
  change.values = {{":e", index.epoch}};
}

}  // namespace

IndexState index_state_of(std::string_view name) {
  for (const IndexState state : {IndexState::kReady, IndexState::kFailed, IndexState::kDropping})
    if (name == index_state_name(state)) return state;
  return IndexState::kBuilding;
}

const DeclaredIndex* IndexSet::find(std::string_view field) const {
  const auto found = std::ranges::find(indexes, field, &DocumentIndex::field);
  return found == indexes.end() ? nullptr : &*found;
}

Result<std::shared_ptr<const IndexSet>> IndexSets::get(const SchemaRef& ref) {
  {
    const std::scoped_lock lock(sets_mutex_);
    if (const auto found = sets_.find(ref); found != sets_.end()) return found->second;
  }
  return reload(ref);
}

Result<std::shared_ptr<const IndexSet>> IndexSets::reload(const SchemaRef& ref) {
  auto set = std::make_shared<IndexSet>();
  // The head is read first: when an index is declared in between, the set contains it but has an old revision, and a
  // write with that set starts again.
  DOLMEN_TRY(const std::optional<Item> head, rows_.get(head_row(ref)));
  set->revision = head ? number_in(*head, "revision") : 0;
  DOLMEN_TRY(const RowPage page, rows_.range({.partition = indexes_partition(ref),
                                              .lower = std::string(kFirst),
                                              .upper = std::string(kLast),
                                              .limit = limits::kIndexesPerSchema + 1}));
  for (const Row& row : page.rows) set->indexes.push_back(index_of(row));
  const std::scoped_lock lock(sets_mutex_);
  sets_.insert_or_assign(ref, set);
  return set;
}

RowChange IndexSets::unchanged(const SchemaRef& ref, const IndexSet& set) {
  RowChange check{.kind = RowChange::Kind::kCheck, .key = head_row(ref), .condition = "attribute_not_exists(pk)"};
  if (set.revision > 0) {
    check.condition = "revision = :r";
    check.values = {{":r", set.revision}};
  }
  return check;
}

RowChange IndexSets::still(const SchemaRef& ref, const DeclaredIndex& index) {
  RowChange check{.kind = RowChange::Kind::kCheck, .key = index_row(ref, index.field)};
  require_epoch(check, index);
  return check;
}

Result<bool> IndexSets::replace(const SchemaRef& ref, const IndexSet& set, DeclaredIndex index) {
  index.epoch = set.revision + 1;
  RowChange head = unchanged(ref, set);
  head.kind = RowChange::Kind::kPut;
  head.attributes = {{"revision", index.epoch}};
  const std::vector<RowChange> changes = {
      std::move(head), {.key = index_row(ref, index.field), .attributes = row_of(index), .condition = {}}};
  DOLMEN_TRY(const std::vector<std::size_t> failed, rows_.write(changes, ref));
  if (!failed.empty()) return false;
  DOLMEN_TRY_VOID(reload(ref));
  return true;
}

Result<void> IndexSets::declare(const SchemaRef& ref, const std::string& field) {
  Patience patience = rows_.patience();
  do {
    DOLMEN_TRY(const std::shared_ptr<const IndexSet> set, reload(ref));
    if (const DeclaredIndex* index = set->find(field))
      return fail(Code::kIndexExists, "{} has an index on {}, which is {}{}", to_string(ref), field,
                  index_state_name(index->state),
                  index->state == IndexState::kFailed ? "; rebuild it, or drop it first" : "");
    if (set->indexes.size() >= limits::kIndexesPerSchema)
      return fail(Code::kLimitExceeded, "{} has {} indexes already, which is the limit", to_string(ref),
                  limits::kIndexesPerSchema);
    DOLMEN_TRY(const bool declared, replace(ref, *set, {{.field = field}, 0, false}));
    if (declared) return {};
  } while (patience.pause());
  return fail(Code::kTransactionConflict, "the indexes of {} keep changing; try again", to_string(ref));
}

Result<bool> IndexSets::restart(const SchemaRef& ref, const std::string& field, IndexState state) {
  Patience patience = rows_.patience();
  do {
    DOLMEN_TRY(const std::shared_ptr<const IndexSet> set, reload(ref));
    if (set->find(field) == nullptr) return false;
    DOLMEN_TRY(const bool restarted, replace(ref, *set, {{.field = field, .state = state}, 0, true}));
    if (restarted) return true;
  } while (patience.pause());
  return fail(Code::kTransactionConflict, "the indexes of {} keep changing; try again", to_string(ref));
}

Result<void> IndexSets::finish(const SchemaRef& ref, const DeclaredIndex& index) {
  RowChange change{.key = index_row(ref, index.field)};
  if (index.state == IndexState::kDropping)
    change.kind = RowChange::Kind::kDelete;
  else
    change.attributes = row_of(index);
  require_epoch(change, index);
  DOLMEN_TRY_VOID(rows_.write({std::move(change)}, ref));
  DOLMEN_TRY_VOID(reload(ref));
  return {};
}

}  // namespace document
}  // namespace dolmen
