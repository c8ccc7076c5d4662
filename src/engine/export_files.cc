#include "engine/export_files.h"

#include <fmt/format.h>

#include "base/hash.h"
#include "dolmen/timestamp.h"
#include "value/json.h"

namespace dolmen::engine::export_files {
namespace {

std::string folder_of(const ExportTableRequest& asked) {
  std::string prefix = asked.to.prefix.value_or("");
  if (prefix.ends_with('/')) prefix.pop_back();
  return prefix.empty() ? "AWSDynamoDB/" : prefix + "/AWSDynamoDB/";
}

/// With milliseconds.
std::string iso_time(TableTime time) {
  const Result<std::string> text = format_timestamp(Timestamp::from(time));
  return text ? text->substr(0, std::string_view("2026-11-16T10:20:30.123").size()).append("Z") : "";
}

/// A member of an object, with the comma before it.
void add_json(std::string& out, std::string_view name, std::string_view json) {
  if (out.size() > 1) out.push_back(',');
  json::append_string(out, name);
  out.append(":").append(json);
}

void add_text(std::string& out, std::string_view name, const std::optional<std::string>& text) {
  std::string json = "null";
  if (text) {
    json.clear();
    json::append_string(json, *text);
  }
  add_json(out, name, json);
}

}  // namespace

std::string key_of(const transfers::ExportJob& job, std::string_view name) {
  return folder_of(job.described.asked).append(job.id).append("/").append(name);
}

std::string data_key(const transfers::ExportJob& job, std::uint64_t number) {
  constexpr std::string_view kLetters = "abcdefghijklmnopqrstuvwxyz234567";
  constexpr int kLettersOfHash = 13;
  std::string name;
  for (const std::string_view half : {"a", "b"}) {
    std::uint64_t hash = hash64(fmt::format("{}{}/{}", half, job.id, number));
    for (int i = 0; i < kLettersOfHash; ++i, hash >>= 5) name.push_back(kLetters[hash % kLetters.size()]);
  }
  const ExportTableRequest& asked = job.described.asked;
  name += asked.format == ItemFormat::kIon ? ".ion.gz" : ".json.gz";
  return asked.window ? folder_of(asked) + "data/" + name : key_of(job, "data/" + name);
}

std::string file_lines(std::span<const transfers::ExportFile> files) {
  std::string lines;
  for (const transfers::ExportFile& file : files) {
    std::string line = "{";
    add_json(line, "itemCount", std::to_string(file.items));
    add_text(line, "md5Checksum", file.md5_base64);
    add_text(line, "etag", file.etag);
    add_text(line, "dataFileS3Key", file.key);
    lines.append(line).append("}\n");
  }
  return lines;
}

std::string summary(const transfers::ExportJob& job) {
  const ExportDescription& described = job.described;
  const ExportTableRequest& asked = described.asked;
  std::string out = "{";
  // Exports of the whole table still have the version from before there were others.
  add_text(out, "version", asked.window ? "2023-08-01" : "2020-06-30");
  add_text(out, "exportArn", described.arn);
  add_text(out, "startTime", iso_time(described.started));
  add_text(out, "endTime", iso_time(described.ended.value_or(described.started)));
  add_text(out, "tableArn", asked.table_arn);
  add_text(out, "tableId", described.table_id);
  if (asked.window) {
    add_text(out, "exportFromTime", iso_time(asked.window->from.value_or(described.started)));
    add_text(out, "exportToTime", iso_time(asked.window->to.value_or(described.started)));
  } else {
    add_text(out, "exportTime", iso_time(asked.time.value_or(described.started)));
  }
  add_text(out, "s3Bucket", asked.to.bucket);
  add_text(out, "s3Prefix", asked.to.prefix);
  add_text(out, "s3SseAlgorithm", asked.encryption.algorithm.value_or("AES256"));
  add_text(out, "s3SseKmsKeyId", asked.encryption.kms_key);
  add_text(out, "manifestFilesS3Key", key_of(job, "manifest-files.json"));
  add_json(out, "billedSizeBytes", std::to_string(described.billed_bytes.value_or(0)));
  add_json(out, "itemCount", std::to_string(described.items.value_or(0)));
  add_text(out, "outputFormat", std::string(item_format_name(asked.format)));
  if (asked.window) {
    add_text(out, "outputView", asked.window->old_images ? "NEW_AND_OLD_IMAGES" : "NEW_IMAGE");
    add_text(out, "exportType", "INCREMENTAL_EXPORT");
  }
  return out + "}";
}

}  // namespace dolmen::engine::export_files
