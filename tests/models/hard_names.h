// Generated from hard_names.yml; edit that file, not this.
// clang-format off
// By: dolmen model generate --lang cpp --namespace acme::hard_names
// Source: sha256 c57da139270d5e9c2986d6afa9c083ddc7d5640023f0f4761afc099988a39fed
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include <dolmen/model/model.h>
#include <dolmen/model/table.h>

namespace acme::hard_names {

/// An item of the model "class" in the table "hard.names-1".
struct Class {
  std::string the_key_quoted;
  std::int64_t attribute_2fa = 0;
  std::optional<std::string> class_;
  std::optional<std::string> email_hash;
  std::optional<std::string> email_hash_2;
  std::optional<std::string> email_hash_2_2;
  std::optional<std::string> attribute;
  std::optional<std::string> back_slash;
  std::optional<std::string> tab_and_trigraph;
  std::set<std::string> std_;
  std::optional<dolmen::Item> dolmen_;
  std::optional<dolmen::List> module_;
  std::optional<bool> errno_;

  friend bool operator==(const Class&, const Class&) = default;
};
DOLMEN_RECORD(Class, (the_key_quoted, "the \"key\", (quoted)"), (attribute_2fa, "2fa"), (class_, "class"),
              (email_hash, "emailHash"), (email_hash_2, "email_hash"), (email_hash_2_2, "email-hash 2"),
              (attribute, "名前"), (back_slash, "back\\slash"), (tab_and_trigraph, "tab\011and ?\?/ trigraph"),
              (std_, "std"), (dolmen_, "dolmen"), (module_, "module"), (errno_, "errno"));

/// An item of the model "Model" in the table "models".
struct Model {
  std::string model;

  friend bool operator==(const Model&, const Model&) = default;
};
DOLMEN_RECORD(Model, (model, "Model"));

/// An item of the model "Class" in the table "classes".
struct Class_2 {
  dolmen::Bytes pk;

  friend bool operator==(const Class_2&, const Class_2&) = default;
};
DOLMEN_RECORD(Class_2, pk);

namespace models {

/// The model of Class.
inline const dolmen::Model& class_() {
  static const dolmen::Model model{
      .name = "class",
      .table = "hard.names-1",
      .naming = dolmen::NamingConvention::kNone,
      .partition_key = dolmen::KeyAttribute{"the \"key\", (quoted)", dolmen::KeyType::kString},
      .sort_key = dolmen::KeyAttribute{"2fa", dolmen::KeyType::kNumber},
      .attributes = {
          {.name = "the \"key\", (quoted)", .type = dolmen::Type::kString, .required = true},
          {.name = "2fa", .type = dolmen::Type::kNumber, .required = true, .format = dolmen::AttributeFormat::kInt},
          {.name = "class", .type = dolmen::Type::kString, .optional = true},
          {.name = "emailHash", .type = dolmen::Type::kString, .optional = true},
          {.name = "email_hash", .type = dolmen::Type::kString, .optional = true},
          {.name = "email-hash 2", .type = dolmen::Type::kString, .optional = true},
          {.name = "名前", .type = dolmen::Type::kString, .optional = true, .roles = {{.role = dolmen::Role::kIndexPartitionKey, .index = "by-name"}}},
          {.name = "back\\slash", .type = dolmen::Type::kString, .optional = true},
          {.name = "tab\011and ?\?/ trigraph", .type = dolmen::Type::kString, .optional = true},
          {.name = "std", .type = dolmen::Type::kStringSet, .optional = true},
          {.name = "dolmen", .type = dolmen::Type::kMap, .optional = true},
          {.name = "module", .type = dolmen::Type::kList, .optional = true},
          {.name = "errno", .type = dolmen::Type::kBool, .optional = true},
      },
      .indexes = {
          {.name = "by-name", .type = dolmen::IndexType::kGlobal, .partition_key = dolmen::KeyAttribute{"名前", dolmen::KeyType::kString}, .projection = dolmen::ProjectionType::kInclude, .included_attributes = std::vector<std::string>({"std", "errno"})},
      },
  };
  return model;
}

/// The key of a Class.
inline dolmen::ModelKey class_key(const std::string& the_key_quoted, const std::int64_t& attribute_2fa) {
  return {.partition = dolmen::LogicalValue(the_key_quoted), .sort = dolmen::LogicalValue(attribute_2fa)};
}

/// An index of Class.
inline constexpr const char* class_index_by_name = "by-name";

/// The model of Model.
inline const dolmen::Model& model() {
  static const dolmen::Model model{
      .name = "Model",
      .table = "models",
      .naming = dolmen::NamingConvention::kNone,
      .partition_key = dolmen::KeyAttribute{"Model", dolmen::KeyType::kString},
      .attributes = {
          {.name = "Model", .type = dolmen::Type::kString},
      },
  };
  return model;
}

/// The key of a Model.
inline dolmen::ModelKey model_key(const std::string& model) {
  return {.partition = dolmen::LogicalValue(model)};
}

/// The model of Class_2.
inline const dolmen::Model& class_2() {
  static const dolmen::Model model{
      .name = "Class",
      .table = "classes",
      .naming = dolmen::NamingConvention::kNone,
      .partition_key = dolmen::KeyAttribute{"pk", dolmen::KeyType::kBinary},
      .attributes = {
          {.name = "pk", .type = dolmen::Type::kBinary, .binary = true},
      },
  };
  return model;
}

/// The key of a Class_2.
inline dolmen::ModelKey class_2_key(const dolmen::Bytes& pk) {
  return {.partition = dolmen::LogicalValue(pk)};
}

}  // namespace models

}  // namespace acme::hard_names
