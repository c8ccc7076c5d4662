#include "server/top_keys.h"

#include <vector>

#include "base/fail.h"
#include "protocol/object_view.h"
#include "protocol/object_writer.h"
#include "service/table_insights.h"
#include "value/json.h"

namespace dolmen {
namespace {

Result<void> append_top_keys(ObjectWriter& object, std::string_view name, const std::vector<TopKey>& keys) {
  Result<void> appended;
  object.objects(name, keys, [&](ObjectWriter& written, const TopKey& key) {
    if (Result<void> one = json::append_item(written.member("Key"), key.key.bytes); !one) appended = std::move(one);
    written.number("Count", key.count).number("ErrorMax", key.error_max);
  });
  return appended;
}

}  // namespace

Result<std::string> describe_top_keys(const Store& store, std::string_view body) {
  DOLMEN_TRY(const ObjectView request, ObjectView::request(body, {"TableName", "IndexName"}));
  DOLMEN_TRY(const std::string table, request.text("TableName"));
  DOLMEN_TRY(const std::optional<std::string> index, request.optional_text("IndexName"));
  const TableInsights* tables = store.companions().find<TableInsights>();
  if (tables == nullptr) return fail(Code::kUnsupported, "this store does not count keys");
  DOLMEN_TRY(const TopKeys top, tables->top_keys(table, index));
  std::string out;
  ObjectWriter object(out);
  object.text("TableName", table);
  if (index) object.text("IndexName", *index);
  object.number("Total", top.total);
  DOLMEN_TRY_VOID(append_top_keys(object, "PartitionKeys", top.partition_keys));
  DOLMEN_TRY_VOID(append_top_keys(object, "Keys", top.whole_keys));
  object.end();
  return out;
}

}  // namespace dolmen
