#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dolmen/documents.h"
#include "service/dolmen_calls.h"

namespace dolmen::document {

/// Carries out the operations of Documents, which documents them. Thread-safe.
class Backend {
 public:
  virtual ~Backend() = default;

  virtual Result<SchemaRef> publish(std::string_view schema_text, std::string_view file_name) = 0;
  virtual Result<std::vector<PublishedInfo>> schemas() = 0;
  virtual Result<PublishedInfo> schema(const SchemaRef& ref) = 0;
  virtual Result<void> validate(const SchemaRef& ref, std::string_view document) = 0;
  virtual Result<std::string> insert(const SchemaRef& ref, std::string_view document) = 0;
  virtual Result<std::string> update(const SchemaRef& ref, std::string_view document,
                                     const UpdateDocumentOptions& options) = 0;
  virtual Result<std::string> move(const SchemaRef& from, const std::string& to_version, std::string_view document,
                                   const UpdateDocumentOptions& options) = 0;
  virtual Result<std::optional<std::string>> remove(const SchemaRef& ref, std::string_view id,
                                                    const DeleteDocumentOptions& options) = 0;
  virtual Result<Document> get(const SchemaRef& ref, std::string_view id) = 0;
  virtual Result<DocumentPage> list(const SchemaRef& ref, const ListDocumentsOptions& options) = 0;
  virtual Result<void> create_index(const SchemaRef& ref, const std::string& field) = 0;
  virtual Result<bool> drop_index(const SchemaRef& ref, const std::string& field) = 0;
  virtual Result<void> rebuild_index(const SchemaRef& ref, const std::string& field) = 0;
  virtual Result<std::vector<DocumentIndex>> indexes(const SchemaRef& ref) = 0;
  virtual Result<void> wait_for_indexes() = 0;
  virtual Result<DocumentPage> query(const SchemaRef& ref, const DocumentQuery& query) = 0;
  virtual Result<std::string> explain(const SchemaRef& ref, const DocumentQuery& query) = 0;
};

/// Carries them out in this process: on an embedded store, or on a table at an endpoint. See Documents::open.
Result<std::unique_ptr<Backend>> open_here(Store& store, const DocumentOptions& options);

/// Carries them out at a Dolmen server. Null when the endpoint is not a Dolmen server.
Result<std::unique_ptr<Backend>> open_at_server(DolmenCalls& calls, const DocumentOptions& options);

}  // namespace dolmen::document
