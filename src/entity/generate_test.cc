#include "entity/generate.h"

#include <gtest/gtest.h>

#include "config/read.h"
#include "dolmen/entity_manager.h"

// tests/entity compiles and uses the header.
namespace dolmen::entity {
namespace {

TEST(GenerateNames, gives_the_header_that_is_kept) {
  const std::string file = "tests/entity/names.yml";
  const Result<EntityManager> entities = EntityManager::load(file);
  ASSERT_TRUE(entities.has_value()) << entities.error().message();
  EXPECT_EQ(generate_header(entities->config(), "acme::names", file),
            config::read_file("tests/entity/names.h").value());
}

}  // namespace
}  // namespace dolmen::entity
