// Published files. Tests named PublicationRule.A1_n hold for rule n of docs/documents.md.
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <thread>

#include "base/fail.h"
#include "base/test_directory.h"
#include "base/test_result.h"
#include "schema/log_note.h"
#include "schema/registry.h"
#include "schema/test_schemas.h"

namespace dolmen::schema {
namespace {

namespace fs = std::filesystem;
using test::schema_text;
using testing::AllOf;
using testing::HasSubstr;

std::string content_of(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

void write_content(const fs::path& path, std::string_view bytes) { std::ofstream(path, std::ios::binary) << bytes; }

class PublishedFiles : public testing::Test {
 protected:
  std::unique_ptr<Registry> open(FileWriter::BeforeStep before_step = {}) {
    auto registry = Registry::load(directory_, std::move(before_step)).value();
    report_ = registry->repair().value();
    return registry;
  }

  std::string refusal() { return Registry::load(directory_).error().message(); }

  [[nodiscard]] fs::path file(std::string_view name) const { return directory_ / "metadata/schemas" / name; }

  /// Every file and its content.
  [[nodiscard]] std::map<std::string, std::string> picture() const {
    std::map<std::string, std::string> all;
    for (const auto& entry : fs::recursive_directory_iterator(directory_))
      if (entry.is_regular_file()) all[entry.path()] = content_of(entry.path());
    return all;
  }

  TemporaryDirectory folder_;
  const fs::path directory_ = folder_.path();
  std::vector<std::string> report_;
};

class PublicationRule : public PublishedFiles {};

TEST_F(PublicationRule, A1_1_a_pair_names_one_schema_and_an_id_has_many_versions) {
  const auto registry = open();
  EXPECT_THAT(registry->publish(schema_text("users", "v1")), succeeds());
  EXPECT_THAT(registry->publish(schema_text("users", "v2")), succeeds());
  EXPECT_THAT(registry->publish(schema_text("users", "v1", test::kAllFields)), fails_with(Code::kSchemaImmutable));
  EXPECT_EQ(registry->list().size(), 2U);
  EXPECT_EQ(registry->find({"users", "v2"})->schema.ref.version, "v2");
  EXPECT_EQ(registry->find({"users", "v3"}), nullptr);
  EXPECT_TRUE(registry->has_id("users"));
  EXPECT_FALSE(registry->has_id("user"));
}

TEST_F(PublicationRule, A1_3_one_file_for_each_version_holds_what_was_published_byte_for_byte) {
  const std::string text = " " + schema_text("users", "v1") + "\n";
  ASSERT_THAT(open()->publish(text), succeeds());
  EXPECT_EQ(content_of(file("schema_users_v1.json")), text);
}

TEST_F(PublicationRule, A1_4_a_file_whose_name_and_content_disagree_refuses_the_start) {
  ASSERT_THAT(open()->publish(schema_text("users", "v1")), succeeds());
  write_content(file("schema_users_v2.json"), schema_text("orders", "v1"));
  EXPECT_THAT(refusal(),
              AllOf(HasSubstr("schema_users_v2.json declares orders v1"), HasSubstr("schema_orders_v1.json")));
  fs::rename(file("schema_users_v2.json"), file("whatever.json"));
  EXPECT_THAT(refusal(), AllOf(HasSubstr("whatever.json"), HasSubstr("orders v1")));
  fs::remove(file("whatever.json"));
  fs::rename(file("schema_users_v1.json"), file("schema_users_v2.json"));
  EXPECT_THAT(refusal(), HasSubstr("declares users v1, so its name should be schema_users_v1.json. Rename it"));
}

TEST_F(PublicationRule, A1_5_two_files_that_declare_the_same_pair_refuse_the_start) {
  ASSERT_THAT(open()->publish(schema_text("users", "v1")), succeeds());
  write_content(file("schema_users_v9.json"), schema_text("users", "v1"));
  EXPECT_THAT(refusal(), HasSubstr("declares users v1, which schema_users_v1.json already holds"));
}

TEST_F(PublicationRule, A1_7_ids_that_differ_in_capitals_alone_are_refused) {
  const auto registry = open();
  ASSERT_THAT(registry->publish(schema_text("users", "v1")), succeeds());
  const auto refusal_of = [&](const char* id, const char* version) {
    const auto published = registry->publish(schema_text(id, version));
    return published ? "published"
                     : std::string(code_name(published.error().code())) + " " + published.error().message();
  };
  EXPECT_EQ(
      refusal_of("Users", "v2"),
      "SCHEMA_INVALID Users v2 differs from the published users v1 only in upper and lower case; choose another id");
  EXPECT_EQ(refusal_of("users", "V1"),
            "SCHEMA_INVALID users V1 differs from the published users v1 only in upper and lower case; choose another "
            "version");
  EXPECT_EQ(registry->list().size(), 1U);
}

TEST_F(PublicationRule, A1_8_publishing_again_is_refused_also_for_the_same_bytes) {
  const auto registry = open();
  ASSERT_THAT(registry->publish(schema_text("users", "v1")), succeeds());
  const auto before = picture();
  EXPECT_THAT(registry->publish(schema_text("users", "v1")), fails_with(Code::kSchemaImmutable));
  EXPECT_THAT(registry->publish(schema_text("users", "v1", test::kAllFields)), fails_with(Code::kSchemaImmutable));
  EXPECT_EQ(picture(), before);
}

TEST_F(PublicationRule, A1_9_a_missing_or_changed_file_refuses_the_start) {
  ASSERT_THAT(open()->publish(schema_text("users", "v1")), succeeds());
  const std::string text = content_of(file("schema_users_v1.json"));
  fs::remove(file("schema_users_v1.json"));
  EXPECT_THAT(refusal(), AllOf(HasSubstr("schema_users_v1.json is missing"), HasSubstr("Restore the published file")));
  fs::remove_all(directory_ / "metadata");
  EXPECT_THAT(refusal(), HasSubstr("schema_users_v1.json is missing"));
  fs::create_directories(directory_ / "metadata/schemas");
  write_content(file("schema_users_v1.json"), schema_text("users", "v1", test::kAllFields));
  EXPECT_THAT(refusal(), HasSubstr("was changed after it was published"));
  write_content(file("schema_users_v1.json"), text);
  EXPECT_THAT(Registry::load(directory_), succeeds());
  fs::remove(directory_ / "SCHEMAS");
  EXPECT_THAT(refusal(), HasSubstr("SCHEMAS, which lists all that were published, is missing. Restore it"));
}

TEST_F(PublicationRule, A1_10_unexpected_files_and_a_damaged_catalogue_refuse_the_start) {
  ASSERT_THAT(open()->publish(schema_text("users", "v1")), succeeds());
  for (const char* name : {"notes.txt", "schema_users.json", "schema_users_v2.json", ".hidden"}) {
    write_content(file(name), "{");
    EXPECT_THAT(refusal(), HasSubstr(name));
    fs::remove(file(name));
  }
  fs::create_directory(file("schema_dir_v1.json"));
  EXPECT_THAT(refusal(), HasSubstr("schema_dir_v1.json"));
  fs::remove(file("schema_dir_v1.json"));
  write_content(file("schema_users_v2.json.tmp"), "{");
  EXPECT_THAT(Registry::load(directory_), succeeds()) << "what an interrupted publication leaves";
  open();
  EXPECT_FALSE(fs::exists(file("schema_users_v2.json.tmp")));
  std::string catalogue = content_of(directory_ / "SCHEMAS");
  catalogue[catalogue.find(" v1 ") + 2] = '2';
  write_content(directory_ / "SCHEMAS", catalogue);
  EXPECT_THAT(refusal(), HasSubstr("the catalogue of schemas"));
}

TEST_F(PublicationRule, A1_11_publication_is_interrupted_at_every_step_and_is_then_whole_or_not_there) {
  ASSERT_THAT(open()->publish(schema_text("users", "v1")), succeeds());
  for (int stop = 0;; ++stop) {
    SCOPED_TRACE(stop);
    const std::string text = schema_text("orders", "v" + std::to_string(stop));
    const SchemaRef ref{"orders", "v" + std::to_string(stop)};
    int step = 0;
    std::string stopped_at;
    bool acknowledged = false;
    {
      const auto registry = Registry::load(directory_, [&](std::string_view name, const fs::path&) -> Result<void> {
                              if (step++ != stop) return {};
                              stopped_at = name;
                              return fail(Code::kNoSpace, "the disk is full");
                            }).value();
      acknowledged = registry->publish(text).has_value();
      EXPECT_EQ(registry->find(ref) != nullptr, acknowledged);
    }
    const auto before = picture();
    ASSERT_THAT(Registry::load(directory_), succeeds());
    EXPECT_EQ(picture(), before) << "loading changes nothing";
    const auto reopened = open();
    EXPECT_TRUE(reopened->find({"users", "v1"}) != nullptr);
    const auto found = reopened->find(ref);
    EXPECT_EQ(found ? found->text : text, text);
    EXPECT_EQ(reopened->publish(text).has_value(), found == nullptr) << stopped_at;
    if (acknowledged) {
      EXPECT_NE(found, nullptr);
      EXPECT_GT(stop, 10) << "every step was interrupted once";
      break;
    }
  }
}

TEST_F(PublishedFiles, are_synced_before_anything_says_that_they_are_there) {
  ASSERT_THAT(open()->publish(schema_text("users", "v1")), succeeds());
  std::vector<std::string> steps;
  const auto registry = open([&](std::string_view step, const fs::path& path) -> Result<void> {
    steps.push_back(std::string(step) + " " + fs::relative(path, directory_).native());
    return {};
  });
  ASSERT_THAT(registry->publish(schema_text("users", "v2")), succeeds());
  const std::string file = "metadata/schemas/schema_users_v2.json";
  EXPECT_THAT(steps,
              testing::ElementsAre("make_folder metadata", "sync_folder .", "make_folder metadata/schemas",
                                   "sync_folder metadata", "write " + file + ".tmp", "sync " + file + ".tmp",   //
                                   "write SCHEMAS.tmp", "sync SCHEMAS.tmp", "rename SCHEMAS", "sync_folder .",  //
                                   "link " + file, "remove " + file + ".tmp", "sync_folder metadata/schemas",   //
                                   "write SCHEMAS.tmp", "sync SCHEMAS.tmp", "rename SCHEMAS", "sync_folder ."));
}

TEST_F(PublishedFiles, take_nothing_more_after_a_failure_in_the_middle_until_reopened) {
  int links = 0;
  const auto registry = open([&](std::string_view step, const fs::path&) -> Result<void> {
    if (step == "link" && links++ == 0) return fail(Code::kDirectoryUnusable, "EIO");
    return {};
  });
  EXPECT_FALSE(registry->publish(schema_text("users", "v1")).has_value());
  EXPECT_THAT(registry->publish(schema_text("orders", "v1")).error().message(),
              HasSubstr("until the store is reopened"));
  EXPECT_THAT(open()->publish(schema_text("users", "v1")), succeeds());
  EXPECT_THAT(report_, testing::ElementsAre(HasSubstr("users v1 was interrupted and is undone")));
}

TEST_F(PublishedFiles, let_one_of_many_threads_win) {
  const auto registry = open();
  std::atomic<int> published = 0;
  {
    std::vector<std::jthread> threads;
    for (int i = 0; i < 4; ++i)
      threads.emplace_back([&] { published += registry->publish(schema_text("users", "v1")).has_value() ? 1 : 0; });
  }
  EXPECT_EQ(published, 1);
}

TEST_F(PublishedFiles, of_an_id_that_have_integers_as_versions_grow) {
  const auto registry = open();
  const auto version = [](std::string_view json) {
    return R"({"schema_id":"users","schema_version":)" + std::string(json) +
           R"(,"fields":{"_id":{"type":"string","required":true}}})";
  };
  ASSERT_TRUE(registry->publish(version("2")));
  const auto smaller = registry->publish(version("1"));
  ASSERT_FALSE(smaller);
  EXPECT_THAT(smaller, fails_with(Code::kSchemaInvalid));
  EXPECT_EQ(smaller.error().details().front().rule, "monotonic");
  EXPECT_THAT(registry->publish(version("\"2\"")), fails_with(Code::kSchemaImmutable)) << "the same version";
  EXPECT_TRUE(registry->publish(version("\"1\""))) << "a tag has no order";
  EXPECT_TRUE(registry->publish(version("10")));
  const auto again = open();
  EXPECT_FALSE(again->publish(version("9")));
  EXPECT_TRUE(again->publish(version("11")));
}

TEST(LogNote, comes_back_as_it_was_and_is_told_from_others) {
  const std::vector<SchemaRef> refs{{"users", "v1"}, {"users", "v2"}};
  EXPECT_EQ(read_log_note(log_note({refs[0]})).value(), std::vector{refs[0]});
  EXPECT_EQ(read_log_note(log_note(refs)).value(), refs);
  EXPECT_TRUE(read_log_note("something else").value().empty());
  std::string cut = log_note(refs);
  cut.pop_back();
  EXPECT_THAT(read_log_note(cut), fails_with(Code::kCorruption));
}

}  // namespace
}  // namespace dolmen::schema
