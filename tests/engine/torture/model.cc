#include "model.h"

#include <algorithm>
#include <set>

#include "value/json.h"

namespace dolmen::torture {

WriteAnswer Model::write(const Write& write) {
  const auto table = tables.find(write.table);
  if (table == tables.end()) return {.error = Code::kTableNotFound};
  if (table->second.fault_of(write) != ModelTable::Fault::kNone) return {.error = Code::kValidation};
  auto [answer, item] = table->second.decide(write);
  if (!answer.error) table->second.store(write.item, std::move(item));
  return answer;
}

WriteAnswer Model::get(const Get& get) const {
  const auto table = tables.find(get.table);
  if (table == tables.end()) return {.error = Code::kTableNotFound};
  if (!table->second.is_key(get.key)) return {.error = Code::kValidation};
  const Item* item = table->second.find(get.key);
  if (item == nullptr) return {};
  return {.item = get.projection ? project(*item, *get.projection) : *item};
}

std::optional<Code> Model::batch_write(const std::vector<Write>& writes) {
  for (const Write& write : writes)
    if (!tables.contains(write.table)) return Code::kTableNotFound;
  std::set<std::string> seen;
  for (const Write& write : writes) {
    const ModelTable& table = tables.at(write.table);
    if (table.fault_of(write) != ModelTable::Fault::kNone) return Code::kValidation;
    if (!seen.insert(write.table + "/" + table.identity(write.item)).second) return Code::kValidation;
  }
  for (const Write& write : writes)
    tables.at(write.table).store(write.item, write.kind == WriteKind::kPut ? std::optional(write.item) : std::nullopt);
  return std::nullopt;
}

TransactAnswer Model::transact_write(const std::vector<Write>& writes, const std::optional<std::string>& token) {
  for (const Write& write : writes)
    if (!tables.contains(write.table)) return {.error = Code::kTableNotFound};
  TransactAnswer answer{.reasons = {writes.size(), {"None", std::nullopt}}};
  std::set<std::string> seen;
  for (std::size_t i = 0; i < writes.size(); ++i) {
    const ModelTable& table = tables.at(writes[i].table);
    const ModelTable::Fault fault = table.fault_of(writes[i]);
    if (fault == ModelTable::Fault::kEmpty) return {.error = Code::kValidation};
    if (fault == ModelTable::Fault::kBad) {
      // Only the first is named.
      if (!answer.error) answer.reasons[i].first = "ValidationError";
      answer.error = Code::kTransactionCanceled;
    } else if (!seen.insert(writes[i].table + "/" + table.identity(writes[i].item)).second) {
      return {.error = Code::kValidation};
    }
  }
  if (answer.error) return answer;
  std::string asked;
  for (const Write& write : writes) asked += text_of(write);
  if (token)
    if (const auto known = tokens_.find(*token); known != tokens_.end())
      return known->second == asked ? TransactAnswer{} : TransactAnswer{.error = Code::kIdempotencyMismatch};
  std::vector<std::optional<Item>> items;
  for (std::size_t i = 0; i < writes.size(); ++i) {
    auto [decided, item] = tables.at(writes[i].table).decide(writes[i]);
    items.push_back(std::move(item));
    if (!decided.error) continue;
    answer.error = Code::kTransactionCanceled;
    const bool condition = decided.error == Code::kConditionFailed;
    answer.reasons[i] = {condition ? "ConditionalCheckFailed" : "ValidationError", decided.item};
  }
  if (answer.error) return answer;
  for (std::size_t i = 0; i < writes.size(); ++i) tables.at(writes[i].table).store(writes[i].item, std::move(items[i]));
  if (token) tokens_[*token] = asked;
  return {};
}

void Model::pass_to(std::int64_t now) {
  tokens_.clear();
  for (auto& [name, table] : tables) {
    table.forget_changes();
    table.expire(now);
  }
}

}  // namespace dolmen::torture
