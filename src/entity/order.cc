#include "entity/order.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <deque>
#include <numeric>
#include <optional>
#include <utility>

#include "base/hash.h"
#include "entity/collation.h"
#include "entity/js_number.h"
#include "entity/refusal.h"
#include "entity/utf16.h"

namespace dolmen::entity {

namespace {

using ElementKind = Element::Kind;

/// Shorter lists are sorted by insertion, as JavaScript engines do: the result of an inconsistent order depends on the
/// algorithm.
constexpr std::size_t kInsertionMax = 64;

// ---- Unique ----

/// The texts that have been seen. Does not own them.
class TextSet {
 public:
  struct Hashed {
    std::string_view text;
    std::uint64_t hash = 0;
  };

  explicit TextSet(std::size_t expected) : slots_(std::bit_ceil(expected + expected / 2 + 16)) {
    texts_.reserve(expected);
  }

  /// Prefetches the memory that inserting the text will need.
  [[nodiscard]] Hashed prepare(std::string_view text) const {
    const std::uint64_t hash = hash64(text);
    __builtin_prefetch(&slots_[hash & (slots_.size() - 1)], 1);
    return {text, hash};
  }

  /// False when the text was present already.
  bool insert(const Hashed& hashed) {
    const auto tag = static_cast<std::uint32_t>(hashed.hash >> 32U);
    for (std::size_t at = hashed.hash & (slots_.size() - 1);; at = (at + 1) & (slots_.size() - 1)) {
      Slot& slot = slots_[at];
      if (slot.text == 0) {
        texts_.push_back(hashed.text);
        slot = {tag, static_cast<std::uint32_t>(texts_.size())};
        return true;
      }
      if (slot.tag == tag && texts_[slot.text - 1] == hashed.text) return false;
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

/// See `ordered_rows`. Calls `visit` with each row as it is found.
template <class Visit>
Result<Rows> unique_rows(const ElementTable& table, const std::string& property, Visit visit) {
  const std::unique_ptr<PropertyReader> reader = table.reader(property);
  Rows rows;
  rows.reserve(table.size());
  std::vector<std::pair<std::uint64_t, std::uint32_t>> numbered;
  TextSet seen(table.size());
  // Texts that no row holds; a deque does not move them.
  std::deque<std::string> made;
  // In groups, so that the memory of one row is loaded while another is processed.
  std::array<TextSet::Hashed, 16> block;
  for (std::size_t begin = 0; begin < table.size(); begin += block.size()) {
    const std::size_t count = std::min(block.size(), table.size() - begin);
    for (std::size_t i = 0; i < count; ++i) {
      const Element value = reader->get(begin + i);
      if (value.is_nil())
        return refuse(Code::kInvalidEntity, "missing item unique property", property,
                      "a shard gave an item without it; an index must hold it");
      block[i] = seen.prepare(
          value.kind() == ElementKind::kString ? value.text() : std::string_view(made.emplace_back(value.to_string())));
    }
    for (std::size_t i = 0; i < count; ++i) {
      if (!seen.insert(block[i])) continue;
      const auto row = static_cast<std::uint32_t>(begin + i);
      visit(row);
      if (is_array_index(block[i].text)) {
        numbered.emplace_back(static_cast<std::uint64_t>(*parse_number(block[i].text)), row);
      } else {
        rows.push_back(row);
      }
    }
  }
  std::ranges::sort(numbered);
  Rows first;
  for (const auto& [number, row] : numbered) first.push_back(row);
  rows.insert(rows.begin(), first.begin(), first.end());
  return rows;
}

// ---- Sorting by keys ----

/// 0 stands for no value; the other results sort as the numbers do.
std::uint64_t sortable(double number) {
  const auto bits = std::bit_cast<std::uint64_t>(number == 0 ? 0.0 : number);
  constexpr std::uint64_t kSign = std::uint64_t{1} << 63U;
  return ((bits & kSign) != 0 ? ~bits : bits | kSign) - 1;
}

/// The values of one property, by row, as numbers that sort as the values do, as long as all are of one kind; and their
/// texts where the numbers do not suffice.
class Column {
 public:
  Column(const ElementTable& table, const SortField& field)
      : reader_(table.sort_reader(field.property)), desc_(field.desc), first_(table.size()) {}

  void read(std::uint32_t row) {
    if (mixed_) return;
    const Element value = reader_->get(row);
    if (value.is_nil()) return;
    if (kind_ == ElementKind::kUndefined) kind_ = value.kind();
    mixed_ = kind_ != value.kind();
    switch (value.kind()) {
      case ElementKind::kNumber:
        mixed_ = mixed_ || std::isnan(value.number());
        first_[row] = sortable(value.number());
        break;
      case ElementKind::kBoolean: first_[row] = value.boolean() ? 2 : 1; break;
      case ElementKind::kString:
        if (!texts_) texts_.emplace(first_.size());
        texts_->set(row, value.text());
        break;
      default: mixed_ = true;
    }
  }

  /// Must be called when all rows have been read. False when the values are of several kinds or of an unsupported one.
  bool finish() {
    if (mixed_) return false;
    if (texts_) first_ = texts_->finish();
    return true;
  }

  /// Numbers in the order of the column, as far as one number can express it.
  [[nodiscard]] std::uint64_t first(std::uint32_t row) const { return desc_ ? ~first_[row] : first_[row]; }

  [[nodiscard]] int compare(std::uint32_t a, std::uint32_t b) const {
    if (first_[a] != first_[b]) return first(a) < first(b) ? -1 : 1;
    if (!texts_) return 0;
    const int order = texts_->compare(a, b);
    return desc_ ? -order : order;
  }

 private:
  std::unique_ptr<PropertyReader> reader_;
  bool desc_ = false;
  /// Undefined until there is a value.
  ElementKind kind_ = ElementKind::kUndefined;
  bool mixed_ = false;
  /// 0 where there is no value.
  std::vector<std::uint64_t> first_;
  std::optional<CollatedTexts> texts_;
};

struct Entry {
  std::uint64_t first;
  std::uint32_t row;
};

/// Stable, by the numbers alone: one pass for each group of bits in which they differ.
void sort_by_numbers(std::vector<Entry>& entries) {
  constexpr unsigned kBits = 11;
  constexpr std::size_t kValues = std::size_t{1} << kBits;
  if (entries.size() < kValues / 2) {
    std::ranges::stable_sort(entries, {}, &Entry::first);
    return;
  }
  std::uint64_t differing = 0;
  for (const Entry& entry : entries) differing |= entry.first ^ entries.front().first;
  std::vector<Entry> sorted(entries.size());
  while (differing != 0) {
    const auto shift = static_cast<unsigned>(std::countr_zero(differing));
    const auto digit = [shift](const Entry& entry) { return entry.first >> shift & (kValues - 1); };
    differing &= ~((kValues - 1) << shift);
    std::array<std::uint32_t, kValues> places{};
    for (const Entry& entry : entries) ++places[digit(entry)];
    std::uint32_t next = 0;
    for (std::uint32_t& place : places) next += std::exchange(place, next);
    for (const Entry& entry : entries) sorted[places[digit(entry)]++] = entry;
    entries.swap(sorted);
  }
}

void sort_by(const std::vector<Column>& columns, Rows& rows) {
  std::vector<Entry> entries;
  entries.reserve(rows.size());
  for (const std::uint32_t row : rows) entries.push_back({columns.front().first(row), row});
  sort_by_numbers(entries);
  // Ties are decided by what the numbers do not express.
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

/// The sign of a - b when they are comparable, otherwise 0.
int compare_elements(const Element& a, const Element& b) {
  const auto sign = [](auto order) { return order < 0 ? -1 : order > 0 ? 1 : 0; };
  if (a.kind() == ElementKind::kNumber && b.kind() == ElementKind::kNumber && !std::isnan(a.number()) &&
      !std::isnan(b.number()))
    return a.number() < b.number() ? -1 : a.number() > b.number() ? 1 : 0;
  if (a.kind() == ElementKind::kString && b.kind() == ElementKind::kString)
    return sign(compare_collated(a.text(), b.text()));
  if (a.kind() == ElementKind::kBigInteger && b.kind() == ElementKind::kBigInteger)
    return sign(compare(BigInteger{std::string(a.text())}, BigInteger{std::string(b.text())}));
  if (a.is_nil() != b.is_nil()) return a.is_nil() ? -1 : 1;
  return static_cast<int>(a.is_truthy()) - static_cast<int>(b.is_truthy());
}

/// Sorts short lists as JavaScript engines do: an ordered run at the beginning stays, or is reversed when it descends;
/// every further row is inserted by bisection.
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

void sort_by_comparing(const ElementTable& table, const std::vector<SortField>& sort, Rows& rows) {
  std::vector<std::unique_ptr<PropertyReader>> readers;
  for (const SortField& field : sort) readers.push_back(table.sort_reader(field.property));
  const auto compare = [&](std::uint32_t a, std::uint32_t b) {
    for (std::size_t i = 0; i < sort.size(); ++i) {
      const int order = compare_elements(readers[i]->get(a), readers[i]->get(b));
      if (order != 0) return sort[i].desc ? -order : order;
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

Result<Rows> ordered_rows(const ElementTable& table, const std::optional<std::string>& unique_property,
                          const std::vector<SortField>& sort) {
  std::vector<Column> columns;
  for (const SortField& field : sort) columns.emplace_back(table, field);
  const auto read = [&](std::uint32_t row) {
    for (Column& column : columns) column.read(row);
  };
  Rows rows;
  if (unique_property) {
    DOLMEN_TRY(rows, unique_rows(table, *unique_property, read));
  } else {
    rows.resize(table.size());
    std::iota(rows.begin(), rows.end(), 0U);
    std::ranges::for_each(rows, read);
  }
  if (sort.empty()) return rows;
  if (std::ranges::all_of(columns, &Column::finish)) {
    sort_by(columns, rows);
  } else {
    sort_by_comparing(table, sort, rows);
  }
  return rows;
}

}  // namespace dolmen::entity
