// Queries and scans of the model.
#include <algorithm>
#include <set>
#include <span>

#include "model.h"
#include "value/json.h"

namespace dolmen::torture {

namespace {

/// Whether all attributes can be keys of an index. An item from before the index existed may have others.
bool fit(const Item& item, const std::vector<KeyAttribute>& keys, bool partition) {
  return std::ranges::all_of(keys, [&](const KeyAttribute& key) {
    const AttributeValue* value = item.find(key.name);
    return value != nullptr && is_key_value(*value, key.type, partition);
  });
}

}  // namespace

/// What a query or scan goes over: the table itself, or an index.
struct ModelTable::View {
  const IndexDefinition* index = nullptr;
  bool local = false;
  std::vector<std::string> partition;
  std::vector<std::string> sort;
  /// The attributes in its rows; nothing when they have all.
  std::optional<std::set<std::string>> carried;

  [[nodiscard]] bool holds(const Item& item) const {
    return index == nullptr || (fit(item, index->partition_keys, true) && fit(item, index->sort_keys, false));
  }
  [[nodiscard]] bool carries(const std::string& name) const { return !carried || carried->contains(name); }
  [[nodiscard]] bool is_key(const std::string& name) const {
    return std::ranges::count(partition, name) > 0 || std::ranges::count(sort, name) > 0;
  }
};

namespace {

int compare_by(const std::vector<std::string>& names, const Item& a, const Item& b) {
  for (const std::string& name : names)
    if (const int difference = order(a.at(name), b.at(name)); difference != 0) return difference;
  return 0;
}

void add_names(std::vector<std::string>& names, const std::vector<KeyAttribute>& attributes) {
  for (const KeyAttribute& attribute : attributes) names.push_back(attribute.name);
}

Item only(const Item& item, const std::set<std::string>& names) {
  Item kept;
  for (const auto& [name, value] : item)
    if (names.contains(name)) kept.set(name, value);
  return kept;
}

}  // namespace

ModelTable::View ModelTable::view(const std::optional<std::string>& index) const {
  View view;
  if (!index) {
    view.partition = {definition_.partition_key.name};
    if (definition_.sort_key) view.sort = {definition_.sort_key->name};
    return view;
  }
  for (const auto* list : {&definition_.local_indexes, &definition_.global_indexes})
    for (const IndexDefinition& candidate : *list) {
      if (candidate.name != *index) continue;
      view.index = &candidate;
      view.local = list == &definition_.local_indexes;
    }
  add_names(view.partition, view.index->partition_keys);
  add_names(view.sort, view.index->sort_keys);
  if (view.index->projection == ProjectionType::kAll) return view;
  view.carried.emplace(view.index->included_attributes.begin(), view.index->included_attributes.end());
  for (const auto& names : {key_names(), view.partition, view.sort}) view.carried->insert(names.begin(), names.end());
  return view;
}

std::vector<Item> ModelTable::rows(const std::optional<std::string>& index) const {
  const View seen = view(index);
  std::vector<Item> rows;
  for (const auto& [key, item] : items_)
    if (seen.holds(item)) rows.push_back(seen.carried ? only(item, *seen.carried) : item);
  return rows;
}

Item ModelTable::any_row(const std::optional<std::string>& index, std::size_t number) const {
  if (items_.empty()) return {};
  const View seen = view(index);
  auto at = items_.begin();
  std::advance(at, number % items_.size());
  if (!seen.holds(at->second)) return {};
  return seen.carried ? only(at->second, *seen.carried) : at->second;
}

Item ModelTable::last_key_of(const std::optional<std::string>& index, const Item& row) const {
  const View seen = view(index);
  std::set<std::string> names;
  for (const auto& part : {key_names(), seen.partition, seen.sort}) names.insert(part.begin(), part.end());
  return only(row, names);
}

bool ModelTable::is_refused(const Read& read, const View& view) const {
  std::vector<std::string> filtered;
  if (read.filter) collect_roots(*read.filter, filtered);
  if (std::ranges::any_of(filtered, [&](const std::string& name) { return !view.carries(name); })) return true;
  if (!read.keys.empty() && std::ranges::any_of(filtered, [&](const std::string& name) { return view.is_key(name); }))
    return true;
  const bool global = view.index != nullptr && !view.local;
  if (global && view.carried && read.select == Select::kAllAttributes) return true;
  if (global && read.projection)
    for (const Path& path : *read.projection)
      if (!view.carries(path.root)) return true;
  return false;
}

Page ModelTable::page(const Read& read, const View& view, std::span<const Item> rows) const {
  // A local index fetches from the table what it does not carry itself.
  bool fetch = view.local && view.carried && read.select == Select::kAllAttributes;
  if (view.local && read.projection)
    for (const Path& path : *read.projection) fetch = fetch || !view.carries(path.root);
  Page page;
  for (const Item& row : rows) {
    ++page.scanned;
    const Item& whole = fetch ? *find(row) : row;
    if (!read.filter || holds(*read.filter, whole)) {
      ++page.count;
      if (read.select != Select::kCount)
        page.items.push_back(read.projection ? project(whole, *read.projection) : whole);
    }
    if (page.scanned != read.limit) continue;
    page.last_key = last_key_of(read.index, row);
    break;
  }
  return page;
}

Page ModelTable::query(const Read& read) const {
  const View seen = view(read.index);
  if (is_refused(read, seen)) return {.error = Code::kValidation};
  std::vector<std::string> by = seen.sort;
  for (const std::string& name : key_names()) by.push_back(name);
  std::vector<Condition> terms;
  for (const KeyTerm& term : read.keys) terms.push_back(condition_of(term));
  std::vector<Item> found;
  for (const auto& [key, row] : items_) {
    if (!seen.holds(row)) continue;
    const bool fits = std::ranges::all_of(terms, [&](const Condition& term) { return holds(term, row); });
    const int direction = read.forward ? 1 : -1;
    const bool ahead = !read.start_key || compare_by(by, row, *read.start_key) * direction > 0;
    if (fits && ahead) found.push_back(seen.carried ? only(row, *seen.carried) : row);
  }
  std::ranges::sort(found, [&](const Item& a, const Item& b) { return compare_by(by, a, b) < 0; });
  if (!read.forward) std::ranges::reverse(found);
  return page(read, seen, found);
}

Page ModelTable::scan(const Read& read, const std::vector<Item>& rows) const {
  const View seen = view(read.index);
  if (is_refused(read, seen)) return {.error = Code::kValidation};
  if (!read.start_key) return page(read, seen, rows);
  const auto is_start = [&](const Item& row) {
    return std::ranges::all_of(*read.start_key, [&](const auto& key) { return row.at(key.first) == key.second; });
  };
  const auto start = std::ranges::find_if(rows, is_start);
  return page(read, seen, {start == rows.end() ? start : start + 1, rows.end()});
}

std::string ModelTable::scan_problem(const std::optional<std::string>& index, const std::vector<Item>& rows) const {
  const auto texts = [](const std::vector<Item>& items) {
    std::multiset<std::string> all;
    for (const Item& item : items) all.insert(json::to_text(item));
    return all;
  };
  const std::multiset<std::string> expected = texts(this->rows(index));
  const std::multiset<std::string> found = texts(rows);
  for (const std::string& row : expected)
    if (!found.contains(row)) return "missing: " + row;
  for (const std::string& row : found)
    if (!expected.contains(row)) return "unexpected: " + row;
  if (found.size() != expected.size()) return "a row comes twice";
  const View seen = view(index);
  std::vector<std::string> by = seen.sort;
  for (const std::string& name : key_names()) by.push_back(name);
  std::set<std::string> partitions;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const bool same = i > 0 && compare_by(seen.partition, rows[i - 1], rows[i]) == 0;
    if (same && compare_by(by, rows[i - 1], rows[i]) >= 0) return "out of order: " + json::to_text(rows[i]);
    Item partition;
    for (const std::string& name : seen.partition) partition.set(name, rows[i].at(name));
    if (!same && !partitions.insert(json::to_text(partition)).second)
      return "a partition in two places: " + json::to_text(rows[i]);
  }
  return "";
}

}  // namespace dolmen::torture
