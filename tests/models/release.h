// Generated from release.yml; edit that file, not this.
// clang-format off
// By: dolmen model generate --lang cpp
// Source: sha256 3073b01bbdd4ef1fd70792c09a64748742a292b4f84595fa2246ab3b8aaeac25
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <dolmen/model/model.h>
#include <dolmen/model/table.h>

namespace acme::releases {

/// An item of the model "ReleaseActual" in the table "releases".
struct ReleaseActual {
  std::string pk;
  std::string sk;
  std::string status;
  std::optional<std::string> pinned_release_id;
  dolmen::AttributeValue provenance;  ///< stored as JSON
  dolmen::AttributeValue score;  ///< stored as JSON
  dolmen::AttributeValue notes;  ///< stored as JSON
  std::string created_at;  ///< filled in when the item is put
  std::string updated_at;  ///< filled in whenever the item is written
  std::int64_t version = 0;  ///< counts the updates

  friend bool operator==(const ReleaseActual&, const ReleaseActual&) = default;
};
DOLMEN_RECORD(ReleaseActual, (pk, "PK"), (sk, "SK"), status, (pinned_release_id, "pinnedReleaseId"), provenance, score,
              notes, (created_at, "createdAt"), (updated_at, "updatedAt"), version);

/// An item of the model "ReleaseEvent" in the table "releases".
struct ReleaseEvent {
  std::string pk;
  std::string sk;
  std::optional<std::string> event_type;
  std::optional<std::chrono::sys_seconds> ttl;

  friend bool operator==(const ReleaseEvent&, const ReleaseEvent&) = default;
};
DOLMEN_RECORD(ReleaseEvent, (pk, "PK"), (sk, "SK"), (event_type, "eventType"), (ttl, as_seconds));

namespace models {

/// The model of ReleaseActual.
inline const dolmen::Model& release_actual() {
  static const dolmen::Model model{
      .name = "ReleaseActual",
      .table = "releases",
      .naming = dolmen::NamingConvention::kCamelCase,
      .partition_key = dolmen::KeyAttribute{"PK", dolmen::KeyType::kString},
      .sort_key = dolmen::KeyAttribute{"SK", dolmen::KeyType::kString},
      .attributes = {
          {.name = "PK", .type = dolmen::Type::kString, .required = true, .roles = {{.role = dolmen::Role::kPartitionKey}}},
          {.name = "SK", .type = dolmen::Type::kString, .required = true, .roles = {{.role = dolmen::Role::kSortKey}}},
          {.name = "status", .type = dolmen::Type::kString, .required = true},
          {.name = "pinnedReleaseId", .type = dolmen::Type::kString, .optional = true, .omit_empty = true},
          {.name = "provenance", .type = dolmen::Type::kMap, .optional = true, .omit_empty = true, .json = true, .tags = dolmen::LogicalItem{{"audit", dolmen::LogicalValue(dolmen::LogicalItem{{"level", dolmen::LogicalValue(dolmen::LogicalNumber{"2"})}})}}},
          {.name = "score", .type = dolmen::Type::kNumber, .optional = true, .json = true},
          {.name = "notes", .type = dolmen::Type::kString, .optional = true, .json = true},
          {.name = "createdAt", .type = dolmen::Type::kString, .roles = {{.role = dolmen::Role::kCreatedAt}}, .format = dolmen::AttributeFormat::kRfc3339Nano},
          {.name = "updatedAt", .type = dolmen::Type::kString, .roles = {{.role = dolmen::Role::kUpdatedAt}}, .format = dolmen::AttributeFormat::kRfc3339Nano},
          {.name = "version", .type = dolmen::Type::kNumber, .roles = {{.role = dolmen::Role::kVersion}}, .format = dolmen::AttributeFormat::kInt},
      },
      .write_policy = {.mode = dolmen::WriteMode::kMutable, .protected_attributes = std::vector<std::string>({"pinnedReleaseId"})},
      .dms_version = dolmen::DmsVersion::k0_2,
  };
  return model;
}

/// The key of a ReleaseActual.
inline dolmen::ModelKey release_actual_key(const std::string& pk, const std::string& sk) {
  return {.partition = dolmen::LogicalValue(pk), .sort = dolmen::LogicalValue(sk)};
}

/// The model of ReleaseEvent.
inline const dolmen::Model& release_event() {
  static const dolmen::Model model{
      .name = "ReleaseEvent",
      .table = "releases",
      .naming = dolmen::NamingConvention::kDynamorm,
      .partition_key = dolmen::KeyAttribute{"PK", dolmen::KeyType::kString},
      .sort_key = dolmen::KeyAttribute{"SK", dolmen::KeyType::kString},
      .attributes = {
          {.name = "PK", .type = dolmen::Type::kString, .required = true, .roles = {{.role = dolmen::Role::kPartitionKey}}},
          {.name = "SK", .type = dolmen::Type::kString, .required = true, .roles = {{.role = dolmen::Role::kSortKey}}},
          {.name = "eventType", .type = dolmen::Type::kString, .optional = true, .omit_empty = true},
          {.name = "ttl", .type = dolmen::Type::kNumber, .optional = true, .omit_empty = true, .roles = {{.role = dolmen::Role::kTtl}}, .format = dolmen::AttributeFormat::kUnixSeconds},
      },
      .write_policy = {.mode = dolmen::WriteMode::kWriteOnce, .protected_attributes = std::vector<std::string>({})},
      .dms_version = dolmen::DmsVersion::k0_2,
  };
  return model;
}

/// The key of a ReleaseEvent.
inline dolmen::ModelKey release_event_key(const std::string& pk, const std::string& sk) {
  return {.partition = dolmen::LogicalValue(pk), .sort = dolmen::LogicalValue(sk)};
}

}  // namespace models

}  // namespace acme::releases
