#include "cli/contract_check.h"

#include "base/fail.h"
#include "contract/rules.h"
#include "dolmen/model/cursor.h"

namespace dolmen::cli {

namespace {

/// The position after an item.
std::string position_after(const Item& item, const TableDefinition& table) {
  Item key{{table.partition_key.name, *item.find(table.partition_key.name)}};
  if (table.sort_key) key.set(table.sort_key->name, *item.find(table.sort_key->name));
  return encode_cursor({.last_key = std::move(key)});
}

Result<std::optional<Item>> start_of(const StoredCheck& check) {
  if (check.start.empty()) return std::nullopt;
  const Result<Cursor> cursor = decode_cursor(check.start);
  if (!cursor) return fail(Code::kInvalidArgument, "--start: \"{}\" is not what an earlier check printed", check.start);
  return cursor->last_key;
}

}  // namespace

Result<StoredCheckResult> check_stored(Store& store, const StoredCheck& check,
                                       const std::function<void(const std::string& message)>& found) {
  DOLMEN_TRY(const TableDescription table, store.describe_table(check.table));
  DOLMEN_TRY(const std::shared_ptr<const contract::Rules> rules,
             contract::Rules::make(check.definition, table.definition));
  ScanOptions options{.consistent_read = true};
  DOLMEN_TRY(options.start_after, start_of(check));
  StoredCheckResult result;
  do {
    DOLMEN_TRY(const Page page, store.scan_page(check.table, options));
    for (const Item& item : page.items) {
      ++result.checked;
      contract::Rules::Verdict verdict = rules->check({.item = &item});
      if (verdict.violations.empty()) continue;
      ++result.violating;
      found(contract::refusal(check.table, check.version, std::move(verdict)).message());
      if (!check.limit || result.violating < *check.limit) continue;
      const bool is_last = !page.last_key && &item == &page.items.back();
      if (!is_last) result.next = position_after(item, table.definition);
      return result;
    }
    options.start_after = page.last_key;
  } while (options.start_after);
  return result;
}

}  // namespace dolmen::cli
