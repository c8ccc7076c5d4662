#include "entity/generate.h"

#include <gtest/gtest.h>

#include "config/read.h"
#include "dolmen/entity/manager.h"

// tests/entity compiles and uses the header.
namespace dolmen::entity {
namespace {

TEST(GenerateNames, gives_the_header_that_is_kept) {
  const std::string file = "tests/entity/names.yml";
  const Result<EntityManager> entities = EntityManager::load(file);
  ASSERT_TRUE(entities.has_value()) << entities.error().message();
  EXPECT_EQ(generate_header(entities->config(), "acme::names", file).value(),
            config::read_file("tests/entity/names.h").value());
}

TEST(GenerateNames, refuses_a_name_that_a_literal_would_cut_short) {
  EntityConfig config{.hash_key = std::string("p\0k", 3), .range_key = "sk"};
  EXPECT_EQ(generate_header(config, "names", "names.yml").error().code(), Code::kInvalidArgument);
}

TEST(GenerateNames, keeps_the_name_of_the_file_in_its_comment) {
  const EntityConfig config{.hash_key = "pk", .range_key = "sk"};
  const std::string header = generate_header(config, "names", "a\n\r\x7F#error.yml").value();
  EXPECT_EQ(header.substr(0, header.find('\n')),
            "// Made by 'dolmen entity generate' from a???#error.yml. Do not change it here.");
}

}  // namespace
}  // namespace dolmen::entity
