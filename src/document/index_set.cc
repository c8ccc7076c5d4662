#include "document/index_set.h"

#include <algorithm>

#include "base/check.h"
#include "base/fail.h"
#include "document/layout.h"
#include "document/limits.h"

namespace dolmen {

std::string_view index_state_name(IndexState state) {
  switch (state) {
    case IndexState::kBuilding: return "building";
    case IndexState::kReady: return "ready";
    case IndexState::kFailed: return "failed";
  }
  DOLMEN_UNREACHABLE("a state outside the closed list");
}

namespace document {
namespace {

Item row_of(const DocumentIndex& index) { return {{"state", index_state_name(index.state)}, {"reason", index.reason}}; }

DocumentIndex index_of(const Row& row) {
  const auto text = [&](std::string_view name) -> std::string {
    const AttributeValue* value = row.attributes.find(name);
    const std::string* found = value == nullptr ? nullptr : value->get_if<std::string>();
    return found == nullptr ? "" : *found;
  };
  const std::string state = text("state");
  return {.field = row.sort,
          .state = state == "ready"    ? IndexState::kReady
                   : state == "failed" ? IndexState::kFailed
                                       : IndexState::kBuilding,
          .reason = text("reason")};
}

std::int64_t revision_of(const std::optional<Item>& head) {
  const AttributeValue* value = head ? head->find("revision") : nullptr;
  const Number* number = value == nullptr ? nullptr : value->get_if<Number>();
  return number == nullptr ? 0 : number->to_int64().value_or(0);
}

}  // namespace

const DocumentIndex* IndexSet::find(std::string_view field) const {
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
  set->revision = revision_of(head);
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

Result<void> IndexSets::declare(const SchemaRef& ref, const std::string& field) {
  for (int attempt = 0; attempt < limits::kWriteAttempts; ++attempt) {
    DOLMEN_TRY(const std::shared_ptr<const IndexSet> set, reload(ref));
    if (set->find(field) != nullptr)
      return fail(Code::kIndexExists, "{} has an index on {}, and indexes never change", to_string(ref), field);
    if (set->indexes.size() >= limits::kIndexesPerSchema)
      return fail(Code::kLimitExceeded, "{} has {} indexes already, which is the limit", to_string(ref),
                  limits::kIndexesPerSchema);
    RowChange head = unchanged(ref, *set);
    head.kind = RowChange::Kind::kPut;
    head.attributes = {{"revision", set->revision + 1}};
    const std::vector<RowChange> changes = {std::move(head),
                                            {.key = index_row(ref, field),
                                             .attributes = row_of({.field = field}),
                                             .condition = "attribute_not_exists(pk)"}};
    DOLMEN_TRY(const std::vector<std::size_t> failed, rows_.write(changes, ref));
    if (failed.empty()) {
      DOLMEN_TRY_VOID(reload(ref));
      return {};
    }
  }
  return fail(Code::kTransactionConflict, "the indexes of {} keep changing; try again", to_string(ref));
}

Result<void> IndexSets::finish(const SchemaRef& ref, const DocumentIndex& index) {
  const std::vector<RowChange> changes = {
      {.key = index_row(ref, index.field), .attributes = row_of(index), .condition = "attribute_exists(pk)"}};
  DOLMEN_TRY_VOID(rows_.write(changes, ref));
  DOLMEN_TRY_VOID(reload(ref));
  return {};
}

}  // namespace document
}  // namespace dolmen
