#include "storage/manifest_seal.h"

#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <string>

#include "base/test_directory.h"
#include "base/test_result.h"
#include "base/test_steps.h"

namespace dolmen::storage {
namespace {

/// A folder that looks like a database to the seal.
class ManifestSealTest : public testing::Test {
 protected:
  void SetUp() override {
    write("CURRENT", "MANIFEST-000005\n");
    write("MANIFEST-000005", "one two three");
    ASSERT_THAT(seal().renew(), succeeds());
  }

  void write(const std::string& name, const std::string& content) { std::ofstream(folder_ / name) << content; }
  [[nodiscard]] ManifestSeal seal() const { return {folder_.path(), folder_ / "SEAL"}; }

  TemporaryDirectory folder_;
};

TEST_F(ManifestSealTest, passes_the_list_that_was_sealed_and_a_longer_one) {
  EXPECT_THAT(seal().check(), succeeds());
  write("MANIFEST-000005", "one two three four, perhaps torn");
  EXPECT_THAT(seal().check(), succeeds());
}

TEST_F(ManifestSealTest, refuses_a_list_that_was_cut_by_a_single_byte) {
  write("MANIFEST-000005", "one two thre");
  const Result<void> checked = seal().check();
  ASSERT_FALSE(checked.has_value());
  EXPECT_THAT(checked, fails_with(Code::kCorruption));
  EXPECT_NE(checked.error().message().find("MANIFEST-000005"), std::string::npos);
}

TEST_F(ManifestSealTest, refuses_a_list_of_the_same_length_with_another_byte) {
  write("MANIFEST-000005", "one two Three");
  EXPECT_THAT(seal().check(), fails_with(Code::kCorruption));
}

TEST_F(ManifestSealTest, passes_a_newer_list_that_a_crash_has_left_unsealed) {
  write("CURRENT", "MANIFEST-000009\n");
  write("MANIFEST-000009", "one");
  EXPECT_THAT(seal().check(), succeeds());
  ASSERT_THAT(seal().renew(), succeeds());
  write("CURRENT", "MANIFEST-000005\n");
  EXPECT_THAT(seal().check(), fails_with(Code::kCorruption));
}

TEST_F(ManifestSealTest, passes_a_newer_list_whose_number_has_a_digit_more) {
  write("CURRENT", "MANIFEST-999999\n");
  write("MANIFEST-999999", "one");
  ASSERT_THAT(seal().renew(), succeeds());
  write("CURRENT", "MANIFEST-1000000\n");
  write("MANIFEST-1000000", "two");
  EXPECT_THAT(seal().check(), succeeds());
  ASSERT_THAT(seal().renew(), succeeds());
  write("CURRENT", "MANIFEST-999999\n");
  EXPECT_THAT(seal().check(), fails_with(Code::kCorruption));
}

TEST_F(ManifestSealTest, refuses_a_list_that_has_another_name) {
  write("CURRENT", "SOMETHING-000009\n");
  write("SOMETHING-000009", "one two three");
  EXPECT_THAT(seal().check(), fails_with(Code::kCorruption));
}

TEST_F(ManifestSealTest, calls_a_seal_damaged_whatever_its_bytes_are) {
  for (const char* text : {"", "\n", " \n", "  \n", "   \n", "MANIFEST-000005\n", "MANIFEST-000005 \n",
                           "MANIFEST-000005  x\n", "MANIFEST-000005 13x 0\n", "MANIFEST-000005 -1 0\n",
                           "MANIFEST-000005 99999999999999999999999 0\n", "MANIFEST-00000x 13 0\n", "other 13 0\n"}) {
    write("SEAL", text);
    const Result<void> checked = seal().check();
    ASSERT_FALSE(checked.has_value()) << text;
    EXPECT_NE(checked.error().message().find("the seal"), std::string::npos) << checked.error().message();
  }
}

TEST_F(ManifestSealTest, fails_without_an_exception_when_the_seal_cannot_be_looked_for) {
  const std::filesystem::path looped = folder_ / "loop";
  std::filesystem::create_symlink(looped, looped);
  EXPECT_FALSE(ManifestSeal(folder_.path(), looped / "SEAL").check().has_value());
}

TEST_F(ManifestSealTest, syncs_the_list_before_the_seal_and_the_seal_before_its_name) {
  WatchedSteps watched;
  ManifestSeal watched_seal(folder_.path(), folder_ / "SEAL", watched.writer());
  ASSERT_THAT(watched_seal.renew(), succeeds());
  ASSERT_EQ(watched.steps.size(), 5U);
  EXPECT_TRUE(watched.steps[0].starts_with("sync MANIFEST")) << watched.steps[0];
  EXPECT_EQ((std::vector<std::string>(watched.steps.begin() + 1, watched.steps.end())),
            (std::vector<std::string>{"write SEAL.tmp", "sync SEAL.tmp", "rename SEAL",
                                      "sync_folder " + folder_.path().filename().string()}));
}

TEST_F(ManifestSealTest, passes_a_store_without_a_seal_and_refuses_one_with_a_damaged_seal) {
  write("SEAL", "MANIFEST-000005 13");
  EXPECT_THAT(seal().check(), fails_with(Code::kCorruption));
  std::filesystem::remove(folder_ / "SEAL");
  EXPECT_THAT(seal().check(), succeeds());
}

}  // namespace
}  // namespace dolmen::storage
