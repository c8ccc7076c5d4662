// Generated from doc.yml; edit that file, not this.
// clang-format off
// By: dolmen model generate --lang cpp
// Source: sha256 4c7ffb4dae87f870b0bdfa447893b6849faed1ab051124c814c842054c4b153b
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <dolmen/model/model.h>
#include <dolmen/model/table.h>

namespace acme::search {

/// An item of the model "Doc" in the table "docs".
struct Doc {
  std::string id;
  std::optional<std::string> tenant;
  std::int64_t year = 0;
  std::optional<std::string> title;
  std::array<float, 3> meaning{};  ///< a vector of 3 numbers
  std::optional<std::array<float, 2>> picture;  ///< a vector of 2 numbers
  std::int64_t version = 0;  ///< counts the updates

  friend bool operator==(const Doc&, const Doc&) = default;
};
DOLMEN_RECORD(Doc, id, tenant, year, title, meaning, picture, version);

namespace models {

/// The model of Doc.
inline const dolmen::Model& doc() {
  static const dolmen::Model model{
      .name = "Doc",
      .table = "docs",
      .naming = dolmen::NamingConvention::kCamelCase,
      .partition_key = dolmen::KeyAttribute{"id", dolmen::KeyType::kString},
      .attributes = {
          {.name = "id", .type = dolmen::Type::kString, .required = true, .roles = {{.role = dolmen::Role::kPartitionKey}}},
          {.name = "tenant", .type = dolmen::Type::kString},
          {.name = "year", .type = dolmen::Type::kNumber, .format = dolmen::AttributeFormat::kInt},
          {.name = "title", .type = dolmen::Type::kString, .optional = true},
          {.name = "meaning", .type = dolmen::Type::kList, .required = true, .format = dolmen::AttributeFormat::kVector, .dimensions = 3},
          {.name = "picture", .type = dolmen::Type::kList, .format = dolmen::AttributeFormat::kVector, .dimensions = 2},
          {.name = "version", .type = dolmen::Type::kNumber, .roles = {{.role = dolmen::Role::kVersion}}, .format = dolmen::AttributeFormat::kInt},
      },
      .vector_indexes = {
          {.name = "by_meaning", .attribute = "meaning", .distance = dolmen::VectorDistance::kCosine, .search = {dolmen::SearchAttribute{"tenant", dolmen::KeyType::kString, dolmen::SearchRole::kHash}, dolmen::SearchAttribute{"year", dolmen::KeyType::kNumber, dolmen::SearchRole::kInlineFilter}}, .projection = dolmen::ProjectionType::kAll},
          {.name = "by-picture", .attribute = "picture", .distance = dolmen::VectorDistance::kEuclidean, .projection = dolmen::ProjectionType::kInclude, .included_attributes = std::vector<std::string>({"title"})},
      },
  };
  return model;
}

/// The key of a Doc.
inline dolmen::ModelKey doc_key(const std::string& id) {
  return {.partition = dolmen::LogicalValue(id)};
}

/// A vector index of Doc.
inline constexpr const char* doc_index_by_meaning = "by_meaning";

/// A vector index of Doc.
inline constexpr const char* doc_index_by_picture = "by-picture";

}  // namespace models

}  // namespace acme::search
