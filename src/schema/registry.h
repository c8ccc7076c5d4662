#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/file_writer.h"
#include "dolmen/error.h"
#include "dolmen/schema.h"
#include "schema/catalogue.h"

namespace dolmen::schema {

/// A schema as it was published.
struct PublishedSchema {
  Schema schema;
  /// The file, byte for byte.
  std::string text;
  std::string sha256;
};

using PublishedPointer = std::shared_ptr<const PublishedSchema>;

/// The error for publishing a pair again.
std::unexpected<Error> immutable(const SchemaRef& ref);
/// The error for an id or version that differs from a published one in capitals alone.
std::unexpected<Error> differs_in_case(const SchemaRef& ref, const SchemaRef& published);

/// The error for an integer version that is not larger than one that is published.
std::unexpected<Error> not_larger(const SchemaRef& ref, std::int64_t published);

/// The published schemas of a data directory. Any thread.
///
///     metadata/schemas/schema_<id>_<version>.json   one file for each, written once
///     SCHEMAS                                       the catalogue: which files there are, their lengths and SHA-256
///
/// To publish, a file is written under another name and synced, the catalogue notes that it comes, the file gets its
/// name by a link that cannot replace anything, and the catalogue notes that it is there. Each step is durable before
/// the next, so whatever interrupts it, the catalogue knows of the file.
class Registry {
 public:
  /// Reads and checks everything; changes nothing. Fails with kCorruption when a file is missing, changed, misnamed,
  /// unexpected or declares what another does; the message names the file and says what to do.
  static Result<std::unique_ptr<Registry>> load(std::filesystem::path directory,
                                                FileWriter::BeforeStep before_step = {});

  /// Finishes interrupted publications: those whose file is there are completed, the others forgotten. Returns a line
  /// for each. To be called once, before the first `publish`.
  Result<std::vector<std::string>> repair();

  /// Publishes a schema file. It is durable when this returns. Fails with kSchemaInvalid, kSchemaImmutable,
  /// kLimitExceeded, kNoSpace or kDirectoryUnusable. After a failure in the middle nothing more can be published until
  /// the store is opened again, because it is unknown what reached the disk.
  Result<PublishedPointer> publish(std::string_view text, std::string_view file_name = "schema.json");

  /// Nothing when it has not been published.
  [[nodiscard]] PublishedPointer find(const SchemaRef& ref) const;
  [[nodiscard]] bool has_id(std::string_view id) const;
  /// All of them, sorted.
  [[nodiscard]] std::vector<PublishedPointer> list() const;

 private:
  Registry(std::filesystem::path directory, FileWriter::BeforeStep before_step);

  [[nodiscard]] std::filesystem::path folder() const;
  [[nodiscard]] std::filesystem::path catalogue_file() const;
  Result<void> read_all();
  Result<void> check_name(const std::string& name) const;
  Result<PublishedSchema> read_published(const SchemaRef& ref, const CatalogueEntry& entry) const;
  Result<void> check_new(const Schema& schema) const;
  /// Everything from the first durable trace on.
  Result<void> publish_file(const SchemaRef& ref, const CatalogueEntry& entry);
  Result<void> write_catalogue() const;

  const std::filesystem::path directory_;
  const FileWriter files_;
  mutable std::mutex schemas_mutex_;  ///< Guards all that follows.
  Catalogue catalogue_;
  std::map<SchemaRef, PublishedPointer> schemas_;
  std::vector<std::string> leftovers_;  ///< Temporary files that `load` has seen.
  std::optional<Error> broken_;
};

}  // namespace dolmen::schema
