// Generated from isr_cache.yml; edit that file, not this.
// clang-format off
// By: dolmen model generate --lang cpp --namespace ::
// Source: sha256 544995843c971855cad290ff0db3f52a17a5f9c6a1bc20817d25d155edf9ab67
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

#include <dolmen/model/model.h>
#include <dolmen/model/table.h>

/// An item of the model "FaceTheoryCacheMetadata" in the table "isr_cache".
struct FaceTheoryCacheMetadata {
  std::string pk;
  std::string sk;
  std::string s3_key;
  std::chrono::sys_seconds generated_at{};
  std::int64_t revalidate_seconds = 0;
  std::optional<std::string> etag;
  std::optional<std::chrono::sys_seconds> ttl;
  std::optional<std::string> current_sk;
  std::optional<std::int64_t> generation;

  friend bool operator==(const FaceTheoryCacheMetadata&, const FaceTheoryCacheMetadata&) = default;
};
DOLMEN_RECORD(FaceTheoryCacheMetadata, pk, sk, s3_key, (generated_at, as_seconds), revalidate_seconds, etag,
              (ttl, as_seconds), current_sk, generation);

/// An item of the model "FaceTheoryCacheLease" in the table "isr_cache".
struct FaceTheoryCacheLease {
  std::string pk;
  std::string sk;
  std::string lease_token;
  std::chrono::sys_seconds lease_expires_at{};
  std::optional<std::chrono::sys_seconds> ttl;
  std::optional<std::int64_t> generation;

  friend bool operator==(const FaceTheoryCacheLease&, const FaceTheoryCacheLease&) = default;
};
DOLMEN_RECORD(FaceTheoryCacheLease, pk, sk, lease_token, (lease_expires_at, as_seconds), (ttl, as_seconds), generation);

namespace models {

/// The model of FaceTheoryCacheMetadata.
inline const dolmen::Model& face_theory_cache_metadata() {
  static const dolmen::Model model{
      .name = "FaceTheoryCacheMetadata",
      .table = "isr_cache",
      .naming = dolmen::NamingConvention::kSnakeCase,
      .partition_key = dolmen::KeyAttribute{"pk", dolmen::KeyType::kString},
      .sort_key = dolmen::KeyAttribute{"sk", dolmen::KeyType::kString},
      .attributes = {
          {.name = "pk", .type = dolmen::Type::kString, .required = true, .roles = {{.role = dolmen::Role::kPartitionKey}}},
          {.name = "sk", .type = dolmen::Type::kString, .required = true, .roles = {{.role = dolmen::Role::kSortKey}}},
          {.name = "s3_key", .type = dolmen::Type::kString, .required = true},
          {.name = "generated_at", .type = dolmen::Type::kNumber, .required = true, .format = dolmen::AttributeFormat::kUnixSeconds},
          {.name = "revalidate_seconds", .type = dolmen::Type::kNumber, .required = true, .format = dolmen::AttributeFormat::kInt},
          {.name = "etag", .type = dolmen::Type::kString, .optional = true, .omit_empty = true},
          {.name = "ttl", .type = dolmen::Type::kNumber, .optional = true, .omit_empty = true, .roles = {{.role = dolmen::Role::kTtl}}, .format = dolmen::AttributeFormat::kUnixSeconds},
          {.name = "current_sk", .type = dolmen::Type::kString, .optional = true, .omit_empty = true},
          {.name = "generation", .type = dolmen::Type::kNumber, .optional = true, .omit_empty = true, .format = dolmen::AttributeFormat::kInt},
      },
  };
  return model;
}

/// The key of a FaceTheoryCacheMetadata.
inline dolmen::ModelKey face_theory_cache_metadata_key(const std::string& pk, const std::string& sk) {
  return {.partition = dolmen::LogicalValue(pk), .sort = dolmen::LogicalValue(sk)};
}

/// The model of FaceTheoryCacheLease.
inline const dolmen::Model& face_theory_cache_lease() {
  static const dolmen::Model model{
      .name = "FaceTheoryCacheLease",
      .table = "isr_cache",
      .naming = dolmen::NamingConvention::kSnakeCase,
      .partition_key = dolmen::KeyAttribute{"pk", dolmen::KeyType::kString},
      .sort_key = dolmen::KeyAttribute{"sk", dolmen::KeyType::kString},
      .attributes = {
          {.name = "pk", .type = dolmen::Type::kString, .required = true, .roles = {{.role = dolmen::Role::kPartitionKey}}},
          {.name = "sk", .type = dolmen::Type::kString, .required = true, .roles = {{.role = dolmen::Role::kSortKey}}},
          {.name = "lease_token", .type = dolmen::Type::kString, .required = true},
          {.name = "lease_expires_at", .type = dolmen::Type::kNumber, .required = true, .format = dolmen::AttributeFormat::kUnixSeconds},
          {.name = "ttl", .type = dolmen::Type::kNumber, .optional = true, .omit_empty = true, .roles = {{.role = dolmen::Role::kTtl}}, .format = dolmen::AttributeFormat::kUnixSeconds},
          {.name = "generation", .type = dolmen::Type::kNumber, .optional = true, .omit_empty = true, .format = dolmen::AttributeFormat::kInt},
      },
  };
  return model;
}

/// The key of a FaceTheoryCacheLease.
inline dolmen::ModelKey face_theory_cache_lease_key(const std::string& pk, const std::string& sk) {
  return {.partition = dolmen::LogicalValue(pk), .sort = dolmen::LogicalValue(sk)};
}

}  // namespace models
