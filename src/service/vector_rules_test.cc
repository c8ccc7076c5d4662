#include "service/vector_rules.h"

#include <gtest/gtest.h>
#include <string>
#include <vector>

#include "base/test_result.h"

namespace dolmen {
namespace {

TEST(VectorRules, an_index_has_a_name_of_3_to_255_characters) {
  for (const std::string& name : {std::string("abc"), std::string("A.b-c_9"), std::string(255, 'x')})
    EXPECT_THAT(check_index_name(name), succeeds()) << name;
  const std::string begin =
      "1 validation error detected: Value at 'IndexName' failed to satisfy constraint: Member must ";
  EXPECT_THAT(check_index_name("ab"), fails_with(Code::kValidation, begin + "have length greater than or equal to 3"));
  EXPECT_THAT(check_index_name(std::string(256, 'x')),
              fails_with(Code::kValidation, begin + "have length less than or equal to 255"));
  EXPECT_THAT(check_index_name("a b"),
              fails_with(Code::kValidation, begin + "satisfy regular expression pattern: [a-zA-Z0-9_.-]+"));
}

TEST(VectorRules, a_search_has_results_and_a_vector_within_limits) {
  for (const std::int64_t top_k : {1, 100}) EXPECT_THAT(check_top_k(top_k), succeeds()) << top_k;
  for (const std::int64_t top_k : {0, -1, 101}) EXPECT_THAT(check_top_k(top_k), fails_with(Code::kValidation)) << top_k;
  for (const std::size_t size : {1U, 4096U})
    EXPECT_THAT(check_search_vector(std::vector<float>(size, 1)), succeeds()) << size;
  for (const std::size_t size : {0U, 4097U})
    EXPECT_THAT(check_search_vector(std::vector<float>(size, 1)), fails_with(Code::kValidation)) << size;
}

}  // namespace
}  // namespace dolmen
