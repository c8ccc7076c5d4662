#include "generate/cpp_models.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "config/read.h"
#include "generate/cpp_text.h"

// The headers of tests/models are compiled and used by tests/model and tests/isr.
namespace dolmen::generate {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(GenerateCpp, gives_the_headers_that_are_kept) {
  struct Case {
    std::string file;
    std::string header;
    std::string namespace_name;
  };
  for (const Case& c : {Case{"tests/models/user.yml", "user", ""},
                        Case{"tests/models/hard_names.yml", "hard_names", "acme::hard_names"},
                        Case{"tests/models/release.yml", "release", ""}, Case{"tests/models/doc.yml", "doc", ""},
                        Case{"contract/models/sample.yml", "sample", "contract"},
                        Case{"contract/models/isr_cache.yml", "isr_cache", "::"}}) {
    const GeneratedCode header = generate_models(Language::kCpp, load_models(c.file).value(),
                                                 {.source = source_of(c.file, config::read_file(c.file).value()),
                                                  .namespace_name = c.namespace_name})
                                     .value();
    EXPECT_EQ(header.text, config::read_file("tests/models/" + c.header + ".h").value()) << c.file;
  }
}

Model model_with(ModelAttribute attribute) {
  return {.name = "M",
          .table = "tab",
          .partition_key = {"pk", KeyType::kString},
          .attributes = {{.name = "pk", .type = Type::kString}, std::move(attribute)}};
}

std::string text_of(Model model, const std::string& file_name = "m.yml") {
  return generate_models(Language::kCpp, {.namespace_name = {}, .models = {std::move(model)}},
                         {.source = {.file_name = file_name, .sha256 = "0"}})
      .value()
      .text;
}

TEST(GenerateCpp, makes_optional_what_may_be_missing_and_has_no_empty_value) {
  const auto member = [](const ModelAttribute& attribute) { return text_of(model_with(attribute)); };
  EXPECT_THAT(member({.name = "a", .type = Type::kBool, .optional = true}), HasSubstr("  std::optional<bool> a;\n"));
  EXPECT_THAT(member({.name = "a", .type = Type::kBool}), HasSubstr("  bool a = false;\n"));
  EXPECT_THAT(member({.name = "a", .type = Type::kStringSet, .optional = true}),
              HasSubstr("  std::set<std::string> a;\n"));
  const std::vector<AttributeRole> ttl{{.role = Role::kTtl}};
  EXPECT_THAT(member({.name = "a", .type = Type::kNumber, .roles = ttl}),
              HasSubstr("  std::optional<std::chrono::sys_seconds> a;\n"));
  EXPECT_THAT(member({.name = "a", .type = Type::kNumber, .required = true, .roles = ttl}),
              HasSubstr("  std::chrono::sys_seconds a{};\n"));

  // Roles may be left out; the index says it as well.
  Model indexed = model_with({.name = "a", .type = Type::kString});
  indexed.indexes.push_back({.name = "i", .partition_key = {"a", KeyType::kString}});
  EXPECT_THAT(text_of(indexed), HasSubstr("  std::optional<std::string> a;\n"));
}

TEST(GenerateCpp, refuses_what_cpp_cannot_say) {
  const auto message = [](const Model& model, const std::string& namespace_name = "") {
    const Result<GeneratedCode> header =
        generate_models(Language::kCpp, {.namespace_name = {}, .models = {model}},
                        {.source = {.file_name = "m.yml", .sha256 = "0"}, .namespace_name = namespace_name});
    return header ? "" : header.error().message();
  };
  EXPECT_THAT(message(model_with({.name = std::string("a\0b", 3)})), HasSubstr("NUL"));
  Model indexed = model_with({.name = "a"});
  indexed.indexes = {{.name = "i", .partition_key = {"a", KeyType::kString}}};
  indexed.indexes[0].included_attributes = {std::string("a\0b", 3)};
  EXPECT_THAT(message(indexed), HasSubstr("NUL"));
  Model searched = model_with({.name = "a"});
  searched.vector_indexes = {{.name = "i", .attribute = "a", .included_attributes = {std::string("a\0b", 3)}}};
  EXPECT_THAT(message(searched), HasSubstr("NUL"));
  Model wide = model_with({.name = "a"});
  for (int i = 0; i < 254; ++i) wide.attributes.push_back({.name = "a" + std::to_string(i)});
  EXPECT_EQ(message(wide), "");
  wide.attributes.push_back({.name = "one more"});
  EXPECT_THAT(message(wide), HasSubstr("has 257 attributes; a struct may have up to 256"));
  for (const char* good : {"acme", "acme::accounts_2"}) EXPECT_TRUE(is_cpp_namespace(good)) << good;
  for (const char* bad : {"a b", "::a", "a::", "a:b", "2a", "_a", "a__b", "class", "a::int"})
    EXPECT_THAT(message(model_with({.name = "a"}), bad), HasSubstr("is not the name of a C++ namespace")) << bad;
}

TEST(GenerateCpp, puts_everything_into_the_namespace_of_the_file) {
  const auto text = [](const std::string& of_file, const std::string& given = "") {
    return generate_models(Language::kCpp, {.namespace_name = of_file, .models = {model_with({.name = "a"})}},
                           {.source = {.file_name = "m.yml", .sha256 = "0"}, .namespace_name = given})
        .value()
        .text;
  };
  EXPECT_THAT(text("acme.payments"), HasSubstr("namespace acme::payments {"));
  EXPECT_THAT(text("Acme.class.2 go"), HasSubstr("namespace acme::class_::"));
  EXPECT_THAT(text("acme.payments", "other"), HasSubstr("namespace other {"));
  EXPECT_THAT(text("acme.payments", "::"), Not(HasSubstr("acme")));
}

TEST(GenerateCpp, keeps_the_name_of_a_file_inside_its_comment) {
  EXPECT_TRUE(text_of(model_with({.name = "a"}), "x\nint y;\\")
                  .starts_with("// Generated from x?int y;\\; edit that file, not this.\n"));
}

}  // namespace
}  // namespace dolmen::generate
