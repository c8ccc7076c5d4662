#include "protocol/vector_statistics_json.h"

#include <gtest/gtest.h>

namespace dolmen {
namespace {

VectorIndexStatistics example_statistics() {
  return {.table = "notes",
          .index = "by-meaning",
          .dimensions = 3,
          .distance = "cosine",
          .partitions = 2,
          .vectors = 1000,
          .memory_bytes = 54321};
}

TEST(VectorStatisticsJson, has_what_is_known_without_a_search) {
  EXPECT_EQ(vector_statistics_json(example_statistics()),
            R"({"TableName":"notes","IndexName":"by-meaning","Dimensions":3,"DistanceFunction":"cosine",)"
            R"("Partitions":2,"Vectors":1000,"MemoryBytes":54321,"Sample":0})");
}

TEST(VectorStatisticsJson, has_the_mean_times_of_searches) {
  VectorIndexStatistics searched = example_statistics();
  searched.sample = 4;
  searched.recall = 0.98766;
  searched.by_graph = 3;
  searched.exact_time = std::chrono::microseconds(10);
  searched.approximate_time = std::chrono::microseconds(2);
  const std::string json = vector_statistics_json(searched);
  const std::string expected =
      R"("Sample":4,"Recall":0.9877,"ByGraph":3,"ExactMicroseconds":2.5,"ApproximateMicroseconds":0.5})";
  EXPECT_TRUE(json.ends_with(expected)) << json;
}

}  // namespace
}  // namespace dolmen
