#include "access/access_file.h"

#include <filesystem>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/test_directory.h"
#include "base/test_result.h"

namespace dolmen::access {
namespace {

using testing::HasSubstr;

AccessKey example() {
  return {.id = "DLMN2Q7VJ5XK3WZHPB4T",
          .secret = "a \"secret\" with 'quotes' and #",
          .role = Role::kReadWrite,
          .tables = {"orders", "orders-*"},
          .session_token = "token",
          .expires = Timestamp{.seconds = 2'000'000'000},
          .created = Timestamp{.seconds = 1'900'000'000}};
}

/// What is wrong with a text.
std::string problem_of(std::string_view text) {
  const auto keys = parse_access_file(text, "access.yaml");
  return keys ? "nothing" : keys.error().details().front().message;
}

TEST(AccessFile, reads_what_it_writes) {
  const TemporaryDirectory folder;
  const std::vector<AccessKey> keys{example(),
                                    {.id = "DLMNAAAAAAAAAAAAAAAA", .secret = "0123456789abcdef", .role = Role::kAdmin}};
  ASSERT_THAT(write_access_file(folder / "access.yaml", keys), succeeds());
  EXPECT_EQ(read_access_file(folder / "access.yaml").value(), keys);
  ASSERT_THAT(write_access_file(folder / "access.yaml", {}), succeeds());
  EXPECT_TRUE(read_access_file(folder / "access.yaml").value().empty());
}

TEST(AccessFile, is_for_its_owner_alone) {
  namespace fs = std::filesystem;
  const TemporaryDirectory folder;
  const fs::path file = folder / "access.yaml";
  ASSERT_THAT(write_access_file(file, {example()}), succeeds());
  EXPECT_EQ(fs::status(file).permissions(), fs::perms::owner_read | fs::perms::owner_write);
  for (const fs::perms others : {fs::perms::group_read, fs::perms::others_read, fs::perms::group_write}) {
    fs::permissions(file, fs::perms::owner_read | fs::perms::owner_write | others);
    const auto keys = read_access_file(file);
    ASSERT_THAT(keys, fails_with(Code::kInvalidArgument));
    EXPECT_THAT(keys.error().message(), HasSubstr("chmod 600"));
  }
}

TEST(AccessFile, says_what_is_wrong) {
  const std::string head = "keys:\n  - id: \"DLMN2Q7VJ5XK3WZHPB4T\"\n    secret: \"0123456789abcdef\"\n";
  EXPECT_EQ(problem_of(head + "    role: admin\n"), "nothing");
  EXPECT_THAT(problem_of("[]"), HasSubstr("must have the entry \"keys\""));
  EXPECT_THAT(problem_of("keys: {}"), HasSubstr("must be a list of access keys"));
  EXPECT_THAT(problem_of("keys: [1]"), HasSubstr("must be an access key"));
  EXPECT_THAT(problem_of(head), HasSubstr("is missing"));
  EXPECT_THAT(problem_of(head + "    role: root\n"), HasSubstr("must be read-only, read-write or admin"));
  EXPECT_THAT(problem_of(head + "    role: admin\n    table: [\"a\"]\n"), HasSubstr("is not known here"));
  EXPECT_THAT(problem_of(head + "    role: admin\n    tables: []\n"), HasSubstr("must be a list of names of tables"));
  EXPECT_THAT(problem_of(head + "    role: admin\n    expires: \"tomorrow\"\n"), HasSubstr("must be a time"));
  EXPECT_THAT(problem_of("keys:\n  - id: \"a b\"\n    secret: \"0123456789abcdef\"\n    role: admin\n"),
              HasSubstr("letters and digits"));
  EXPECT_THAT(problem_of("keys:\n  - id: \"DLMN2Q7VJ5XK3WZHPB4T\"\n    secret: \"short\"\n    role: admin\n"),
              HasSubstr("at least 16 characters"));
  const std::string one = head.substr(6) + "    role: admin\n";
  EXPECT_THAT(problem_of("keys:\n" + one + one), HasSubstr("the id of another key"));
}

TEST(AccessFile, shows_no_secret_when_it_complains) {
  const auto keys = parse_access_file(
      "keys:\n  - id: \"DLMN2Q7VJ5XK3WZHPB4T\"\n    secret: \"hunter2hunter2hunter2\"\n    role: boss\n", "f");
  ASSERT_FALSE(keys);
  EXPECT_THAT(keys.error().message(), testing::Not(HasSubstr("hunter2")));
}

TEST(AccessKey, patterns_stand_for_any_characters) {
  EXPECT_TRUE(matches("orders", "orders"));
  EXPECT_FALSE(matches("orders", "orders2"));
  EXPECT_TRUE(matches("*", ""));
  EXPECT_TRUE(matches("orders-*", "orders-"));
  EXPECT_TRUE(matches("*-prod-*", "a-prod-prod-b"));
  EXPECT_FALSE(matches("*-prod", "a-prod-b"));
  EXPECT_TRUE(matches("a*b*c", "axxbyybzzc"));
  EXPECT_FALSE(matches("a*b*c", "axxbyybzz"));
  EXPECT_FALSE(matches("", "a"));
}

}  // namespace
}  // namespace dolmen::access
