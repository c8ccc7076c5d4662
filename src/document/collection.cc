#include "document/collection.h"

#include <fmt/format.h>

#include "base/fail.h"
#include "document/invalid.h"
#include "document/layout.h"
#include "document/ordered_value.h"
#include "schema/violations.h"

namespace dolmen::document {
namespace {

std::unexpected<Error> refused(const SchemaRef& ref, std::string path, std::string rule, std::string message) {
  return std::unexpected(schema::validation_error(
      ref, {{.path = std::move(path), .rule = std::move(rule), .message = std::move(message)}}));
}

std::unexpected<Error> too_busy(const SchemaRef& ref) {
  return fail(Code::kTransactionConflict, "other writers keep changing the same documents of {}; try again",
              to_string(ref));
}

/// The first change of every write is the check that the indexes have not changed.
constexpr std::size_t kIndexesChanged = 0;

}  // namespace

std::string revision_of(std::int64_t mark) { return fmt::format("{:016x}", static_cast<std::uint64_t>(mark)); }

Document StoredDocument::shown() && { return {.text = std::move(document.text), .revision = revision_of(mark)}; }

Result<StoredDocument> read_stored(const Schema& schema, const Item& row) {
  const AttributeValue* body = row.find("body");
  const AttributeValue* mark = row.find("mark");
  const std::string* text = body == nullptr ? nullptr : body->get_if<std::string>();
  const Number* number = mark == nullptr ? nullptr : mark->get_if<Number>();
  if (text == nullptr || number == nullptr)
    return fail(Code::kCorruption, "a stored document of {} is damaged", to_string(schema.ref));
  Result<CheckedDocument> checked = validate_document(schema, *text);
  if (!checked)
    return fail(Code::kCorruption, "a stored document cannot be: {}. Restore the store from a backup",
                checked.error().message());
  return StoredDocument{.document = std::move(*checked), .mark = number->to_int64().value_or(0)};
}

Result<std::optional<IndexEntry>> entry_of(const Schema& schema, const CheckedDocument& document,
                                           const std::string& field) {
  const std::size_t scalar = schema.find_scalar(field).value();
  const CheckedDocument::Span span = document.scalars[scalar];
  if (span.length == 0) return std::nullopt;
  const std::string value =
      ordered_value(schema.scalars[scalar].type, std::string_view(document.text).substr(span.offset, span.length));
  if (std::string problem = ordered_value_problem(value); !problem.empty())
    return refused(schema.ref, field, "indexed_size", std::move(problem));
  return IndexEntry{.key = {.partition = entries_partition(schema.ref, field), .sort = entry_sort(value, document.id)},
                    .id = document.id};
}

Result<void> Collection::add_entries(const IndexSet& set, const CheckedDocument* old, const CheckedDocument* fresh,
                                     std::vector<RowChange>& changes) const {
  for (const DeclaredIndex& index : set.indexes) {
    if (index.state == IndexState::kDropping) continue;
    std::optional<IndexEntry> before;
    std::optional<IndexEntry> after;
    if (old != nullptr) {
      // A value that is too long was never in the index.
      if (auto entry = entry_of(schema_, *old, index.field)) before = std::move(*entry);
    }
    if (fresh != nullptr) {
      DOLMEN_TRY(after, entry_of(schema_, *fresh, index.field));
    }
    // While an index is being built the entry may be missing, and the builder leaves changed documents to their writer.
    const bool same_place = before && after && before->key == after->key;
    if (same_place && index.state == IndexState::kReady) continue;
    if (before && !same_place) changes.push_back({.kind = RowChange::Kind::kDelete, .key = before->key});
    if (after) changes.push_back({.key = after->key, .attributes = {{"id", after->id}}});
  }
  return {};
}

RowChange Collection::put_document(const CheckedDocument& document, std::int64_t mark) const {
  return {.key = document_row(schema_.ref, document.id),
          .attributes = {{"body", document.text}, {"mark", mark}},
          .condition = "attribute_not_exists(pk)"};
}

Result<void> Collection::check_id(const CheckedDocument& document, const std::optional<std::string>& id) const {
  if (!id || *id == document.id) return {};
  return refused(
      schema_.ref, "_id", "id_immutable",
      fmt::format("the _id of \"{}\" cannot change to \"{}\"; delete the old document and insert the new one", *id,
                  document.id));
}

Result<void> Collection::check_revision(const StoredDocument& stored,
                                        const std::optional<std::string>& expected) const {
  if (!expected || *expected == revision_of(stored.mark)) return {};
  return fail(Code::kConditionFailed, "\"{}\" of {} has the revision {}, and {} was expected; read it again",
              stored.document.id, to_string(schema_.ref), revision_of(stored.mark), *expected);
}

std::unexpected<Error> Collection::taken(std::string_view id, const std::optional<Item>& claim) const {
  const AttributeValue* version = claim ? claim->find("version") : nullptr;
  const std::string* text = version == nullptr ? nullptr : version->get_if<std::string>();
  return refused(schema_.ref, "_id", "id_unique",
                 fmt::format("\"{}\" is taken by a document of {} {}", id, schema_.ref.id,
                             text == nullptr ? schema_.ref.version : *text));
}

/// Reads the indexes again, because a write would be checked against the current ones.
Result<void> Collection::validate(std::string_view text) const {
  DOLMEN_TRY(const CheckedDocument document, validate_document(schema_, text));
  DOLMEN_TRY(const std::shared_ptr<const IndexSet> set, indexes_.reload(schema_.ref));
  std::vector<RowChange> ignored;
  return add_entries(*set, nullptr, &document, ignored);
}

Result<std::string> Collection::insert(std::string_view text) {
  DOLMEN_TRY(const CheckedDocument document, validate_document(schema_, text));
  DOLMEN_TRY(std::shared_ptr<const IndexSet> set, indexes_.get(schema_.ref));
  Patience patience = rows_.patience();
  do {
    const std::int64_t mark = new_mark();
    std::vector<RowChange> changes = {IndexSets::unchanged(schema_.ref, *set),
                                      {.key = claim_row(schema_.ref, document.id),
                                       .attributes = {{"version", schema_.ref.version}},
                                       .condition = "attribute_not_exists(pk)"},
                                      put_document(document, mark)};
    DOLMEN_TRY_VOID(add_entries(*set, nullptr, &document, changes));
    DOLMEN_TRY(const std::vector<std::size_t> failed, rows_.write(changes, schema_.ref));
    if (failed.empty()) return revision_of(mark);
    if (failed.front() != kIndexesChanged || failed.size() > 1) {
      DOLMEN_TRY(const std::optional<Item> claim, rows_.get(claim_row(schema_.ref, document.id)));
      return taken(document.id, claim);
    }
    DOLMEN_TRY(set, indexes_.reload(schema_.ref));
  } while (patience.pause());
  return too_busy(schema_.ref);
}

Result<std::optional<StoredDocument>> Collection::get(std::string_view id) const {
  // An invalid _id is not looked up: it could not be a key either.
  if (!schema::document_id_problem(id).empty()) return std::nullopt;
  DOLMEN_TRY(const std::optional<Item> row, rows_.get(document_row(schema_.ref, id)));
  if (!row) return std::nullopt;
  DOLMEN_TRY(StoredDocument stored, read_stored(schema_, *row));
  return stored;
}

Result<std::string> Collection::update(std::string_view text, const UpdateDocumentOptions& options) {
  DOLMEN_TRY(const CheckedDocument document, validate_document(schema_, text));
  DOLMEN_TRY_VOID(check_id(document, options.id));
  const Turns::Turn turn = turns_.take(document_row(schema_.ref, document.id));
  DOLMEN_TRY(std::shared_ptr<const IndexSet> set, indexes_.get(schema_.ref));
  Patience patience = rows_.patience();
  do {
    DOLMEN_TRY(const std::optional<StoredDocument> old, get(document.id));
    if (!old)
      return fail(Code::kDocumentNotFound, "{} has no document \"{}\" to update", to_string(schema_.ref), document.id);
    DOLMEN_TRY_VOID(check_revision(*old, options.expected_revision));
    const std::int64_t mark = new_mark();
    std::vector<RowChange> changes = {IndexSets::unchanged(schema_.ref, *set), put_document(document, mark)};
    changes.back().condition = "mark = :m";
    changes.back().values = {{":m", old->mark}};
    DOLMEN_TRY_VOID(add_entries(*set, &old->document, &document, changes));
    DOLMEN_TRY(const std::vector<std::size_t> failed, rows_.write(changes, schema_.ref));
    if (failed.empty()) return revision_of(mark);
    if (failed.front() == kIndexesChanged) {
      DOLMEN_TRY(set, indexes_.reload(schema_.ref));
    }
  } while (patience.pause());
  return too_busy(schema_.ref);
}

Result<std::string> Collection::move_to(const Collection& target, std::string_view text,
                                        const UpdateDocumentOptions& options) {
  DOLMEN_TRY(const CheckedDocument document, validate_document(target.schema_, text));
  DOLMEN_TRY_VOID(target.check_id(document, options.id));
  const SchemaRef& here = schema_.ref;
  const SchemaRef& there = target.schema_.ref;
  const Turns::Turn turn = turns_.take(document_row(here, document.id));
  Patience patience = rows_.patience();
  do {
    DOLMEN_TRY(const std::optional<StoredDocument> old, get(document.id));
    if (!old) return fail(Code::kDocumentNotFound, "{} has no document \"{}\" to move", to_string(here), document.id);
    DOLMEN_TRY_VOID(check_revision(*old, options.expected_revision));
    DOLMEN_TRY(const std::shared_ptr<const IndexSet> old_set, indexes_.get(here));
    DOLMEN_TRY(const std::shared_ptr<const IndexSet> new_set, indexes_.get(there));
    const std::int64_t mark = new_mark();
    std::vector<RowChange> changes = {IndexSets::unchanged(here, *old_set),
                                      IndexSets::unchanged(there, *new_set),
                                      {.key = claim_row(there, document.id),
                                       .attributes = {{"version", there.version}},
                                       .condition = "attribute_exists(pk)"},
                                      {.kind = RowChange::Kind::kDelete,
                                       .key = document_row(here, document.id),
                                       .condition = "mark = :m",
                                       .values = {{":m", old->mark}}},
                                      target.put_document(document, mark)};
    DOLMEN_TRY_VOID(add_entries(*old_set, &old->document, nullptr, changes));
    DOLMEN_TRY_VOID(target.add_entries(*new_set, nullptr, &document, changes));
    DOLMEN_TRY(const std::vector<std::size_t> failed, rows_.write(changes, {here, there}));
    if (failed.empty()) return revision_of(mark);
    DOLMEN_TRY_VOID(indexes_.reload(here));
    DOLMEN_TRY_VOID(indexes_.reload(there));
  } while (patience.pause());
  return too_busy(here);
}

Result<std::optional<std::string>> Collection::remove(std::string_view id, const DeleteDocumentOptions& options) {
  const Turns::Turn turn = turns_.take(document_row(schema_.ref, id));
  DOLMEN_TRY(std::shared_ptr<const IndexSet> set, indexes_.get(schema_.ref));
  Patience patience = rows_.patience();
  do {
    DOLMEN_TRY(const std::optional<StoredDocument> old, get(id));
    if (!old && options.expected_revision) return no_revision(schema_.ref, id, *options.expected_revision);
    if (!old) return std::nullopt;
    DOLMEN_TRY_VOID(check_revision(*old, options.expected_revision));
    std::vector<RowChange> changes = {IndexSets::unchanged(schema_.ref, *set),
                                      {.kind = RowChange::Kind::kDelete,
                                       .key = document_row(schema_.ref, id),
                                       .condition = "mark = :m",
                                       .values = {{":m", old->mark}}},
                                      {.kind = RowChange::Kind::kDelete, .key = claim_row(schema_.ref, id)}};
    DOLMEN_TRY_VOID(add_entries(*set, &old->document, nullptr, changes));
    DOLMEN_TRY(const std::vector<std::size_t> failed, rows_.write(changes, schema_.ref));
    if (failed.empty()) return revision_of(old->mark);
    if (failed.front() == kIndexesChanged) {
      DOLMEN_TRY(set, indexes_.reload(schema_.ref));
    }
  } while (patience.pause());
  return too_busy(schema_.ref);
}

}  // namespace dolmen::document
