// Generated from user.yml; edit that file, not this.
// clang-format off
// By: dolmen model generate --lang cpp
// Source: sha256 1a8a14104e3cf33118b1090dde5b827ee4f388f8874d40b855959ac5a2c30b91
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include <dolmen/model/model.h>
#include <dolmen/model/table.h>

namespace acme::accounts {

/// An item of the model "User" in the table "users".
struct User {
  std::string pk;
  std::string sk;
  std::optional<std::string> email_hash;
  std::optional<std::string> nickname;
  std::set<std::string> tags;
  dolmen::AttributeValue settings;  ///< stored as JSON
  std::optional<dolmen::Bytes> avatar;
  std::optional<std::string> phone;  ///< encrypted
  std::string created_at;  ///< filled in when the item is put
  std::string updated_at;  ///< filled in whenever the item is written
  std::int64_t version = 0;  ///< counts the updates
  std::optional<std::chrono::sys_seconds> ttl;

  friend bool operator==(const User&, const User&) = default;
};
DOLMEN_RECORD(User, (pk, "PK"), (sk, "SK"), (email_hash, "emailHash"), nickname, tags, settings, avatar, phone,
              (created_at, "createdAt"), (updated_at, "updatedAt"), version, (ttl, as_seconds));

/// An item of the model "PageMetadata" in the table "pages".
struct PageMetadata {
  std::string pk;
  std::string s3_key;
  dolmen::Number generated_at;

  friend bool operator==(const PageMetadata&, const PageMetadata&) = default;
};
DOLMEN_RECORD(PageMetadata, pk, s3_key, generated_at);

namespace models {

/// The model of User.
inline const dolmen::Model& user() {
  static const dolmen::Model model{
      .name = "User",
      .table = "users",
      .naming = dolmen::NamingConvention::kCamelCase,
      .partition_key = dolmen::KeyAttribute{"PK", dolmen::KeyType::kString},
      .sort_key = dolmen::KeyAttribute{"SK", dolmen::KeyType::kString},
      .attributes = {
          {.name = "PK", .type = dolmen::Type::kString, .required = true, .roles = {{.role = dolmen::Role::kPartitionKey}}},
          {.name = "SK", .type = dolmen::Type::kString, .required = true, .roles = {{.role = dolmen::Role::kSortKey}}},
          {.name = "emailHash", .type = dolmen::Type::kString, .optional = true, .omit_empty = true, .roles = {{.role = dolmen::Role::kIndexPartitionKey, .index = "gsi-email"}}},
          {.name = "nickname", .type = dolmen::Type::kString, .optional = true, .omit_empty = true},
          {.name = "tags", .type = dolmen::Type::kStringSet, .optional = true, .omit_empty = true},
          {.name = "settings", .type = dolmen::Type::kString, .optional = true, .json = true},
          {.name = "avatar", .type = dolmen::Type::kBinary, .optional = true, .binary = true},
          {.name = "phone", .type = dolmen::Type::kString, .optional = true, .encrypted = true},
          {.name = "createdAt", .type = dolmen::Type::kString, .roles = {{.role = dolmen::Role::kCreatedAt}}, .format = dolmen::AttributeFormat::kRfc3339Nano},
          {.name = "updatedAt", .type = dolmen::Type::kString, .roles = {{.role = dolmen::Role::kUpdatedAt}}, .format = dolmen::AttributeFormat::kRfc3339Nano},
          {.name = "version", .type = dolmen::Type::kNumber, .roles = {{.role = dolmen::Role::kVersion}}, .format = dolmen::AttributeFormat::kInt},
          {.name = "ttl", .type = dolmen::Type::kNumber, .optional = true, .omit_empty = true, .roles = {{.role = dolmen::Role::kTtl}}, .format = dolmen::AttributeFormat::kUnixSeconds},
      },
      .indexes = {
          {.name = "gsi-email", .type = dolmen::IndexType::kGlobal, .partition_key = dolmen::KeyAttribute{"emailHash", dolmen::KeyType::kString}, .projection = dolmen::ProjectionType::kAll},
          {.name = "lsi-created", .type = dolmen::IndexType::kLocal, .partition_key = dolmen::KeyAttribute{"PK", dolmen::KeyType::kString}, .sort_key = dolmen::KeyAttribute{"createdAt", dolmen::KeyType::kString}, .projection = dolmen::ProjectionType::kInclude, .included_attributes = std::vector<std::string>({"nickname"})},
      },
  };
  return model;
}

/// The key of a User.
inline dolmen::ModelKey user_key(const std::string& pk, const std::string& sk) {
  return {.partition = dolmen::LogicalValue(pk), .sort = dolmen::LogicalValue(sk)};
}

/// An index of User.
inline constexpr const char* user_index_gsi_email = "gsi-email";

/// An index of User.
inline constexpr const char* user_index_lsi_created = "lsi-created";

/// The model of PageMetadata.
inline const dolmen::Model& page_metadata() {
  static const dolmen::Model model{
      .name = "PageMetadata",
      .table = "pages",
      .naming = dolmen::NamingConvention::kSnakeCase,
      .partition_key = dolmen::KeyAttribute{"pk", dolmen::KeyType::kString},
      .attributes = {
          {.name = "pk", .type = dolmen::Type::kString, .required = true},
          {.name = "s3_key", .type = dolmen::Type::kString, .required = true, .tags = dolmen::LogicalItem{{"owner", dolmen::LogicalValue("web")}}},
          {.name = "generated_at", .type = dolmen::Type::kNumber, .required = true},
      },
  };
  return model;
}

/// The key of a PageMetadata.
inline dolmen::ModelKey page_metadata_key(const std::string& pk) {
  return {.partition = dolmen::LogicalValue(pk)};
}

}  // namespace models

}  // namespace acme::accounts
