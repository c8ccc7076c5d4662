#include "storage/manifest_seal.h"

#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <string>

#include "base/test_directory.h"

namespace dolmen::storage {
namespace {

/// A folder that looks like a database to the seal.
class ManifestSealTest : public testing::Test {
 protected:
  void SetUp() override {
    write("CURRENT", "MANIFEST-000005\n");
    write("MANIFEST-000005", "one two three");
    ASSERT_TRUE(seal().renew().has_value());
  }

  void write(const std::string& name, const std::string& content) { std::ofstream(folder_ / name) << content; }
  [[nodiscard]] ManifestSeal seal() const { return {folder_.path(), folder_ / "SEAL"}; }

  TemporaryDirectory folder_;
};

TEST_F(ManifestSealTest, passes_the_list_that_was_sealed_and_a_longer_one) {
  EXPECT_TRUE(seal().check().has_value());
  write("MANIFEST-000005", "one two three four, perhaps torn");
  EXPECT_TRUE(seal().check().has_value());
}

TEST_F(ManifestSealTest, refuses_a_list_that_was_cut_by_a_single_byte) {
  write("MANIFEST-000005", "one two thre");
  const Result<void> checked = seal().check();
  ASSERT_FALSE(checked.has_value());
  EXPECT_EQ(checked.error().code(), Code::kCorruption);
  EXPECT_NE(checked.error().message().find("MANIFEST-000005"), std::string::npos);
}

TEST_F(ManifestSealTest, refuses_a_list_of_the_same_length_with_another_byte) {
  write("MANIFEST-000005", "one two Three");
  EXPECT_EQ(seal().check().error().code(), Code::kCorruption);
}

TEST_F(ManifestSealTest, passes_a_newer_list_that_a_crash_has_left_unsealed) {
  write("CURRENT", "MANIFEST-000009\n");
  write("MANIFEST-000009", "one");
  EXPECT_TRUE(seal().check().has_value());
  ASSERT_TRUE(seal().renew().has_value());
  write("CURRENT", "MANIFEST-000005\n");
  EXPECT_EQ(seal().check().error().code(), Code::kCorruption);
}

TEST_F(ManifestSealTest, passes_a_store_without_a_seal_and_refuses_one_with_a_damaged_seal) {
  write("SEAL", "MANIFEST-000005 13");
  EXPECT_EQ(seal().check().error().code(), Code::kCorruption);
  std::filesystem::remove(folder_ / "SEAL");
  EXPECT_TRUE(seal().check().has_value());
}

}  // namespace
}  // namespace dolmen::storage
