#include "faults/capacities.h"

#include <algorithm>
#include <utility>

namespace dolmen::faults {

Bucket::Bucket(double units_per_second, TimePoint now)
    : rate_(units_per_second), level_(units_per_second * kBurstSeconds), filled_(now) {}

void Bucket::refill(TimePoint now) {
  const std::chrono::duration<double> passed = now - filled_;
  filled_ = now;
  if (passed.count() > 0) level_ = std::min(level_ + rate_ * passed.count(), rate_ * kBurstSeconds);
}

void Bucket::set_rate(double units_per_second, TimePoint now) {
  refill(now);
  rate_ = units_per_second;
  level_ = std::min(level_, rate_ * kBurstSeconds);
}

bool Bucket::has_any(TimePoint now) {
  refill(now);
  return level_ > 0;
}

void Bucket::take(double units, TimePoint now) {
  refill(now);
  level_ = std::min(level_ - units, rate_ * kBurstSeconds);
}

void Capacities::refresh(std::optional<Pair>& pair, const Throughput& throughput, TimePoint now) {
  const auto reads = static_cast<double>(throughput.read_units);
  const auto writes = static_cast<double>(throughput.write_units);
  if (!pair) {
    pair.emplace(Bucket(reads, now), Bucket(writes, now));
    return;
  }
  pair->read.set_rate(reads, now);
  pair->write.set_rate(writes, now);
}

/// Null for a table that is not limited.
Capacities::Known* Capacities::find(const std::string& table, TimePoint now) {
  Known& known = tables_[table];
  if (!known.current) {
    const std::optional<TableDescription> description = describe_(table);
    if (!description) {
      tables_.erase(table);
      return nullptr;
    }
    if (known.id != description->id) known = {.id = description->id};
    const TableDefinition& definition = description->definition;
    known.current = true;
    known.provisioned = definition.billing_mode == BillingMode::kProvisioned;
    if (known.provisioned) {
      refresh(known.table, definition.throughput, now);
      std::map<std::string, Pair> before = std::exchange(known.indexes, {});
      for (const IndexDefinition& index : definition.global_indexes) {
        const auto found = before.find(index.name);
        std::optional<Pair> pair = found == before.end() ? std::nullopt : std::optional(found->second);
        refresh(pair, index.throughput, now);
        known.indexes.emplace(index.name, *pair);
      }
      known.definitions = definition.global_indexes;
    }
  }
  return known.provisioned ? &known : nullptr;
}

Capacities::Answer Capacities::take(const Charge& charge) {
  const TimePoint now = now_();
  const std::lock_guard lock(tables_mutex_);
  Known* const known = find(charge.table, now);
  if (known == nullptr) return Answer::kTaken;
  const auto index = known->indexes.find(charge.index);
  Pair& pair = index == known->indexes.end() ? *known->table : index->second;
  Bucket& bucket = charge.flow == Flow::kRead ? pair.read : pair.write;
  if (!bucket.has_any(now)) return index == known->indexes.end() ? Answer::kTableExceeded : Answer::kIndexExceeded;
  for (const std::string& changed : charge.changed_indexes)
    if (const auto found = known->indexes.find(changed); found != known->indexes.end())
      if (!found->second.write.has_any(now)) return Answer::kIndexExceeded;
  bucket.take(charge.units, now);
  return Answer::kTaken;
}

void Capacities::give_back(const Charge& charge) {
  const TimePoint now = now_();
  const std::lock_guard lock(tables_mutex_);
  Known* const known = find(charge.table, now);
  if (known == nullptr) return;
  const auto index = known->indexes.find(charge.index);
  Pair& pair = index == known->indexes.end() ? *known->table : index->second;
  (charge.flow == Flow::kRead ? pair.read : pair.write).take(-charge.units, now);
}

void Capacities::settle(const std::vector<Charge>& taken, const std::vector<ConsumedCapacity>& used, Flow flow) {
  for (const Charge& charge : taken) give_back(charge);
  const TimePoint now = now_();
  const std::lock_guard lock(tables_mutex_);
  for (const ConsumedCapacity& consumed : used) add(consumed, flow, now);
}

void Capacities::add(const ConsumedCapacity& used, Flow flow, TimePoint now) {
  Known* const known = find(used.table, now);
  if (known == nullptr) return;
  // A transaction that was carried out before only reads.
  const bool reads = flow == Flow::kRead || (used.read && !used.write);
  double of_table = used.of_table;
  for (const auto& [name, units] : used.of_local_indexes) of_table += units;
  (reads ? known->table->read : known->table->write).take(of_table, now);
  for (const auto& [name, units] : used.of_global_indexes)
    if (const auto index = known->indexes.find(name); index != known->indexes.end())
      (reads ? index->second.read : index->second.write).take(units, now);
}

std::vector<IndexDefinition> Capacities::indexes_of(const std::string& table) {
  const TimePoint now = now_();
  const std::lock_guard lock(tables_mutex_);
  const Known* const known = find(table, now);
  return known == nullptr ? std::vector<IndexDefinition>() : known->definitions;
}

void Capacities::changed(const std::string& table) {
  const TimePoint now = now_();
  const std::lock_guard lock(tables_mutex_);
  const auto found = tables_.find(table);
  if (found == tables_.end()) return;
  found->second.current = false;
  // At once: until now capacity has come in at the old rate.
  static_cast<void>(find(table, now));
}

}  // namespace dolmen::faults
