// UpdateTimeToLive and DescribeTimeToLive as JSON.
#include "protocol/object_writer.h"
#include "remote/json_fields.h"
#include "remote/request_json.h"
#include "remote/response_reader.h"

namespace dolmen::remote {
namespace {

Result<TimeToLiveStatus> read_status(std::string_view name) {
  for (const TimeToLiveStatus status : {TimeToLiveStatus::kDisabled, TimeToLiveStatus::kEnabling,
                                        TimeToLiveStatus::kEnabled, TimeToLiveStatus::kDisabling})
    if (time_to_live_status_name(status) == name) return status;
  return unexpected_response("TimeToLiveStatus");
}

}  // namespace

Result<std::string> request_body(const UpdateTimeToLiveRequest& request) {
  return object_text([&](ObjectWriter& object) {
    object.text("TableName", request.table);
    ObjectWriter set(object.member("TimeToLiveSpecification"));
    set.text("AttributeName", request.change.attribute).flag("Enabled", request.change.enabled);
    set.end();
  });
}

Result<std::string> request_body(const DescribeTimeToLiveRequest& request) {
  return object_text([&](ObjectWriter& object) { object.text("TableName", request.table); });
}

Result<TimeToLiveChange> read_response(UpdateTimeToLive /*operation*/, std::string_view body,
                                       const UpdateTimeToLiveRequest& /*asked*/) {
  Document document;
  DOLMEN_TRY(const Fields fields, document.parse(body));
  DOLMEN_TRY(const json::Object specification, fields.required<json::Object>("TimeToLiveSpecification"));
  const Fields set(specification);
  DOLMEN_TRY(const std::string_view attribute, set.required<std::string_view>("AttributeName"));
  DOLMEN_TRY(const bool enabled, set.required<bool>("Enabled"));
  return TimeToLiveChange{.attribute = std::string(attribute), .enabled = enabled};
}

Result<TimeToLive> read_response(DescribeTimeToLive /*operation*/, std::string_view body,
                                 const DescribeTimeToLiveRequest& /*asked*/) {
  Document document;
  DOLMEN_TRY(const Fields fields, document.parse(body));
  DOLMEN_TRY(const json::Object description_object, fields.required<json::Object>("TimeToLiveDescription"));
  const Fields described(description_object);
  DOLMEN_TRY(const std::string_view status, described.required<std::string_view>("TimeToLiveStatus"));
  DOLMEN_TRY(const std::optional<std::string_view> attribute, described.optional<std::string_view>("AttributeName"));
  TimeToLive description;
  DOLMEN_TRY(description.status, read_status(status));
  if (attribute) description.attribute = *attribute;
  return description;
}

}  // namespace dolmen::remote
