// Unique values by themselves.
#include "base/fail.h"
#include "dolmen/relation/relations.h"
#include "relation/rules.h"

namespace dolmen {
namespace {

using relation::Graph;
using relation::Plan;
using relation::Row;
using relation::UniqueName;

Result<UniqueName> name_with_value(const Graph& graph, const UniqueValue& value) {
  if (value.value.empty()) return fail(Code::kInvalidResource, "a unique value must not be empty");
  return relation::unique_name(graph.types, value);
}

Result<std::optional<UniqueHolder>> find_holder(Graph& graph, const UniqueName& name) {
  DOLMEN_TRY(const std::optional<Item> item, graph.find_record(relation::unique_key(name)));
  if (!item) return std::nullopt;
  DOLMEN_TRY(relation::UniqueRecord record, relation::read_unique(*item));
  return std::move(record.holder);
}

Error wrong_owner(const UniqueName& name, const std::optional<UniqueHolder>& holder) {
  if (holder) return relation::unique_violation(name, holder->owner);
  return {Code::kResourceNotFound, "no resource has the " + name.key + " \"" + name.value + "\""};
}

/// One transfer: the record changes its owner, and both resources say so.
class Transfer {
 public:
  Transfer(Graph& graph, const TransferUnique& request, UniqueName name)
      : graph_(graph), request_(request), name_(std::move(name)) {}

  Result<void> attempt() {
    DOLMEN_TRY(const std::optional<UniqueHolder> holder, find_holder(graph_, name_));
    if (!holder || holder->owner != request_.from) return std::unexpected(wrong_owner(name_, holder));
    Plan plan(graph_.table);
    if (request_.from) DOLMEN_TRY_VOID(take_from(plan, *request_.from));
    DOLMEN_TRY_VOID(give_to(plan));
    const std::string time = relation::later_time_text(Timestamp::from(graph_.options.now()), holder->updated_at);
    Condition owner_is = request_.from ? attr("associatedRecordUrn") == *request_.from
                                       : relation::record_exists() && attr("associatedRecordUrn").not_exists();
    plan.update(relation::unique_key(name_),
                Update{}.set(attr("associatedRecordUrn"), request_.to).set(attr("_updatedAt"), time),
                std::move(owner_is));
    return plan.carry_out(graph_.store);
  }

 private:
  Result<Row> read(const std::string& urn) {
    DOLMEN_TRY(Row row, graph_.live_row(urn));
    if (row.type != name_.type)
      return fail(Code::kInvalidResource, "{} is not a {}, so it cannot have that value", urn, name_.type);
    return row;
  }

  /// What else is unique may be different too, when the resource was stored in an older schema version.
  Result<void> plan_row(Plan& plan, const Row& stored, Row changed, bool gets_value) {
    DOLMEN_TRY(const ResourceType type, graph_.types.get(stored.type));
    DOLMEN_TRY_VOID(relation::check_attributes(type, changed.attributes));
    DOLMEN_TRY(changed.unique, relation::unique_values_after(graph_.types, stored, changed));
    changed = without_the_value(std::move(changed));
    if (gets_value) changed.unique[name_.key] = name_.value;
    changed.updated_at = relation::later_time_text(Timestamp::from(graph_.options.now()), stored.updated_at);
    DOLMEN_TRY_VOID(relation::check_size(changed));
    relation::plan_unique_changes(plan, without_the_value(stored), without_the_value(changed));
    return relation::plan_attributes(plan.row(stored.urn)
                                         .require_live()
                                         .require_updated_at(stored.updated_at)
                                         .on_refusal(relation::gone_or_stale(stored.urn)),
                                     stored, changed);
  }

  /// Its record only changes hands.
  [[nodiscard]] Row without_the_value(Row row) const {
    if (const auto found = row.unique.find(name_.key); found != row.unique.end() && found->second == name_.value)
      row.unique.erase(found);
    return row;
  }

  Result<void> take_from(Plan& plan, const std::string& urn) {
    DOLMEN_TRY(const Row stored, read(urn));
    DOLMEN_TRY(Row changed, graph_.upcast(stored));
    if (const AttributeValue* value = changed.attributes.find(request_.value.key)) taken_ = *value;
    changed.attributes.erase(request_.value.key);
    return plan_row(plan, stored, std::move(changed), false);
  }

  Result<void> give_to(Plan& plan) {
    DOLMEN_TRY(const Row stored, read(request_.to));
    DOLMEN_TRY(Row changed, graph_.upcast(stored));
    if (name_.key != request_.value.key && stored.account != request_.value.account)
      return fail(Code::kAccountMismatch, "{} and the value belong to different accounts", stored.urn);
    changed.attributes.set(request_.value.key, value_given());
    return plan_row(plan, stored, std::move(changed), true);
  }

  /// A number stays one.
  [[nodiscard]] AttributeValue value_given() const {
    const Number* number = taken_ ? taken_->get_if<Number>() : nullptr;
    if (number != nullptr && Number::parse(request_.value.value) == *number) return *taken_;
    return request_.value.value;
  }

  Graph& graph_;
  const TransferUnique& request_;
  UniqueName name_;
  /// What the attribute was in the resource that had the value.
  std::optional<AttributeValue> taken_;
};

}  // namespace

Result<void> Relations::reserve_unique(const UniqueValue& value) {
  DOLMEN_TRY(const UniqueName name, name_with_value(*graph_, value));
  return graph_->repeat<void>([&]() -> Result<void> {
    const std::string time = relation::time_text(Timestamp::from(graph_->options.now()));
    Plan plan(graph_->table);
    plan.create(relation::unique_record(
                    name, {.value = name.value, .owner = std::nullopt, .created_at = time, .updated_at = time}),
                [&](const std::optional<Item>& found) -> std::optional<Error> {
                  if (!found) return std::nullopt;
                  const Result<relation::UniqueRecord> record = relation::read_unique(*found);
                  return record ? relation::unique_violation(name, record->holder.owner) : record.error();
                });
    return plan.carry_out(graph_->store);
  });
}

Result<bool> Relations::release_unique(const UniqueValue& value) {
  DOLMEN_TRY(const UniqueName name, name_with_value(*graph_, value));
  return graph_->repeat<bool>([&]() -> Result<bool> {
    DOLMEN_TRY(const std::optional<UniqueHolder> holder, find_holder(*graph_, name));
    if (!holder) return false;
    if (holder->owner) return std::unexpected(relation::unique_violation(name, holder->owner));
    Plan plan(graph_->table);
    plan.erase(relation::unique_key(name), relation::record_exists() && attr("associatedRecordUrn").not_exists());
    DOLMEN_TRY_VOID(plan.carry_out(graph_->store));
    return true;
  });
}

Result<void> Relations::transfer_unique(const TransferUnique& request) {
  DOLMEN_TRY(const UniqueName name, name_with_value(*graph_, request.value));
  DOLMEN_TRY_VOID(relation::check_urn(request.to));
  if (request.from == request.to)
    return fail(Code::kInvalidResource, "a value cannot go from {} to itself", request.to);
  return graph_->repeat<void>([&] { return Transfer(*graph_, request, name).attempt(); });
}

Result<std::optional<UniqueHolder>> Relations::find_unique(const UniqueValue& value) {
  DOLMEN_TRY(const UniqueName name, name_with_value(*graph_, value));
  return find_holder(*graph_, name);
}

Result<Resource> Relations::get_by_unique(const UniqueValue& value) {
  DOLMEN_TRY(const UniqueName name, name_with_value(*graph_, value));
  DOLMEN_TRY(const std::optional<UniqueHolder> holder, find_holder(*graph_, name));
  if (!holder || !holder->owner) return std::unexpected(wrong_owner(name, std::nullopt));
  return get(*holder->owner);
}

}  // namespace dolmen
