// Writes and single reads.
#include "generator.h"

#include <algorithm>

namespace dolmen::torture {
namespace {

bool anything(const Path&) { return true; }

}  // namespace

std::string Generator::table_name() {
  if (random_.chance(1) || model_.tables.empty()) return "no-such-table";
  auto at = model_.tables.begin();
  std::advance(at, random_.below(model_.tables.size()));
  return at->first;
}

const TableDefinition& Generator::definition_of(const std::string& table) const {
  static const TableDefinition absent{.name = "no-such-table", .partition_key = {"pk"}};
  const auto found = model_.tables.find(table);
  return found == model_.tables.end() ? absent : found->second.definition();
}

Item Generator::key(const std::string& table) { return values_.key(definition_of(table)); }

Update Generator::update(const TableDefinition& table) {
  Update update;
  for (std::size_t n = 1 + random_.below(4); n > 0; --n) {
    Path target = random_.pick(Values::paths());
    if (random_.chance(25)) target = {random_.pick(Values::index_attributes()).name};
    if (random_.below(400) == 0) target = {table.partition_key.name};
    const std::vector<Path> taken = update.targets();
    const auto apart = [&](const Path& other) { return compatible(other, target); };
    if (std::ranges::all_of(taken, apart)) add_action(update, std::move(target));
  }
  return update;
}

void Generator::add_action(Update& update, Path target) {
  const bool is_set = target.root == "tags" || target.root == "nums" || target.root == "bins";
  const std::size_t choice = random_.below(100);
  if (choice < 20) {
    update.removes.push_back(std::move(target));
  } else if (choice < (is_set ? 55U : 35U)) {
    const bool number = !is_set && random_.chance(90);
    AttributeValue value = number ? values_.small_number() : is_set ? values_.value_at(target) : values_.set();
    update.adds.emplace_back(std::move(target), std::move(value));
  } else if (choice < (is_set ? 80U : 38U)) {
    AttributeValue value = is_set ? values_.value_at(target) : values_.set();
    update.deletes.emplace_back(std::move(target), std::move(value));
  } else {
    update.sets.push_back(assignment(std::move(target)));
  }
}

Assignment Generator::assignment(Path target) {
  using Form = Assignment::Form;
  Assignment assignment{.path = std::move(target)};
  assignment.form = random_.chance(50) ? Form::kValue : static_cast<Form>(random_.below(8));
  assignment.source = random_.chance(70) ? assignment.path : path(anything);
  switch (assignment.form) {
    case Form::kPlus:
    case Form::kMinus:
    case Form::kIfNotExistsPlus: assignment.value = values_.small_number(); break;
    case Form::kAppend:
    case Form::kPrepend: assignment.value = values_.list(); break;
    default: assignment.value = values_.nearly_value_at(assignment.path); break;
  }
  return assignment;
}

void Generator::choose_return_values(Write& write) {
  write.return_on_failure = random_.chance(50);
  if (random_.chance(40)) return;
  const bool is_update = write.kind == WriteKind::kUpdate;
  write.return_values = is_update ? static_cast<ReturnValues>(random_.below(5)) : ReturnValues::kAllOld;
}

Write Generator::plain_write(const std::string& table) {
  const TableDefinition& definition = definition_of(table);
  if (random_.chance(60)) {
    Write put{.kind = WriteKind::kPut, .table = table, .item = values_.item(definition)};
    // Now and then a value that is not a time, or one of a time too long ago.
    if (random_.chance(30))
      put.item.set(std::string(kExpiryAttribute),
                   random_.chance(80)
                       ? AttributeValue(clock_.seconds_after(static_cast<std::int64_t>(1 + random_.below(3))))
                       : values_.scalar());
    return put;
  }
  return {.kind = WriteKind::kDelete, .table = table, .item = values_.key(definition)};
}

Write Generator::write(const std::string& table) {
  Write write = plain_write(table);
  if (random_.chance(45)) {
    const TableDefinition& definition = definition_of(table);
    write.kind = WriteKind::kUpdate;
    write.item = values_.key(definition);
    if (random_.chance(97)) write.update = update(definition);
    if (write.update && write.update->targets().empty()) write.update.reset();
  }
  if (random_.chance(40)) write.condition = condition(anything);
  choose_return_values(write);
  return write;
}

Write Generator::transact_action(const std::string& table) {
  Write action = write(table);
  action.return_values = ReturnValues::kNone;
  // Conditions that mostly hold, or few transactions would succeed.
  if (action.condition && random_.chance(70)) {
    action.condition = Condition{.kind = random_.chance(50) ? Condition::Kind::kExists : Condition::Kind::kNotExists};
    action.condition->operands.push_back({.path = {definition_of(table).partition_key.name}});
  }
  if (action.condition && random_.chance(25)) {
    action.kind = WriteKind::kCheck;
    action.item = key(table);
    action.update.reset();
  }
  return action;
}

std::optional<std::vector<Path>> Generator::projection() {
  if (random_.chance(60)) return std::nullopt;
  std::vector<Path> paths;
  for (std::size_t n = 1 + random_.below(5); n > 0; --n) {
    const Path candidate = path(anything);
    if (std::ranges::all_of(paths, [&](const Path& other) { return compatible(other, candidate); }))
      paths.push_back(candidate);
  }
  return paths;
}

Get Generator::get(const std::string& table) { return {.table = table, .key = key(table), .projection = projection()}; }

}  // namespace dolmen::torture
