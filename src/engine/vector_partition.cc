#include "engine/vector_partition.h"

#include <algorithm>
#include <utility>

namespace dolmen::engine {
namespace {

/// When a value is this rare, its rows are compared one by one.
constexpr std::size_t kListedRowsMax = 10'000;
/// Beyond that, when at most one row in so many has it.
constexpr std::size_t kListedShare = 10;

}  // namespace

Result<vector::Row> VectorPartition::add(std::string_view row_key, std::span<const float> vector,
                                         const std::vector<std::string>& filters) {
  DOLMEN_TRY(const vector::Row row, set_.stage(vector));
  RowInfo& info = rows_.make(row);
  info.key = row_key;
  info.postings.assign(columns_.size(), nullptr);
  info.positions.assign(columns_.size(), 0);
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    if (filters[i].empty()) continue;
    auto found = columns_[i].find(filters[i]);
    if (found == columns_[i].end()) {
      auto fresh = std::make_unique<Posting>(filters[i]);
      const std::string_view value = fresh->value;
      found = columns_[i].emplace(value, std::move(fresh)).first;
    }
    Posting& posting = *found->second;
    info.postings[i] = &posting;
    info.positions[i] = static_cast<std::uint32_t>(posting.rows.size());
    posting.rows.push_back(row);
  }
  set_.publish(row);
  return row;
}

void VectorPartition::remove(vector::Row row) {
  RowInfo& info = rows_.make(row);
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    if (info.postings[i] == nullptr) continue;
    const auto found = columns_[i].find(info.postings[i]->value);
    std::vector<vector::Row>& rows = found->second->rows;
    rows[info.positions[i]] = rows.back();
    rows_.make(rows.back()).positions[i] = info.positions[i];
    rows.pop_back();
    if (rows.empty()) columns_[i].erase(found);
  }
  set_.remove(row);
}

std::size_t VectorPartition::bytes() const {
  const vector::Stats stats = set_.stats();
  std::size_t bytes = sizeof(VectorPartition) + stats.bytes + stats.graph_bytes + set_.size() * sizeof(RowInfo);
  for (const Column& column : columns_)
    for (const auto& [value, posting] : column)
      bytes += value.size() + sizeof(Posting) + posting->rows.capacity() * sizeof(vector::Row);
  return bytes;
}

VectorPartition::Selection::Selection(const VectorPartition& partition,
                                      const std::vector<std::optional<std::string>>& filters)
    : partition_(&partition), reading_(partition.set_.read()), expected_(partition.set_.size()) {
  const Posting* rarest = nullptr;
  for (std::size_t i = 0; i < filters.size(); ++i) {
    if (!filters[i]) continue;
    const auto found = partition.columns_[i].find(*filters[i]);
    empty_ |= found == partition.columns_[i].end();
    if (empty_) return;
    const Posting* posting = found->second.get();
    wanted_.push_back({.column = i, .value = posting});
    if (rarest == nullptr || posting->rows.size() < rarest->rows.size()) rarest = posting;
  }
  if (rarest == nullptr) return;
  expected_ = rarest->rows.size();
  if (expected_ <= kListedRowsMax || expected_ * kListedShare <= partition.set_.size()) among_ = rarest->rows;
}

vector::Filter VectorPartition::Selection::filter() const {
  vector::Filter filter;
  if (wanted_.empty()) return filter;
  filter.expected = expected_;
  if (among_) filter.among = std::span<const vector::Row>(*among_);
  if (!among_ || wanted_.size() > 1)
    filter.accepts = [this](vector::Row row) {
      const RowInfo& info = partition_->rows_.at(row);
      return std::ranges::all_of(wanted_, [&](const Wanted& one) { return info.postings[one.column] == one.value; });
    };
  return filter;
}

}  // namespace dolmen::engine
