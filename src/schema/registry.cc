#include "schema/registry.h"

#include <algorithm>
#include <fmt/format.h>

#include "base/fail.h"
#include "schema/digest.h"
#include "schema/limits.h"
#include "schema/names.h"

namespace dolmen::schema {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kTemporary = ".tmp";
constexpr std::string_view kCatalogueFile = "SCHEMAS";
constexpr std::size_t kCatalogueBytesMax = limits::kSchemas * 512;

/// What somebody can do about a file that is not as it was published.
constexpr std::string_view kPutBack = "Restore the published file, from a backup if necessary";

}  // namespace

std::unexpected<Error> immutable(const SchemaRef& ref) {
  return fail(Code::kSchemaImmutable,
              "{} has been published and cannot be changed; publish the change as a new version", to_string(ref));
}

std::unexpected<Error> differs_in_case(const SchemaRef& ref, const SchemaRef& published) {
  const bool same_id = ref.id == published.id;
  std::string message = fmt::format("{} differs from the published {} only in upper and lower case; choose another {}",
                                    to_string(ref), to_string(published), same_id ? "version" : "id");
  std::vector<ErrorDetail> details{
      {.path = same_id ? "schema_version" : "schema_id", .rule = "case", .message = message}};
  return std::unexpected(Error(Code::kSchemaInvalid, std::move(message), std::move(details)));
}

std::unexpected<Error> not_larger(const SchemaRef& ref, std::int64_t published) {
  std::string message = fmt::format("{} comes after version {}, and integer versions must grow; choose a larger one",
                                    to_string(ref), published);
  std::vector<ErrorDetail> details{{.path = "schema_version", .rule = "monotonic", .message = message}};
  return std::unexpected(Error(Code::kSchemaInvalid, std::move(message), std::move(details)));
}

Registry::Registry(fs::path directory, FileWriter::BeforeStep before_step)
    : directory_(std::move(directory)), files_(std::move(before_step)) {}

fs::path Registry::folder() const { return directory_ / "metadata" / "schemas"; }

fs::path Registry::catalogue_file() const { return directory_ / kCatalogueFile; }

Result<std::unique_ptr<Registry>> Registry::load(fs::path directory, FileWriter::BeforeStep before_step) {
  std::unique_ptr<Registry> registry(new Registry(std::move(directory), std::move(before_step)));
  DOLMEN_TRY_VOID(registry->read_all());
  return registry;
}

Result<void> Registry::read_all() {
  std::error_code error;
  if (fs::exists(catalogue_file(), error)) {
    DOLMEN_TRY(const std::string text, FileWriter::read(catalogue_file(), kCatalogueBytesMax));
    Result<Catalogue> read = read_catalogue(text);
    if (!read)
      return fail(Code::kCorruption, "the catalogue of schemas, {}, cannot be trusted: {}. {}",
                  catalogue_file().native(), read.error().message(), kPutBack);
    catalogue_ = std::move(*read);
  }
  DOLMEN_TRY(const std::vector<std::string> names, FileWriter::list(folder()));
  for (const std::string& name : names) {
    if (name.ends_with(kTemporary))
      leftovers_.push_back(name);
    else
      DOLMEN_TRY_VOID(check_name(name));
  }
  for (const auto& [ref, entry] : catalogue_) {
    if (!std::ranges::binary_search(names, file_name(ref))) {
      if (entry.publishing) continue;
      return fail(Code::kCorruption, "the schema file {} is missing, and {} was published. {}",
                  (folder() / file_name(ref)).native(), to_string(ref), kPutBack);
    }
    DOLMEN_TRY(PublishedSchema published, read_published(ref, entry));
    schemas_.emplace(ref, std::make_shared<const PublishedSchema>(std::move(published)));
  }
  return {};
}

/// Every file in the folder must be one that the catalogue knows.
Result<void> Registry::check_name(const std::string& name) const {
  const fs::path path = folder() / name;
  const std::optional<SchemaRef> ref = ref_of_file(name);
  if (ref && catalogue_.contains(*ref)) return {};
  const Result<std::string> text = FileWriter::read(path, limits::kSchemaBytes);
  const Result<Schema> declared = text ? parse_schema(*text, name) : std::unexpected(text.error());
  std::error_code error;
  if (declared && catalogue_.contains(declared->ref)) {
    const bool misnamed = !fs::exists(folder() / file_name(declared->ref), error);
    return fail(Code::kCorruption, "{} declares {}, {}", path.native(), to_string(declared->ref),
                misnamed ? fmt::format("so its name should be {}. Rename it", file_name(declared->ref))
                         : "which " + file_name(declared->ref) + " already holds. Move it out of that folder");
  }
  if (declared && !fs::exists(catalogue_file(), error))
    return fail(Code::kCorruption,
                "{} holds a schema, but {}, which lists all that were published, is missing. Restore it, from a backup "
                "if necessary; in a new store, move the schema out of that folder and publish it with 'dolmen "
                "schema publish'",
                path.native(), catalogue_file().native());
  if (declared && (!ref || declared->ref != *ref))
    return fail(Code::kCorruption,
                "{} declares {}, so its name should be {}. Move it out of that folder, and publish it with 'dolmen "
                "schema publish'",
                path.native(), to_string(declared->ref), file_name(declared->ref));
  return fail(Code::kCorruption,
              "{} is not a schema that was published here. Move it out of that folder; new schemas are published with "
              "'dolmen schema publish'",
              path.native());
}

Result<PublishedSchema> Registry::read_published(const SchemaRef& ref, const CatalogueEntry& entry) const {
  const fs::path path = folder() / file_name(ref);
  DOLMEN_TRY(std::string text, FileWriter::read(path, std::max<std::size_t>(limits::kSchemaBytes, entry.length)));
  const std::string hash = sha256(text);
  if (text.size() != entry.length || hash != entry.sha256)
    return fail(Code::kCorruption,
                "the schema file {} was changed after it was published: its {} bytes have the SHA-256 {}, and {} bytes "
                "with {} were published. {}; a change is published as a new version",
                path.native(), text.size(), hash, entry.length, entry.sha256, kPutBack);
  Result<Schema> schema = parse_schema(text, path.native());
  if (!schema)
    return fail(Code::kCorruption, "the schema file {} cannot be read: {}", path.native(), schema.error().message());
  if (schema->ref != ref)
    return fail(Code::kCorruption, "the schema file {} declares {}. {}", path.native(), to_string(schema->ref),
                kPutBack);
  return PublishedSchema{.schema = std::move(*schema), .text = std::move(text), .sha256 = entry.sha256};
}

Result<std::vector<std::string>> Registry::repair() {
  const std::scoped_lock lock(schemas_mutex_);
  std::vector<std::string> report;
  bool interrupted = false;
  for (auto at = catalogue_.begin(); at != catalogue_.end();) {
    if (!at->second.publishing) {
      ++at;
      continue;
    }
    interrupted = true;
    const bool arrived = schemas_.contains(at->first);
    report.push_back(fmt::format("the publication of {} was interrupted and is {}", to_string(at->first),
                                 arrived ? "completed" : "undone"));
    at->second.publishing = false;
    at = arrived ? std::next(at) : catalogue_.erase(at);
  }
  for (const std::string& name : leftovers_) DOLMEN_TRY_VOID(files_.remove(folder() / name));
  if (interrupted || !leftovers_.empty()) DOLMEN_TRY_VOID(files_.sync_folder(folder()));
  if (interrupted) DOLMEN_TRY_VOID(write_catalogue());
  leftovers_.clear();
  return report;
}

Result<void> Registry::check_new(const Schema& schema) const {
  const SchemaRef& ref = schema.ref;
  if (catalogue_.contains(ref)) return immutable(ref);
  for (const auto& [published, entry] : catalogue_) {
    const bool same_id = published.id == ref.id;
    if (!same_id && folded(published.id) == folded(ref.id)) return differs_in_case(ref, published);
    if (same_id && folded(published.version) == folded(ref.version)) return differs_in_case(ref, published);
  }
  for (const auto& [published, file] : schemas_) {
    const std::optional<std::int64_t> number = file->schema.version_number;
    if (published.id == ref.id && schema.version_number && number >= schema.version_number)
      return not_larger(ref, *number);
  }
  if (catalogue_.size() >= limits::kSchemas)
    return fail(Code::kLimitExceeded, "{} schemas are published, and no more are allowed", limits::kSchemas);
  return {};
}

Result<PublishedPointer> Registry::publish(std::string_view text, std::string_view given_name) {
  DOLMEN_TRY(Schema schema, parse_schema(text, given_name));
  const SchemaRef ref = schema.ref;
  const std::scoped_lock lock(schemas_mutex_);
  if (broken_) return std::unexpected(*broken_);
  DOLMEN_TRY_VOID(check_new(schema));

  const CatalogueEntry entry{.publishing = true, .length = text.size(), .sha256 = sha256(text)};
  const fs::path temporary = folder() / (file_name(ref) + std::string(kTemporary));
  DOLMEN_TRY_VOID(files_.make_folders(directory_, fs::path("metadata") / "schemas"));
  if (Result<void> written = files_.write(temporary, text); !written) {
    // Nothing knows of it yet.
    std::error_code ignored;
    fs::remove(temporary, ignored);
    return std::unexpected(std::move(written).error());
  }
  if (Result<void> published = publish_file(ref, entry); !published) {
    broken_ = Error(published.error().code(),
                    fmt::format("no more schemas can be published until the store is reopened, because the publication "
                                "of {} has failed: {}",
                                to_string(ref), published.error().message()));
    return std::unexpected(published.error());
  }
  auto made = std::make_shared<const PublishedSchema>(
      PublishedSchema{.schema = std::move(schema), .text = std::string(text), .sha256 = entry.sha256});
  schemas_.emplace(ref, made);
  return made;
}

Result<void> Registry::publish_file(const SchemaRef& ref, const CatalogueEntry& entry) {
  const fs::path path = folder() / file_name(ref);
  const fs::path temporary = path.native() + std::string(kTemporary);
  catalogue_.emplace(ref, entry);
  DOLMEN_TRY_VOID(write_catalogue());
  DOLMEN_TRY(const bool linked, files_.link(temporary, path));
  if (!linked)
    return fail(Code::kSchemaImmutable, "{} was created by another program and is not replaced", path.native());
  DOLMEN_TRY_VOID(files_.remove(temporary));
  DOLMEN_TRY_VOID(files_.sync_folder(folder()));
  catalogue_.at(ref).publishing = false;
  return write_catalogue();
}

Result<void> Registry::write_catalogue() const { return files_.replace(catalogue_file(), catalogue_text(catalogue_)); }

PublishedPointer Registry::find(const SchemaRef& ref) const {
  const std::scoped_lock lock(schemas_mutex_);
  const auto found = schemas_.find(ref);
  return found == schemas_.end() ? nullptr : found->second;
}

bool Registry::has_id(std::string_view id) const {
  const std::scoped_lock lock(schemas_mutex_);
  const auto found = schemas_.lower_bound(SchemaRef{.id = std::string(id), .version = ""});
  return found != schemas_.end() && found->first.id == id;
}

std::vector<PublishedPointer> Registry::list() const {
  const std::scoped_lock lock(schemas_mutex_);
  std::vector<PublishedPointer> all;
  for (const auto& [ref, published] : schemas_) all.push_back(published);
  return all;
}

}  // namespace dolmen::schema
