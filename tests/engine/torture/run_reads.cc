// Queries and scans of a run.
#include <set>

#include "compare.h"
#include "run.h"
#include "tests/service/test_calls.h"

namespace dolmen::torture {
namespace {

Result<std::vector<Item>> decoded(const std::vector<EncodedItem>& items) {
  std::vector<Item> all;
  for (const EncodedItem& encoded : items) {
    DOLMEN_TRY(Item item, decode_item(encoded.bytes));
    all.push_back(std::move(item));
  }
  return all;
}

std::string page_text(const Page& page) {
  if (page.error) return shown(*page.error);
  return fmt::format("{} of {} until {}{}", page.count, page.scanned, shown(page.last_key), shown(page.items));
}

std::string page_text(const Result<ReadManyResponse>& page) {
  if (!page) return shown(page.error());
  return fmt::format("{} of {} until {}{}", page->count, page->scanned_count, shown(page->last_key),
                     shown(page->items));
}

/// A query or scan that never ends would hold up the run; no table has that many rows.
constexpr int kPagesMax = 5'000;

}  // namespace

void Run::expect_page(const Read& read, const Page& expected, const Result<ReadManyResponse>& found) {
  expect_same([&] { return text_of(read); }, page_text(expected), page_text(found));
}

void Run::query() {
  Read read = generator_.query(generator_.table_name());
  const auto table = model_.tables.find(read.table);
  for (int pages = 0; pages < kPagesMax && !violation_; ++pages) {
    const Page expected =
        table == model_.tables.end() ? Page{.error = Code::kTableNotFound} : table->second.query(read);
    expect_page(read, expected, call(store_->service(), request_of(read)));
    // Some go on, some leave it at a page, and some go on from there with another limit.
    if (expected.error || !expected.last_key || random_.chance(25)) return;
    read.start_key = expected.last_key;
    if (random_.chance(10)) read.limit = static_cast<std::uint32_t>(1 + random_.below(20));
  }
}

std::optional<std::vector<Item>> Run::whole_scan(const std::string& table, const std::optional<std::string>& index) {
  const Read read{.table = table, .index = index};
  const auto found = call(store_->service(), request_of(read));
  const auto rows = found ? decoded(found->items) : std::unexpected(found.error());
  if (!rows) {
    expect_same(text_of(read), "rows", rows.error().message());
    return std::nullopt;
  }
  expect_same(text_of(read), "", model_.tables.at(table).scan_problem(index, *rows));
  return *rows;
}

void Run::scan() {
  Read read = generator_.scan(generator_.table_name());
  if (!model_.tables.contains(read.table))
    return expect_page(read, {.error = Code::kTableNotFound}, call(store_->service(), request_of(read)));
  const auto rows = whole_scan(read.table, read.index);
  if (!rows || violation_) return;
  scan_pages(read, *rows);
  scan_segments(read);
}

void Run::scan_pages(Read read, const std::vector<Item>& rows) {
  for (int pages = 0; pages < kPagesMax && !violation_; ++pages) {
    const Page expected = model_.tables.at(read.table).scan(read, rows);
    expect_page(read, expected, call(store_->service(), request_of(read)));
    if (expected.error || !expected.last_key) return;
    read.start_key = expected.last_key;
  }
}

/// The segments of a parallel scan have no row in common, and together all rows.
void Run::scan_segments(const Read& read) {
  const auto total = static_cast<std::uint32_t>(1 + random_.below(random_.chance(90) ? 7 : 1000));
  std::vector<Item> all;
  for (std::uint32_t segment = 0; segment < total && !violation_; ++segment) {
    Read part{.table = read.table, .index = read.index, .segment = ScanSegment{segment, total}};
    const auto found = call(store_->service(), request_of(part));
    const auto rows = found ? decoded(found->items) : std::unexpected(found.error());
    if (!rows) return expect_same(text_of(part), "rows", rows.error().message());
    all.insert(all.end(), rows->begin(), rows->end());
    if (rows->empty() || !random_.chance(20)) continue;
    part.limit = read.limit;
    part.filter = read.filter;
    scan_pages(part, *rows);
  }
  if (violation_) return;
  expect_same(fmt::format("scan of {}/{} in {} segments", read.table, read.index.value_or("-"), total), "",
              model_.tables.at(read.table).scan_problem(read.index, all));
}

}  // namespace dolmen::torture
