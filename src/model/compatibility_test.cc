#include "model/compatibility.h"

#include <fmt/format.h>
#include <functional>
#include <gtest/gtest.h>

namespace dolmen {
namespace {

Model old_user() {
  return {.name = "User",
          .table = "users",
          .partition_key = {"pk", KeyType::kString},
          .attributes = {{.name = "pk", .type = Type::kString, .required = true},
                         {.name = "name", .type = Type::kString, .required = true},
                         {.name = "age", .type = Type::kNumber},
                         {.name = "version", .type = Type::kNumber, .roles = {{Role::kVersion}}}},
          .indexes = {{.name = "by-name",
                       .partition_key = {"name", KeyType::kString},
                       .projection = ProjectionType::kInclude,
                       .included_attributes = {"age"}}}};
}

/// What breaks between two models, in one line each.
std::string broken_between(const Model& before, const Model& after) {
  std::string out;
  for (const ModelChange& each : breaking_changes({before}, {after}))
    out += fmt::format("{} {}\n", breaks_name(each.breaks), each.path);
  return out;
}

/// What changes of the model break.
std::string broken_by(const std::function<void(Model&)>& change) {
  Model changed = old_user();
  change(changed);
  return broken_between(old_user(), changed);
}

ModelAttribute& named(Model& model, std::string_view name) {
  for (ModelAttribute& attribute : model.attributes)
    if (attribute.name == name) return attribute;
  return model.attributes.front();
}

TEST(Compatibility, additions_that_need_not_be_there_break_nobody) {
  EXPECT_EQ(broken_by([](Model&) {}), "");
  EXPECT_EQ(broken_by([](Model& model) { model.attributes.push_back({.name = "note", .type = Type::kString}); }), "");
  EXPECT_EQ(broken_by([](Model& model) {
              model.indexes.push_back({.name = "by-age", .partition_key = {"age", KeyType::kNumber}});
            }),
            "");
  EXPECT_EQ(broken_by([](Model& model) { model.indexes[0].projection = ProjectionType::kAll; }), "");
  EXPECT_TRUE(breaking_changes({}, {old_user()}).empty());
}

Model old_doc() {
  return {.name = "Doc",
          .table = "docs",
          .partition_key = {"pk", KeyType::kString},
          .attributes = {{.name = "pk", .type = Type::kString, .required = true},
                         {.name = "tenant", .type = Type::kString},
                         {.name = "meaning", .type = Type::kList, .format = AttributeFormat::kVector, .dimensions = 3}},
          .vector_indexes = {{.name = "by_meaning",
                              .attribute = "meaning",
                              .search = {{"tenant", KeyType::kString, SearchRole::kInlineFilter}},
                              .projection = ProjectionType::kInclude,
                              .included_attributes = {"title"}}}};
}

std::string broken_doc(const std::function<void(Model&)>& change) {
  Model changed = old_doc();
  change(changed);
  return broken_between(old_doc(), changed);
}

TEST(Compatibility, says_what_breaks_vectors_and_their_searches) {
  EXPECT_EQ(broken_doc([](Model&) {}), "");
  EXPECT_EQ(broken_doc([](Model& model) { named(model, "meaning").dimensions = 4; }),
            "readers attributes.meaning.dimensions\n");
  EXPECT_EQ(broken_doc([](Model& model) {
              named(model, "meaning").format = AttributeFormat::kNone;
              named(model, "meaning").dimensions = 0;
            }),
            "readers attributes.meaning.format\n");
  EXPECT_EQ(broken_between(
                [] {
                  Model before = old_doc();
                  named(before, "meaning").format = AttributeFormat::kNone;
                  return before;
                }(),
                old_doc()),
            "writers attributes.meaning.format\n");
  EXPECT_EQ(broken_doc([](Model& model) { model.vector_indexes.clear(); }), "readers vector_indexes.by_meaning\n");
  EXPECT_EQ(broken_doc([](Model& model) { model.vector_indexes[0].distance = VectorDistance::kEuclidean; }),
            "readers vector_indexes.by_meaning.distance\n");
  EXPECT_EQ(broken_doc([](Model& model) { model.vector_indexes[0].attribute = "other"; }),
            "readers vector_indexes.by_meaning.attribute\n");
  EXPECT_EQ(broken_doc([](Model& model) { model.vector_indexes[0].search.clear(); }),
            "readers vector_indexes.by_meaning.search\n");
  EXPECT_EQ(broken_doc([](Model& model) { model.vector_indexes[0].search[0].role = SearchRole::kHash; }),
            "readers vector_indexes.by_meaning.search\nreaders vector_indexes.by_meaning.search\n");
  EXPECT_EQ(broken_doc([](Model& model) { model.vector_indexes[0].included_attributes.clear(); }),
            "readers vector_indexes.by_meaning.projection\n");
  EXPECT_EQ(broken_doc([](Model& model) { model.vector_indexes[0].projection = ProjectionType::kAll; }), "");
  EXPECT_EQ(broken_doc([](Model& model) {
              model.vector_indexes.push_back({.name = "second", .attribute = "meaning"});
              model.vector_indexes[0].search.push_back({"pk", KeyType::kString, SearchRole::kInlineFilter});
            }),
            "");
}

TEST(Compatibility, says_what_breaks_readers) {
  EXPECT_EQ(broken_by([](Model& model) { named(model, "age").type = Type::kString; }), "readers attributes.age.type\n");
  EXPECT_EQ(broken_by([](Model& model) { named(model, "age").encrypted = true; }),
            "readers attributes.age.encryption\n");
  EXPECT_EQ(broken_by([](Model& model) { named(model, "name").json = true; }), "readers attributes.name.json\n");
  EXPECT_EQ(broken_by([](Model& model) { named(model, "name").required = false; }),
            "readers attributes.name.required\n");
  EXPECT_EQ(broken_by([](Model& model) { named(model, "age").omit_empty = true; }),
            "readers attributes.age.omit_empty\n");
  EXPECT_EQ(broken_by([](Model& model) { model.indexes.clear(); }), "readers indexes.by-name\n");
  EXPECT_EQ(broken_by([](Model& model) { model.indexes[0].included_attributes.clear(); }),
            "readers indexes.by-name.projection\n");
  EXPECT_EQ(broken_by([](Model& model) { model.table = "people"; }), "readers table.name\n");
  EXPECT_EQ(breaking_changes({old_user()}, {}).front().path, "models.User");
}

TEST(Compatibility, says_what_breaks_writers) {
  EXPECT_EQ(broken_by([](Model& model) { named(model, "age").required = true; }), "writers attributes.age.required\n");
  EXPECT_EQ(broken_by([](Model& model) { named(model, "age").format = AttributeFormat::kDecimalString; }), "");
  EXPECT_EQ(broken_by([](Model& model) { named(model, "age").format = AttributeFormat::kInt; }),
            "writers attributes.age.format\n");
  EXPECT_EQ(broken_by([](Model& model) {
              model.attributes.push_back({.name = "email", .type = Type::kString, .required = true});
            }),
            "writers attributes.email\n");
  EXPECT_EQ(
      broken_by([](Model& model) { std::erase_if(model.attributes, [](auto& each) { return each.name == "age"; }); }),
      "writers attributes.age\n");
  EXPECT_EQ(broken_by([](Model& model) { named(model, "version").roles.clear(); }),
            "writers attributes.version.roles\n");
}

TEST(Compatibility, says_what_write_policies_break) {
  EXPECT_EQ(broken_by([](Model& model) { model.write_policy.mode = WriteMode::kWriteOnce; }),
            "writers write_policy.mode\n");
  EXPECT_EQ(broken_by([](Model& model) { model.write_policy.protected_attributes = {"age"}; }),
            "writers write_policy.protected_attributes\n");
  Model once = old_user();
  once.write_policy = {.mode = WriteMode::kWriteOnce, .protected_attributes = {"age"}};
  EXPECT_EQ(broken_between(once, old_user()), "readers write_policy.mode\nreaders write_policy.protected_attributes\n");
}

TEST(Compatibility, says_what_no_table_survives) {
  EXPECT_EQ(broken_by([](Model& model) { model.partition_key.type = KeyType::kNumber; }), "table keys.partition\n");
  EXPECT_EQ(broken_by([](Model& model) { model.sort_key = KeyAttribute{"age", KeyType::kNumber}; }),
            "table keys.sort\n");
}

}  // namespace
}  // namespace dolmen
