#include "relation/bound_types.h"

#include "base/clock.h"
#include "base/fail.h"
#include "dolmen/relation/relations.h"
#include "relation/records.h"

namespace dolmen {
namespace relation {
namespace {

constexpr const char* kTypesType = "Dolmen.ResourceTypes";
constexpr const char* kTypesUrn = "urn:dolmen:Dolmen.ResourceTypes::bound";

}  // namespace

Result<std::optional<std::string>> bound_text(Store& store, const std::string& table) {
  DOLMEN_TRY(const GetResult found, store.get_item(table, resource_key(kTypesUrn)));
  if (!found.item) return std::nullopt;
  return text_of(*found.item, "text");
}

Result<void> bind_text(Store& store, const std::string& table, std::string_view text, const std::string& time) {
  Row row{.urn = kTypesUrn, .type = kTypesType, .id = "bound", .created_at = time, .updated_at = time};
  row.attributes.set("text", text);
  DOLMEN_TRY_VOID(store.put_item(table, resource_record(row)));
  return {};
}

}  // namespace relation

Result<void> Relations::bind_types(Store& store, const std::string& table, std::string_view text,
                                   std::string_view file_name) {
  DOLMEN_TRY_VOID(relation::parse_bound(text, file_name));
  DOLMEN_TRY_VOID(ensure_table(store, definition(table)));
  return relation::bind_text(store, table, text, relation::time_text(Timestamp::from(system_clock().now())));
}

Result<std::optional<ResourceTypes>> Relations::bound_types(Store& store, const std::string& table) {
  DOLMEN_TRY(const std::optional<std::string> text, relation::bound_text(store, table));
  if (!text) return std::nullopt;
  DOLMEN_TRY(ResourceTypes types, relation::parse_bound(*text, table));
  return types;
}

}  // namespace dolmen
