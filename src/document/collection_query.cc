// Queries of a collection.
#include <algorithm>

#include "base/fail.h"
#include "document/collection.h"
#include "document/invalid.h"
#include "document/layout.h"
#include "document/limits.h"
#include "document/ordered_value.h"

namespace dolmen::document {
namespace {

constexpr std::uint32_t kRowsPerPage = 100;

}  // namespace

Result<Plan> Collection::plan(const DocumentQuery& query) const {
  DOLMEN_TRY(const std::shared_ptr<const IndexSet> set, indexes_.get(schema_.ref));
  if (Result<Plan> plan = make_plan(schema_, *set, query)) return plan;
  // An index may have become ready since its definition was read.
  DOLMEN_TRY(const std::shared_ptr<const IndexSet> fresh, indexes_.reload(schema_.ref));
  return make_plan(schema_, *fresh, query);
}

bool Collection::matches(const Plan& plan, const CheckedDocument& document) const {
  return std::ranges::all_of(plan.predicates, [&](const Predicate& predicate) {
    const CheckedDocument::Span span = document.scalars[predicate.scalar];
    if (span.length == 0) return false;
    return predicate.holds(ordered_value(schema_.scalars[predicate.scalar].type,
                                         std::string_view(document.text).substr(span.offset, span.length)));
  });
}

/// Each document is read after its entry and may have changed in between. Its current content is checked, and it is
/// left out when its place in the index has changed.
Result<void> Collection::add_matches(const Plan& plan, const std::vector<Row>& rows,
                                     std::vector<StoredDocument>& found) const {
  const bool by_id = plan.field == "_id";
  std::vector<std::optional<Item>> documents(rows.size());
  if (by_id) {
    for (std::size_t i = 0; i < rows.size(); ++i) documents[i] = rows[i].attributes;
  } else {
    std::vector<RowKey> keys;
    for (const Row& row : rows) {
      const AttributeValue* id = row.attributes.find("id");
      if (id == nullptr || id->type() != Type::kString)
        return fail(Code::kCorruption, "an entry of the index on {} of {} is damaged", plan.field,
                    to_string(schema_.ref));
      keys.push_back(document_row(schema_.ref, id->string()));
    }
    DOLMEN_TRY(documents, rows_.get_many(keys));
  }
  for (std::size_t i = 0; i < rows.size(); ++i) {
    found.emplace_back();
    if (!documents[i]) continue;
    DOLMEN_TRY(StoredDocument stored, read_stored(schema_, *documents[i]));
    if (!matches(plan, stored.document)) continue;
    if (!by_id) {
      DOLMEN_TRY(const std::optional<IndexEntry> entry, entry_of(schema_, stored.document, plan.field));
      if (!entry || entry->key.sort != rows[i].sort) continue;
    }
    found.back() = std::move(stored);
  }
  return {};
}

Result<DocumentPage> Collection::walk(Plan plan, const std::string& cursor) const {
  if (!cursor.empty()) {
    DOLMEN_TRY(plan.range.after, read_cursor(plan, cursor));
    if (*plan.range.after < plan.range.lower || *plan.range.after > plan.range.upper)
      return invalid_part("cursor", "it does not belong to this query");
  }
  DocumentPage page;
  std::size_t bytes = 0;
  for (std::size_t examined = 0;;) {
    const std::size_t wanted = plan.limit - page.documents.size();
    plan.range.limit = static_cast<std::uint32_t>(std::min<std::size_t>(wanted, kRowsPerPage));
    DOLMEN_TRY(const RowPage rows, rows_.range(plan.range));
    std::vector<StoredDocument> found;
    DOLMEN_TRY_VOID(add_matches(plan, rows.rows, found));
    for (std::size_t i = 0; i < found.size(); ++i) {
      const std::size_t size = found[i].document.text.size();
      if (size == 0) continue;
      if (!page.documents.empty() && bytes + size > limits::kDocumentPageBytes) {
        // The document did not fit, so the page ends with the row before it.
        page.cursor = make_cursor(plan, i == 0 ? *plan.range.after : rows.rows[i - 1].sort);
        return page;
      }
      bytes += size;
      page.documents.push_back(std::move(found[i]).shown());
    }
    if (!rows.more || rows.rows.empty()) return page;
    plan.range.after = rows.rows.back().sort;
    examined += rows.rows.size();
    if (page.documents.size() >= plan.limit || examined >= limits::kQueryExamined) {
      page.cursor = make_cursor(plan, *plan.range.after);
      return page;
    }
  }
}

Result<DocumentPage> Collection::list(const ListDocumentsOptions& options) const {
  DOLMEN_TRY(Plan plan, list_plan(schema_, options.limit));
  return walk(std::move(plan), options.cursor);
}

Result<DocumentPage> Collection::query(const DocumentQuery& query) const {
  DOLMEN_TRY(Plan plan, this->plan(query));
  return walk(std::move(plan), query.cursor);
}

}  // namespace dolmen::document
