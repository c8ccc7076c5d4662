#include "entity/write_plan.h"

#include <algorithm>

#include "base/fail.h"
#include "entity/compiled.h"
#include "entity/item_source.h"
#include "entity/refusal.h"
#include "expr/path_rules.h"
#include "expr/update.h"
#include "service/expressions.h"
#include "store/placeholders.h"

namespace dolmen::entity {

namespace {

using Kind = Write::Kind;
using Found = std::span<const std::optional<Item>>;

/// A condition may have 300 operators. Every attribute takes two: its comparison, and the AND before it.
constexpr std::size_t kMovedAttributesMax = 140;

/// The actions of an update expression, and what they point into.
struct ReadUpdate {
  expr::Placeholders placeholders;
  std::vector<expr::UpdateAction> actions;
};

/// `read` must not move afterwards.
Result<void> read_actions(const Update& update, ReadUpdate& read) {
  if (update.empty()) return {};
  PlaceholderWriter writer;
  const std::optional<Expression> expression = writer.write(update);
  DOLMEN_TRY(read.placeholders, writer.finish());
  ExpressionReader reader(read.placeholders);
  DOLMEN_TRY(read.actions, reader.update(*expression));
  return reader.finish();
}

/// Where an item was found; nothing when there is none.
std::optional<std::size_t> place_in(Found found) {
  const auto one = std::ranges::find_if(found, &std::optional<Item>::has_value);
  if (one == found.end()) return std::nullopt;
  return static_cast<std::size_t>(one - found.begin());
}

Item key_of_item(const EntityConfig& config, const Item& item) {
  return {{config.hash_key, item.at(config.hash_key)}, {config.range_key, item.at(config.range_key)}};
}

/// Expects that the named attributes are as they are in the item.
Expectation expect_unchanged(const Item& item, const std::vector<std::string>& names) {
  Expectation expectation{.place = Expectation::Of::kItem};
  for (const std::string& name : names) {
    const AttributeValue* value = item.find(name);
    if (value != nullptr)
      expectation.unchanged.set(name, *value);
    else
      expectation.missing.push_back(name);
  }
  return expectation;
}

/// What turns one item into another.
Update difference(const Item& old, const Item& item) {
  Update update;
  for (const auto& [name, value] : item)
    if (const AttributeValue* before = old.find(name); before == nullptr || *before != value)
      update.set(attr(name), value);
  for (const auto& [name, value] : old)
    if (!item.contains(name)) update.remove(attr(name));
  return update;
}

}  // namespace

// ---- What plans rely on ----

Condition Expectation::condition(const std::string& hash_key) const {
  if (place == Of::kNothing) return {};
  if (place == Of::kNoItem) return attr(hash_key).not_exists();
  Condition all = attr(hash_key).exists();
  for (const auto& [name, value] : unchanged)
    if (name != hash_key) all = std::move(all) && attr(name) == value;
  for (const std::string& name : missing) all = std::move(all) && attr(name).not_exists();
  return all;
}

bool Expectation::holds(const std::optional<Item>& item) const {
  if (place == Of::kNothing) return true;
  if (!item) return place == Of::kNoItem;
  if (place == Of::kNoItem) return false;
  return std::ranges::all_of(unchanged,
                             [&](const auto& attribute) {
                               const AttributeValue* value = item->find(attribute.first);
                               return value != nullptr && *value == attribute.second;
                             }) &&
         std::ranges::none_of(missing, [&](const std::string& name) { return item->contains(name); });
}

// ---- Before reading ----

Result<std::vector<Item>> entity_keys(const EntityManager& entities, std::string_view entity, const Item& item) {
  DOLMEN_TRY(const CompiledEntity* found, entities.compiled().entity(entity));
  const ItemView view(entities.compiled(), item);
  const bool is_located =
      view.get(entities.config().hash_key).is_truthy() || !view.get(found->definition.timestamp_property).is_nil();
  if (!is_located) return entities.possible_keys(entity, item);
  DOLMEN_TRY(Item key, entities.primary_key(entity, item));
  return std::vector<Item>{std::move(key)};
}

Result<WritePlanner> WritePlanner::make(const EntityClient& client, const Write& write) {
  WritePlanner planner(client, write);
  DOLMEN_TRY_VOID(write.kind == Kind::kPut ? planner.prepare_put() : planner.prepare_located());
  return planner;
}

Result<void> WritePlanner::prepare_put() {
  const EntityManager& entities = client_->entities();
  DOLMEN_TRY(record_, entities.add_keys(write_->entity, write_->item, true));
  home_ = key_of_item(entities.config(), record_);
  DOLMEN_TRY(keys_, entities.possible_keys(write_->entity, record_));
  // Without a condition it does not matter where the entity was: every other place is emptied.
  if (keys_.size() > 1 && !write_->condition.empty()) keys_to_read_ = keys_;
  return {};
}

Result<void> WritePlanner::prepare_located() {
  const EntityManager& entities = client_->entities();
  DOLMEN_TRY(keys_, entity_keys(entities, write_->entity, write_->item));
  if (keys_.size() > 1) keys_to_read_ = keys_;
  return write_->kind == Kind::kUpdate ? read_update() : Result<void>();
}

Result<void> WritePlanner::read_update() {
  const EntityManager& entities = client_->entities();
  DOLMEN_TRY(const CompiledEntity* entity, entities.compiled().entity(write_->entity));
  ReadUpdate read;
  DOLMEN_TRY_VOID(read_actions(write_->update, read));
  std::vector<const expr::Path*> paths;
  for (const expr::UpdateAction& action : read.actions) {
    const std::string& target = action.path.attribute();
    if (entities.compiled().is_global_key(target) || entities.compiled().find_generated(target) != nullptr)
      return refuse(Code::kInvalidArgument, target + " cannot be updated", target,
                    "it is made of other properties; update those");
    if (target == entity->definition.unique_property)
      return refuse(Code::kInvalidArgument, target + " cannot be updated", target,
                    "it is the unique property; put the entity under its new value and remove the old one");
    expr::collect_paths(action, paths);
  }
  for (const expr::Path* path : paths) named_.push_back(path->attribute());
  const std::vector<std::string>& of_keys = entity->properties.sorted.names;
  const bool changes_keys =
      std::ranges::any_of(named_, [&](const std::string& name) { return std::ranges::binary_search(of_keys, name); });
  if (!changes_keys && !write_->regenerates) {
    named_.clear();
  } else {
    keys_to_read_ = keys_;
    named_.insert(named_.end(), of_keys.begin(), of_keys.end());
    std::ranges::sort(named_);
    named_.erase(std::ranges::unique(named_).begin(), named_.end());
  }
  return {};
}

// ---- Planning ----

Result<WritePlan> WritePlanner::plan(Found found) const {
  switch (write_->kind) {
    case Kind::kPut: return plan_put(found);
    case Kind::kUpdate: return plan_update(found);
    case Kind::kRemove:
    case Kind::kCheck: break;
  }
  return plan_remove_or_check(found);
}

WritePlan WritePlanner::plan_put(Found found) const {
  WritePlan plan{.actions = {}, .stored = record_};
  if (keys_to_read_.empty()) {
    plan.actions.push_back(put(record_, write_->condition, {}));
    for (const Item& key : keys_)
      if (key != home_) plan.actions.push_back(remove(key, {}, {}));
    return plan;
  }
  const std::optional<std::size_t> place = place_in(found);
  const Item& current = place ? keys_to_read_[*place] : home_;
  if (current == home_) {
    plan.actions.push_back(
        put(record_, write_->condition, {.place = place ? Expectation::Of::kItem : Expectation::Of::kNothing}));
  } else {
    plan.actions.push_back(put(record_, {}, {.place = Expectation::Of::kNoItem}));
    plan.actions.push_back(remove(current, write_->condition, {.place = Expectation::Of::kItem}));
  }
  guard(plan.actions, home_, current);
  return plan;
}

WritePlan WritePlanner::plan_remove_or_check(Found found) const {
  WritePlan plan;
  if (keys_to_read_.empty()) {
    plan.actions.push_back(remove_or_check(keys_.front(), {}));
    return plan;
  }
  if (const std::optional<std::size_t> place = place_in(found)) {
    plan.actions.push_back(remove_or_check(keys_to_read_[*place], {.place = Expectation::Of::kItem}));
    return plan;
  }
  if (write_->kind == Kind::kRemove && write_->condition.empty()) return plan;
  plan.actions.push_back(remove_or_check(keys_.front(), {}));
  guard(plan.actions, keys_.front(), keys_.front());
  return plan;
}

Result<WritePlan> WritePlanner::plan_update(Found found) const {
  if (keys_to_read_.empty()) return left_to_store(keys_.front());
  const std::optional<std::size_t> place = place_in(found);
  if (!place) return fail(Code::kItemNotFound, "there is no such {}", write_->entity);
  return plan_change(keys_to_read_[*place], *found[*place]);
}

/// For an update that names nothing of which keys are made.
WritePlan WritePlanner::left_to_store(const Item& key) const {
  WritePlan plan;
  plan.actions.push_back(update(key, write_->update, {.place = Expectation::Of::kItem}));
  return plan;
}

Result<Item> WritePlanner::updated(const Item& old) const {
  ReadUpdate read;
  DOLMEN_TRY_VOID(read_actions(write_->update, read));
  DOLMEN_TRY(Item changed, expr::apply(read.actions, old));
  return client_->entities().add_keys(write_->entity, std::move(changed), true);
}

Result<WritePlan> WritePlanner::plan_change(const Item& key, const Item& old) const {
  // The store can count without knowing the number.
  if (named_.empty()) return left_to_store(key);
  DOLMEN_TRY(Item changed, updated(old));
  const Item home = key_of_item(client_->entities().config(), changed);
  WritePlan plan{.actions = {}, .stored = changed};
  if (home == key) {
    Expectation expectation = expect_unchanged(old, named_);
    Update update = difference(old, changed);
    if (update.empty() && write_->condition.empty()) return plan;
    plan.actions.push_back(this->update(key, std::move(update), std::move(expectation)));
    return plan;
  }
  if (old.size() > kMovedAttributesMax)
    return fail(Code::kLimitExceeded, "an entity with {} attributes cannot move to another shard; the most are {}",
                old.size(), kMovedAttributesMax);
  std::vector<std::string> all;
  for (const auto& [name, value] : old) all.push_back(name);
  for (const std::string& name : named_)
    if (!old.contains(name)) all.push_back(name);
  plan.actions.push_back(put(std::move(changed), {}, {.place = Expectation::Of::kNoItem}));
  plan.actions.push_back(remove(key, write_->condition, expect_unchanged(old, all)));
  return plan;
}

// ---- Actions ----

PlannedAction WritePlanner::put(Item item, Condition condition, Expectation expectation) const {
  Condition both = expectation.condition(hash_key()) && std::move(condition);
  return {PutAction{.table = client_->table(),
                    .item = std::move(item),
                    .condition = std::move(both),
                    .return_item_on_failure = true},
          std::move(expectation)};
}

PlannedAction WritePlanner::update(const Item& key, Update update, Expectation expectation) const {
  Condition both = expectation.condition(hash_key()) && write_->condition;
  // DynamoDB takes no empty update.
  if (update.empty())
    return {CheckAction{
                .table = client_->table(), .key = key, .condition = std::move(both), .return_item_on_failure = true},
            std::move(expectation)};
  return {UpdateAction{.table = client_->table(),
                       .key = key,
                       .update = std::move(update),
                       .condition = std::move(both),
                       .return_item_on_failure = true},
          std::move(expectation)};
}

PlannedAction WritePlanner::remove(const Item& key, Condition condition, Expectation expectation) const {
  Condition both = expectation.condition(hash_key()) && std::move(condition);
  return {
      DeleteAction{.table = client_->table(), .key = key, .condition = std::move(both), .return_item_on_failure = true},
      std::move(expectation)};
}

PlannedAction WritePlanner::remove_or_check(const Item& key, Expectation expectation) const {
  if (write_->kind == Kind::kRemove) return remove(key, write_->condition, std::move(expectation));
  Condition both = expectation.condition(hash_key()) && write_->condition;
  return {
      CheckAction{.table = client_->table(), .key = key, .condition = std::move(both), .return_item_on_failure = true},
      std::move(expectation)};
}

void WritePlanner::guard(std::vector<PlannedAction>& actions, const Item& except_one, const Item& except_other) const {
  const Expectation nothing{.place = Expectation::Of::kNoItem};
  for (const Item& key : keys_) {
    if (key == except_one || key == except_other) continue;
    actions.push_back({CheckAction{.table = client_->table(),
                                   .key = key,
                                   .condition = nothing.condition(hash_key()),
                                   .return_item_on_failure = true},
                       nothing});
  }
}

}  // namespace dolmen::entity
