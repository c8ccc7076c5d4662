// Generated from sample.yml; edit that file, not this.
// clang-format off
// By: dolmen model generate --lang cpp --namespace contract
// Source: sha256 7ab14f230363421e838edbba08913f1c1f59331fa100cafc79656f4e5a3cf08a
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <variant>
#include <vector>

#include <dolmen/model/model.h>
#include <dolmen/model/table.h>

namespace contract {

/// An item of the model "Sample" in the table "samples".
struct Sample {
  std::string pk;
  dolmen::Number sk;
  std::string text;
  dolmen::Number number;
  bool flag = false;
  dolmen::Bytes blob;
  std::monostate nothing;
  dolmen::List list;
  dolmen::Item map;
  std::set<std::string> strings;
  std::set<dolmen::Number> numbers;
  std::set<dolmen::Bytes> blobs;
  dolmen::AttributeValue json;  ///< stored as JSON
  std::string text_or_not;
  dolmen::Number number_or_not;
  bool flag_or_not = false;
  dolmen::Bytes blob_or_not;
  dolmen::List list_or_not;
  dolmen::Item map_or_not;
  std::set<std::string> strings_or_not;
  dolmen::AttributeValue json_or_not;  ///< stored as JSON
  std::optional<std::string> moment;  ///< a time in RFC 3339 format
  std::chrono::sys_seconds seconds{};
  std::int64_t whole = 0;
  dolmen::Number exact;
  std::optional<std::array<float, 3>> vector;  ///< a vector of 3 numbers
  std::optional<std::chrono::sys_seconds> expires;
  std::optional<std::string> group;
  std::optional<dolmen::Number> rank;
  std::string secret_text;  ///< encrypted
  dolmen::Number secret_number;  ///< encrypted
  bool secret_flag = false;  ///< encrypted
  dolmen::Bytes secret_blob;  ///< encrypted
  dolmen::List secret_list;  ///< encrypted
  dolmen::Item secret_map;  ///< encrypted
  std::set<std::string> secret_strings;  ///< encrypted
  std::set<dolmen::Number> secret_numbers;  ///< encrypted
  std::set<dolmen::Bytes> secret_blobs;  ///< encrypted
  dolmen::AttributeValue secret_json;  ///< stored as JSON, encrypted
  std::string secret_or_not;  ///< encrypted
  std::string created_at;  ///< filled in when the item is put
  std::string updated_at;  ///< filled in whenever the item is written
  std::int64_t version = 0;  ///< counts the updates

  friend bool operator==(const Sample&, const Sample&) = default;
};
DOLMEN_RECORD(Sample, (pk, "PK"), (sk, "SK"), text, number, flag, blob, nothing, list, map, strings, numbers, blobs,
              json, (text_or_not, "textOrNot"), (number_or_not, "numberOrNot"), (flag_or_not, "flagOrNot"),
              (blob_or_not, "blobOrNot"), (list_or_not, "listOrNot"), (map_or_not, "mapOrNot"),
              (strings_or_not, "stringsOrNot"), (json_or_not, "jsonOrNot"), moment, (seconds, as_seconds), whole,
              exact, vector, (expires, as_seconds), group, rank, (secret_text, "secretText"),
              (secret_number, "secretNumber"), (secret_flag, "secretFlag"), (secret_blob, "secretBlob"),
              (secret_list, "secretList"), (secret_map, "secretMap"), (secret_strings, "secretStrings"),
              (secret_numbers, "secretNumbers"), (secret_blobs, "secretBlobs"), (secret_json, "secretJson"),
              (secret_or_not, "secretOrNot"), (created_at, "createdAt"), (updated_at, "updatedAt"), version);

/// An item of the model "Reserved" in the table "reserved".
struct Reserved {
  std::string name;
  std::string status;
  dolmen::Number size;
  dolmen::List values;
  dolmen::Number count;
  std::string updated_at;  ///< filled in whenever the item is written

  friend bool operator==(const Reserved&, const Reserved&) = default;
};
DOLMEN_RECORD(Reserved, name, status, size, values, count, updated_at);

namespace models {

/// The model of Sample.
inline const dolmen::Model& sample() {
  static const dolmen::Model model{
      .name = "Sample",
      .table = "samples",
      .naming = dolmen::NamingConvention::kCamelCase,
      .partition_key = dolmen::KeyAttribute{"PK", dolmen::KeyType::kString},
      .sort_key = dolmen::KeyAttribute{"SK", dolmen::KeyType::kNumber},
      .attributes = {
          {.name = "PK", .type = dolmen::Type::kString, .required = true, .roles = {{.role = dolmen::Role::kPartitionKey}}},
          {.name = "SK", .type = dolmen::Type::kNumber, .required = true, .roles = {{.role = dolmen::Role::kSortKey}}},
          {.name = "text", .type = dolmen::Type::kString},
          {.name = "number", .type = dolmen::Type::kNumber},
          {.name = "flag", .type = dolmen::Type::kBool},
          {.name = "blob", .type = dolmen::Type::kBinary, .binary = true},
          {.name = "nothing", .type = dolmen::Type::kNull},
          {.name = "list", .type = dolmen::Type::kList},
          {.name = "map", .type = dolmen::Type::kMap},
          {.name = "strings", .type = dolmen::Type::kStringSet},
          {.name = "numbers", .type = dolmen::Type::kNumberSet},
          {.name = "blobs", .type = dolmen::Type::kBinarySet},
          {.name = "json", .type = dolmen::Type::kString, .json = true},
          {.name = "textOrNot", .type = dolmen::Type::kString, .omit_empty = true},
          {.name = "numberOrNot", .type = dolmen::Type::kNumber, .omit_empty = true},
          {.name = "flagOrNot", .type = dolmen::Type::kBool, .omit_empty = true},
          {.name = "blobOrNot", .type = dolmen::Type::kBinary, .omit_empty = true},
          {.name = "listOrNot", .type = dolmen::Type::kList, .omit_empty = true},
          {.name = "mapOrNot", .type = dolmen::Type::kMap, .omit_empty = true},
          {.name = "stringsOrNot", .type = dolmen::Type::kStringSet, .omit_empty = true},
          {.name = "jsonOrNot", .type = dolmen::Type::kString, .omit_empty = true, .json = true},
          {.name = "moment", .type = dolmen::Type::kString, .format = dolmen::AttributeFormat::kRfc3339Nano},
          {.name = "seconds", .type = dolmen::Type::kNumber, .format = dolmen::AttributeFormat::kUnixSeconds},
          {.name = "whole", .type = dolmen::Type::kNumber, .format = dolmen::AttributeFormat::kInt},
          {.name = "exact", .type = dolmen::Type::kNumber, .format = dolmen::AttributeFormat::kDecimalString},
          {.name = "vector", .type = dolmen::Type::kList, .format = dolmen::AttributeFormat::kVector, .dimensions = 3},
          {.name = "expires", .type = dolmen::Type::kNumber, .omit_empty = true, .roles = {{.role = dolmen::Role::kTtl}}, .format = dolmen::AttributeFormat::kUnixSeconds},
          {.name = "group", .type = dolmen::Type::kString, .roles = {{.role = dolmen::Role::kIndexPartitionKey, .index = "by-group"}}},
          {.name = "rank", .type = dolmen::Type::kNumber, .roles = {{.role = dolmen::Role::kIndexSortKey, .index = "by-group"}, {.role = dolmen::Role::kIndexSortKey, .index = "by-rank"}}},
          {.name = "secretText", .type = dolmen::Type::kString, .encrypted = true},
          {.name = "secretNumber", .type = dolmen::Type::kNumber, .encrypted = true},
          {.name = "secretFlag", .type = dolmen::Type::kBool, .encrypted = true},
          {.name = "secretBlob", .type = dolmen::Type::kBinary, .encrypted = true},
          {.name = "secretList", .type = dolmen::Type::kList, .encrypted = true},
          {.name = "secretMap", .type = dolmen::Type::kMap, .encrypted = true},
          {.name = "secretStrings", .type = dolmen::Type::kStringSet, .encrypted = true},
          {.name = "secretNumbers", .type = dolmen::Type::kNumberSet, .encrypted = true},
          {.name = "secretBlobs", .type = dolmen::Type::kBinarySet, .encrypted = true},
          {.name = "secretJson", .type = dolmen::Type::kString, .json = true, .encrypted = true},
          {.name = "secretOrNot", .type = dolmen::Type::kString, .omit_empty = true, .encrypted = true},
          {.name = "createdAt", .type = dolmen::Type::kString, .roles = {{.role = dolmen::Role::kCreatedAt}}, .format = dolmen::AttributeFormat::kRfc3339Nano},
          {.name = "updatedAt", .type = dolmen::Type::kString, .roles = {{.role = dolmen::Role::kUpdatedAt}}, .format = dolmen::AttributeFormat::kRfc3339Nano},
          {.name = "version", .type = dolmen::Type::kNumber, .roles = {{.role = dolmen::Role::kVersion}}, .format = dolmen::AttributeFormat::kInt},
      },
      .indexes = {
          {.name = "by-group", .type = dolmen::IndexType::kGlobal, .partition_key = dolmen::KeyAttribute{"group", dolmen::KeyType::kString}, .sort_key = dolmen::KeyAttribute{"rank", dolmen::KeyType::kNumber}, .projection = dolmen::ProjectionType::kInclude, .included_attributes = std::vector<std::string>({"text"})},
          {.name = "by-rank", .type = dolmen::IndexType::kLocal, .partition_key = dolmen::KeyAttribute{"PK", dolmen::KeyType::kString}, .sort_key = dolmen::KeyAttribute{"rank", dolmen::KeyType::kNumber}, .projection = dolmen::ProjectionType::kKeysOnly},
      },
  };
  return model;
}

/// The key of a Sample.
inline dolmen::ModelKey sample_key(const std::string& pk, const dolmen::Number& sk) {
  return {.partition = dolmen::LogicalValue(pk), .sort = dolmen::LogicalValue(sk)};
}

/// An index of Sample.
inline constexpr const char* sample_index_by_group = "by-group";

/// An index of Sample.
inline constexpr const char* sample_index_by_rank = "by-rank";

/// The model of Reserved.
inline const dolmen::Model& reserved() {
  static const dolmen::Model model{
      .name = "Reserved",
      .table = "reserved",
      .naming = dolmen::NamingConvention::kSnakeCase,
      .partition_key = dolmen::KeyAttribute{"name", dolmen::KeyType::kString},
      .attributes = {
          {.name = "name", .type = dolmen::Type::kString, .required = true, .roles = {{.role = dolmen::Role::kPartitionKey}}},
          {.name = "status", .type = dolmen::Type::kString, .required = true},
          {.name = "size", .type = dolmen::Type::kNumber},
          {.name = "values", .type = dolmen::Type::kList},
          {.name = "count", .type = dolmen::Type::kNumber},
          {.name = "updated_at", .type = dolmen::Type::kString, .roles = {{.role = dolmen::Role::kUpdatedAt}}},
      },
  };
  return model;
}

/// The key of a Reserved.
inline dolmen::ModelKey reserved_key(const std::string& name) {
  return {.partition = dolmen::LogicalValue(name)};
}

}  // namespace models

}  // namespace contract
