#include "document/published.h"

#include <algorithm>

#include "base/fail.h"
#include "document/layout.h"
#include "schema/digest.h"
#include "value/item_text.h"

namespace dolmen::document {
namespace {

constexpr std::uint32_t kSchemasPerPage = 100;

/// Calls `use(row)` for every schema's row.
template <class Use>
Result<void> for_each_row(const Rows& rows, Use use) {
  RowRange range{.partition = kSchemasPartition,
                 .lower = std::string(kFirst),
                 .upper = std::string(kLast),
                 .limit = kSchemasPerPage};
  for (;;) {
    DOLMEN_TRY(const RowPage page, rows.range(range));
    for (const Row& row : page.rows) DOLMEN_TRY_VOID(use(row));
    if (!page.more) return {};
    range.after = page.rows.back().sort;
  }
}

}  // namespace

void Published::remember(const schema::PublishedPointer& published) {
  const std::scoped_lock lock(known_mutex_);
  known_.insert_or_assign(published->schema.ref, published);
}

Result<void> Published::check() {
  if (files_ == nullptr) return {};
  std::vector<SchemaRef> seen;
  DOLMEN_TRY_VOID(for_each_row(rows_, [&](const Row& row) { return check_row(row, seen); }));
  for (const schema::PublishedPointer& published : files_->list())
    if (std::ranges::find(seen, published->schema.ref) == seen.end()) DOLMEN_TRY_VOID(add_row(*published));
  return {};
}

Result<void> Published::check_row(const Row& row, std::vector<SchemaRef>& seen) {
  const std::size_t slash = row.sort.find('/');
  const SchemaRef ref{.id = row.sort.substr(0, slash),
                      .version = slash == std::string::npos ? "" : row.sort.substr(slash + 1)};
  const schema::PublishedPointer file = files_->find(ref);
  if (file == nullptr || file->sha256 != text_of(row.attributes, "sha256"))
    return fail(
        Code::kCorruption,
        "the store was used with the schema {}, and {}. Restore metadata/schemas and the file SCHEMAS, for example "
        "from a backup",
        to_string(ref), file == nullptr ? "its schema file is gone" : "its schema file has changed");
  seen.push_back(ref);
  return {};
}

Result<RowChange> Published::claim_id(const Schema& schema) {
  const SchemaRef& ref = schema.ref;
  RowChange claim{.key = id_name_row(ref),
                  .attributes = {{"id", ref.id}},
                  .condition = "attribute_not_exists(pk) OR id = :id",
                  .values = {{":id", ref.id}}};
  if (files_ != nullptr) return claim;
  DOLMEN_TRY(const std::optional<Item> row, rows_.get(claim.key));
  const AttributeValue* stored = row ? row->find("newest") : nullptr;
  const Number* number = stored == nullptr ? nullptr : stored->get_if<Number>();
  const std::optional<std::int64_t> newest = number == nullptr ? std::nullopt : number->to_int64();
  if (schema.version_number && newest >= schema.version_number) return schema::not_larger(ref, *newest);
  if (schema.version_number || newest)
    claim.attributes.set("newest", schema.version_number.value_or(newest.value_or(0)));
  claim.condition =
      newest ? "id = :id AND newest = :n" : "attribute_not_exists(pk) OR (id = :id AND attribute_not_exists(newest))";
  if (newest) claim.values.set(":n", *newest);
  return claim;
}

Result<void> Published::add_row(const schema::PublishedSchema& published) {
  const SchemaRef& ref = published.schema.ref;
  Item row{{"sha256", published.sha256}};
  if (files_ == nullptr) row.set("text", published.text);
  Patience patience = rows_.patience();
  do {
    DOLMEN_TRY(const std::optional<Item> there, rows_.get(schema_row(ref)));
    if (there) return schema::immutable(ref);
    DOLMEN_TRY(RowChange claim, claim_id(published.schema));
    const std::vector<RowChange> changes = {
        {.key = schema_row(ref), .attributes = row, .condition = "attribute_not_exists(pk)"},
        std::move(claim),
        {.key = version_name_row(ref),
         .attributes = {{"version", ref.version}},
         .condition = "attribute_not_exists(pk)"}};
    DOLMEN_TRY(const std::vector<std::size_t> failed, rows_.write(changes, ref));
    if (failed.empty()) return {};
    if (failed.front() == 0) return schema::immutable(ref);
    DOLMEN_TRY(const auto name, rows_.get(changes[failed.front()].key));
    if (name && failed.front() == 2)
      return schema::differs_in_case(ref, {.id = ref.id, .version = text_of(*name, "version")});
    if (name && text_of(*name, "id") != ref.id)
      return schema::differs_in_case(ref, {.id = text_of(*name, "id"), .version = ref.version});
    // Another version of the id was published in between.
  } while (patience.pause());
  return fail(Code::kTransactionConflict, "others keep publishing versions of {}; try again", ref.id);
}

Result<schema::PublishedPointer> Published::publish(std::string_view text, std::string_view file_name) {
  if (files_ != nullptr) {
    DOLMEN_TRY(schema::PublishedPointer published, files_->publish(text, file_name));
    DOLMEN_TRY_VOID(add_row(*published));
    return published;
  }
  DOLMEN_TRY(Schema parsed, parse_schema(text, file_name));
  auto published = std::make_shared<const schema::PublishedSchema>(
      schema::PublishedSchema{.schema = std::move(parsed), .text = std::string(text), .sha256 = schema::sha256(text)});
  DOLMEN_TRY_VOID(add_row(*published));
  remember(published);
  return published;
}

Result<schema::PublishedPointer> Published::read_row(const Item& row, const std::string& name) {
  std::string text = text_of(row, "text");
  if (schema::sha256(text) != text_of(row, "sha256"))
    return fail(Code::kCorruption, "the published schema {} was changed in its table; restore the published text",
                name);
  DOLMEN_TRY(Schema parsed, parse_schema(text, name));
  std::string hash = schema::sha256(text);
  auto published = std::make_shared<const schema::PublishedSchema>(
      schema::PublishedSchema{.schema = std::move(parsed), .text = std::move(text), .sha256 = std::move(hash)});
  remember(published);
  return published;
}

Result<bool> Published::has_id(const SchemaRef& ref) {
  if (files_ != nullptr) return files_->has_id(ref.id);
  DOLMEN_TRY(const auto name, rows_.get(id_name_row(ref)));
  return name && text_of(*name, "id") == ref.id;
}

Result<schema::PublishedPointer> Published::find(const SchemaRef& ref) {
  if (ref.id.empty()) return fail(Code::kSchemaRequired, "schema_id: name the schema that the documents belong to");
  if (ref.version.empty())
    return fail(Code::kSchemaRequired, "schema_version: name the version of {}; there is no default", ref.id);
  if (files_ != nullptr) {
    if (schema::PublishedPointer file = files_->find(ref)) return file;
  } else {
    {
      const std::scoped_lock lock(known_mutex_);
      if (const auto found = known_.find(ref); found != known_.end()) return found->second;
    }
    // Names that no schema can have are not looked up: they would name other rows, or could not be keys.
    const bool possible = ref.id.find('/') == std::string::npos && ref.version.find('/') == std::string::npos;
    if (possible) {
      DOLMEN_TRY(const auto row, rows_.get(schema_row(ref)));
      if (row) return read_row(*row, to_string(ref));
    }
  }
  DOLMEN_TRY(const bool known_id, has_id(ref));
  if (!known_id) return fail(Code::kUnknownSchema, "the schema {} does not exist; publish it first", ref.id);
  return fail(Code::kUnknownSchemaVersion, "{} has no version {}; publish it first, or name one that is published",
              ref.id, ref.version);
}

Result<std::vector<schema::PublishedPointer>> Published::list() {
  if (files_ != nullptr) return files_->list();
  std::vector<schema::PublishedPointer> all;
  const auto add = [&](const Row& row) -> Result<void> {
    DOLMEN_TRY(schema::PublishedPointer published, read_row(row.attributes, row.sort));
    all.push_back(std::move(published));
    return {};
  };
  DOLMEN_TRY_VOID(for_each_row(rows_, add));
  std::ranges::sort(all, {}, [](const schema::PublishedPointer& published) { return published->schema.ref; });
  return all;
}

}  // namespace dolmen::document
