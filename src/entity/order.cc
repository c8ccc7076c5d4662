#include "entity/order.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <deque>
#include <optional>
#include <utility>

#include "base/hash.h"
#include "entity/collation.h"
#include "entity/js_number.h"
#include "entity/refusal.h"
#include "entity/utf16.h"

namespace dolmen::entity {

namespace {

using Kind = Element::Kind;

/// Below this, JavaScript engines sort by insertion, and so does this: what an order gives that contradicts itself
/// depends on the way of sorting.
constexpr std::size_t kInsertionMax = 64;

// ---- Unique ----

/// The texts that have been seen. They belong to somebody else.
class TextSet {
 public:
  explicit TextSet(std::size_t expected) : slots_(std::bit_ceil(expected * 2 + 16)) { texts_.reserve(expected); }

  /// False when it was there.
  bool insert(std::string_view text) {
    const std::uint64_t hash = hash64(text);
    const auto tag = static_cast<std::uint32_t>(hash >> 32U);
    for (std::size_t at = hash & (slots_.size() - 1);; at = (at + 1) & (slots_.size() - 1)) {
      Slot& slot = slots_[at];
      if (slot.text == 0) {
        texts_.push_back(text);
        slot = {tag, static_cast<std::uint32_t>(texts_.size())};
        return true;
      }
      if (slot.tag == tag && texts_[slot.text - 1] == text) return false;
    }
  }

 private:
  struct Slot {
    std::uint32_t tag = 0;
    /// Its place among the texts, counted from 1.
    std::uint32_t text = 0;
  };
  std::vector<Slot> slots_;
  std::vector<std::string_view> texts_;
};

// ---- Sorting by keys ----

/// The values of one property, when they are all of a kind, as numbers that sort like them; and the texts where
/// numbers do not tell all. By row.
struct Column {
  bool desc = false;
  std::vector<std::uint64_t> first;
  std::optional<CollatedTexts> texts;

  [[nodiscard]] int compare(std::uint32_t a, std::uint32_t b) const {
    if (first[a] != first[b]) return (first[a] < first[b]) != desc ? -1 : 1;
    if (!texts) return 0;
    const int order = texts->compare(a, b);
    return desc ? -order : order;
  }
};

/// 0 is for nothing; the rest sorts like the numbers.
std::uint64_t sortable(double number) {
  const auto bits = std::bit_cast<std::uint64_t>(number == 0 ? 0.0 : number);
  constexpr std::uint64_t kSign = std::uint64_t{1} << 63U;
  return ((bits & kSign) != 0 ? ~bits : bits | kSign) - 1;
}

/// Nothing when the values are of several kinds, or of one that needs more than this.
std::optional<Column> column_of(const ElementTable& table, const SortField& field, const Rows& rows) {
  Column column{.desc = field.desc, .first = std::vector<std::uint64_t>(table.size()), .texts = {}};
  std::optional<Kind> kind;
  std::vector<std::string_view> texts;
  for (const std::uint32_t row : rows) {
    const Element value = table.get(row, field.property);
    if (value.is_nil()) continue;
    if (kind.value_or(value.kind()) != value.kind()) return std::nullopt;
    kind = value.kind();
    switch (value.kind()) {
      case Kind::kNumber:
        if (std::isnan(value.number())) return std::nullopt;
        column.first[row] = sortable(value.number());
        break;
      case Kind::kBoolean: column.first[row] = value.boolean() ? 2 : 1; break;
      case Kind::kString:
        texts.resize(table.size());
        texts[row] = value.text();
        column.first[row] = 1;
        break;
      default: return std::nullopt;
    }
  }
  if (kind != Kind::kString) return column;
  column.texts.emplace(std::move(texts));
  for (const std::uint32_t row : rows)
    if (column.first[row] != 0) column.first[row] = column.texts->first(row);
  return column;
}

struct Entry {
  std::uint64_t first;
  std::uint32_t row;
};

/// Stable, by the numbers alone: one pass for each byte in which they differ.
void radix_sort(std::vector<Entry>& entries) {
  std::uint64_t differing = 0;
  for (const Entry& entry : entries) differing |= entry.first ^ entries.front().first;
  std::vector<Entry> sorted(differing == 0 ? 0 : entries.size());
  for (unsigned shift = 0; shift < 64; shift += 8) {
    if ((differing >> shift & 255U) == 0) continue;
    std::array<std::uint32_t, 256> places{};
    for (const Entry& entry : entries) ++places[entry.first >> shift & 255U];
    std::uint32_t next = 0;
    for (std::uint32_t& place : places) next += std::exchange(place, next);
    for (const Entry& entry : entries) sorted[places[entry.first >> shift & 255U]++] = entry;
    entries.swap(sorted);
  }
}

void sort_by(const std::vector<Column>& columns, Rows& rows) {
  if (rows.empty()) return;
  const Column& leading = columns.front();
  std::vector<Entry> entries;
  entries.reserve(rows.size());
  for (const std::uint32_t row : rows)
    entries.push_back({leading.desc ? ~leading.first[row] : leading.first[row], row});
  radix_sort(entries);
  // What is still equal is decided by what the numbers do not tell.
  const auto before = [&](const Entry& a, const Entry& b) {
    for (const Column& column : columns)
      if (const int order = column.compare(a.row, b.row); order != 0) return order < 0;
    return false;
  };
  for (auto begin = entries.begin(); begin != entries.end();) {
    const auto end =
        std::find_if(begin, entries.end(), [&](const Entry& entry) { return entry.first != begin->first; });
    if (end - begin > 1) std::stable_sort(begin, end, before);
    begin = end;
  }
  for (std::size_t i = 0; i < rows.size(); ++i) rows[i] = entries[i].row;
}

// ---- Sorting by comparing ----

/// The sign of a - b where they compare, else 0.
int compare_elements(const Element& a, const Element& b) {
  const auto sign = [](auto order) { return order < 0 ? -1 : order > 0 ? 1 : 0; };
  if (a.kind() == Kind::kNumber && b.kind() == Kind::kNumber && !std::isnan(a.number()) && !std::isnan(b.number()))
    return a.number() < b.number() ? -1 : a.number() > b.number() ? 1 : 0;
  if (a.kind() == Kind::kString && b.kind() == Kind::kString)
    return sign(CollatedTexts({a.text(), b.text()}).compare(0, 1));
  if (a.kind() == Kind::kBigInteger && b.kind() == Kind::kBigInteger)
    return sign(compare(BigInteger{std::string(a.text())}, BigInteger{std::string(b.text())}));
  if (a.is_nil() != b.is_nil()) return a.is_nil() ? -1 : 1;
  return static_cast<int>(a.is_truthy()) - static_cast<int>(b.is_truthy());
}

/// The way in which JavaScript engines sort short lists: what is in order at the beginning stays, or is turned around
/// when it falls; every further row is put in its place by bisection.
template <class Compare>
void insertion_sort(Rows& rows, Compare compare) {
  if (rows.size() < 2) return;
  std::size_t run = 2;
  const bool falling = compare(rows[1], rows[0]) < 0;
  while (run < rows.size() && (compare(rows[run], rows[run - 1]) < 0) == falling) ++run;
  if (falling) std::reverse(rows.begin(), rows.begin() + static_cast<std::ptrdiff_t>(run));
  for (; run < rows.size(); ++run) {
    const std::uint32_t pivot = rows[run];
    std::size_t left = 0;
    std::size_t right = run;
    while (left < right) {
      const std::size_t middle = left + (right - left) / 2;
      if (compare(pivot, rows[middle]) < 0) {
        right = middle;
      } else {
        left = middle + 1;
      }
    }
    rows.erase(rows.begin() + static_cast<std::ptrdiff_t>(run));
    rows.insert(rows.begin() + static_cast<std::ptrdiff_t>(left), pivot);
  }
}

void sort_by_comparing(const ElementTable& table, const std::vector<SortField>& order, Rows& rows) {
  const auto compare = [&](std::uint32_t a, std::uint32_t b) {
    for (const SortField& field : order) {
      const int result = compare_elements(table.get(a, field.property), table.get(b, field.property));
      if (result != 0) return field.desc ? -result : result;
    }
    return 0;
  };
  if (rows.size() < kInsertionMax) {
    insertion_sort(rows, compare);
  } else {
    std::ranges::stable_sort(rows, [&](std::uint32_t a, std::uint32_t b) { return compare(a, b) < 0; });
  }
}

}  // namespace

Result<Rows> unique_rows(const ElementTable& table, std::string_view unique_property) {
  Rows rows;
  rows.reserve(table.size());
  std::vector<std::pair<std::uint64_t, std::uint32_t>> numbered;
  TextSet seen(table.size());
  // Texts that no item holds; a deque does not move them.
  std::deque<std::string> made;
  for (std::uint32_t row = 0; row < table.size(); ++row) {
    const Element value = table.get(row, unique_property);
    if (value.is_nil())
      return refuse(Code::kInvalidEntity, "missing item unique property", unique_property,
                    "a shard gave an item without it; an index must hold it");
    const std::string_view text =
        value.kind() == Kind::kString ? value.text() : std::string_view(made.emplace_back(value.to_string()));
    if (!seen.insert(text)) continue;
    if (is_array_index(text)) {
      numbered.emplace_back(static_cast<std::uint64_t>(*parse_number(text)), row);
    } else {
      rows.push_back(row);
    }
  }
  if (numbered.empty()) return rows;
  std::ranges::sort(numbered);
  Rows all;
  all.reserve(numbered.size() + rows.size());
  for (const auto& [number, row] : numbered) all.push_back(row);
  all.insert(all.end(), rows.begin(), rows.end());
  return all;
}

void sort_rows(const ElementTable& table, const std::vector<SortField>& order, Rows& rows) {
  if (order.empty()) return;
  std::vector<Column> columns;
  for (const SortField& field : order) {
    std::optional<Column> column = column_of(table, field, rows);
    if (!column) return sort_by_comparing(table, order, rows);
    columns.push_back(std::move(*column));
  }
  sort_by(columns, rows);
}

}  // namespace dolmen::entity
