#pragma once

#include <concepts>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "dolmen/documents.h"
#include "dolmen/error.h"
#include "dolmen/record.h"
#include "dolmen/schema.h"
#include "dolmen/store.h"
#include "dolmen/value.h"

namespace dolmen {

namespace detail {

/// The document that an item is: S is a string, N an int or a float as the schema declares it, BOOL a bool, M an
/// object, L an array. Fails with kSchemaValidationFailed when the item does not fit.
Result<std::string> document_from_item(const Schema& schema, const Item& item);

/// The other direction. Fails with kValidation when a float is out of DynamoDB's range.
Result<Item> item_from_document(std::string_view document);

}  // namespace detail

/// A record, and the revision of the document that it was read from.
template <Record T>
struct Revised {
  T value;
  std::string revision;
};

template <Record T>
struct RevisedPage {
  std::vector<Revised<T>> documents;
  /// Where to go on; empty on the last page. See DocumentPage.
  std::string cursor;
};

/// The documents of one version of a schema as structs that DOLMEN_RECORD describes. A member that is not a scalar of
/// C++ is written as in an item, so there are no sets and no binary values.
///
///     struct User {
///       std::string id;
///       std::string email;
///       std::optional<std::int64_t> age;
///     };
///     DOLMEN_RECORD(User, (id, "_id"), email, age);
///
///     auto users = TypedDocuments<User>::open(docs, {"users", "v1"}).value();
///     users.insert({.id = "u1", .email = "ada@example.org", .age = 36}).value();
///     Revised<User> ada = users.get("u1").value();
///     ada.value.age = 37;
///     users.update(ada).value();                      // kConditionFailed when somebody else was faster
///
/// Each call also fails as `to_item` or `from_item` does, and otherwise as that of Documents. Floats are numbers of
/// DynamoDB here: 1e-130 to 1e125 and their negatives. Thread-safe.
template <Record T>
class TypedDocuments {
 public:
  /// Reads the schema. The documents must outlive this.
  static Result<TypedDocuments> open(Documents& documents, SchemaRef ref) {
    DOLMEN_TRY(const PublishedInfo info, documents.schema(ref));
    DOLMEN_TRY(Schema schema, parse_schema(info.text));
    return TypedDocuments(documents, std::move(schema));
  }

  Result<std::string> insert(const T& record) {
    DOLMEN_TRY(const std::string text, text_of(record));
    return documents_->insert(schema_.ref, text);
  }
  Result<std::string> update(const T& record, const UpdateDocumentOptions& options = {}) {
    DOLMEN_TRY(const std::string text, text_of(record));
    return documents_->update(schema_.ref, text, options);
  }
  /// On condition that the document still has the revision that was read.
  Result<std::string> update(const Revised<T>& revised) {
    return update(revised.value, {.expected_revision = revised.revision});
  }
  /// Moves a document of another version here.
  Result<std::string> move_from(const std::string& version, const T& record,
                                const UpdateDocumentOptions& options = {}) {
    DOLMEN_TRY(const std::string text, text_of(record));
    return documents_->move({.id = schema_.ref.id, .version = version}, schema_.ref.version, text, options);
  }
  Result<std::optional<std::string>> remove(std::string_view id, const DeleteDocumentOptions& options = {}) {
    return documents_->remove(schema_.ref, id, options);
  }
  Result<Revised<T>> get(std::string_view id) const { return revised(documents_->get(schema_.ref, id)); }
  Result<RevisedPage<T>> list(const ListDocumentsOptions& options = {}) const {
    return page_of(documents_->list(schema_.ref, options));
  }
  Result<RevisedPage<T>> query(const DocumentQuery& query) const {
    return page_of(documents_->query(schema_.ref, query));
  }

  // ---- The same without waiting ----

  void async_insert(const T& record, Callback<std::string> done) {
    Result<std::string> text = text_of(record);
    if (!text) return done(std::unexpected(std::move(text).error()));
    documents_->async_insert(schema_.ref, *std::move(text), std::move(done));
  }
  void async_update(const T& record, const UpdateDocumentOptions& options, Callback<std::string> done) {
    Result<std::string> text = text_of(record);
    if (!text) return done(std::unexpected(std::move(text).error()));
    documents_->async_update(schema_.ref, *std::move(text), options, std::move(done));
  }
  void async_remove(const std::string& id, const DeleteDocumentOptions& options,
                    Callback<std::optional<std::string>> done) {
    documents_->async_remove(schema_.ref, id, options, std::move(done));
  }
  void async_get(const std::string& id, Callback<Revised<T>> done) const {
    documents_->async_get(schema_.ref, id, [done = std::move(done)](Result<Document> document) mutable {
      done(revised(std::move(document)));
    });
  }
  void async_list(const ListDocumentsOptions& options, Callback<RevisedPage<T>> done) const {
    documents_->async_list(schema_.ref, options, [done = std::move(done)](Result<DocumentPage> page) mutable {
      done(page_of(std::move(page)));
    });
  }
  void async_query(const DocumentQuery& query, Callback<RevisedPage<T>> done) const {
    documents_->async_query(schema_.ref, query, [done = std::move(done)](Result<DocumentPage> page) mutable {
      done(page_of(std::move(page)));
    });
  }

 private:
  TypedDocuments(Documents& documents, Schema schema) : documents_(&documents), schema_(std::move(schema)) {}

  [[nodiscard]] Result<std::string> text_of(const T& record) const {
    DOLMEN_TRY(const Item item, to_item(record));
    return detail::document_from_item(schema_, item);
  }

  static Result<Revised<T>> revised(Result<Document> document) {
    if (!document) return std::unexpected(std::move(document).error());
    DOLMEN_TRY(const Item item, detail::item_from_document(document->text));
    DOLMEN_TRY(T value, from_item<T>(item));
    return Revised<T>{.value = std::move(value), .revision = std::move(document->revision)};
  }

  static Result<RevisedPage<T>> page_of(Result<DocumentPage> page) {
    if (!page) return std::unexpected(std::move(page).error());
    RevisedPage<T> typed{.documents = {}, .cursor = std::move(page->cursor)};
    for (Document& document : page->documents) {
      DOLMEN_TRY(Revised<T> read, revised(std::move(document)));
      typed.documents.push_back(std::move(read));
    }
    return typed;
  }

  Documents* documents_;
  Schema schema_;
};

}  // namespace dolmen
