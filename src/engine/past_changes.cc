#include "engine/past_changes.h"

#include "base/fail.h"
#include "engine/history.h"
#include "engine/keyspaces.h"
#include "engine/row_key.h"

namespace dolmen::engine {
namespace {

/// What an entry costs besides its key.
constexpr std::size_t kEntryBytes = 160;

}  // namespace

Result<PastChanges> PastChanges::read(const storage::Storage& copy, const Period& period, const std::string& lower,
                                      std::size_t bytes_max) {
  PastChanges found;
  std::size_t bytes = 0;
  const std::string first = history::first_key_at(period.history, period.from);
  const std::string end = first_key_of(period.history + 1);
  auto rows = copy.iterate(keyspaces::kHistory, {.lower = first, .upper = end});
  for (rows.seek_first(); rows.valid(); rows.next()) {
    DOLMEN_TRY(const history::RowView row, history::read_row(rows.key(), rows.value()));
    if (row.row_key < lower || (found.upper_ && row.row_key >= *found.upper_)) continue;
    const auto known = found.changes_.find(row.row_key);
    const std::string key(rows.key());
    if (row.time >= period.to) {
      // An item that changed only afterwards did not change in the period.
      if (known != found.changes_.end() && known->second.after.empty()) known->second.after = key;
      continue;
    }
    if (known != found.changes_.end()) {
      known->second.last = key;
      continue;
    }
    found.changes_.emplace(row.row_key, Change{.first = key, .last = key});
    bytes += kEntryBytes + row.row_key.size();
    while (bytes > bytes_max && found.changes_.size() > 1) {
      const auto last = std::prev(found.changes_.end());
      bytes -= kEntryBytes + last->first.size();
      found.upper_ = last->first;
      found.changes_.erase(last);
    }
  }
  DOLMEN_TRY_VOID(rows.status());
  return found;
}

Result<std::optional<EncodedItem>> PastChanges::replaced(const storage::Storage& copy, const std::string& history_key) {
  std::string value;
  DOLMEN_TRY(const bool there, copy.get(keyspaces::kHistory, history_key, value));
  if (!there) return fail(Code::kCorruption, "a row of a table's history is missing");
  DOLMEN_TRY(const history::RowView row, history::read_row(history_key, value));
  if (!row.old_item) return std::nullopt;
  return EncodedItem{std::string(*row.old_item)};
}

}  // namespace dolmen::engine
