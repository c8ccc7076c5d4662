#include "config/settings.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/test_result.h"

namespace dolmen::config {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

/// A program with a setting of each kind.
struct Program {
  std::string host = "127.0.0.1";
  std::string mode = "fast";
  std::uint64_t port = 8000;
  bool memory = false;
  std::string data = "./data";
  std::vector<std::string> names;

  Settings settings{{
      {.name = "host", .target = &host, .help = "", .may_be_empty = false},
      {.name = "mode", .target = &mode, .help = "", .words = {"fast", "good", "cheap"}},
      {.name = "port", .target = &port, .help = "", .smallest = 1, .largest = 65535},
      {.name = "memory", .target = &memory, .help = "", .not_with = {"data"}},
      {.name = "data", .target = &data, .help = ""},
      {.name = "host_name", .target = &names, .help = "", .may_be_empty = false},
  }};

  Result<void> file(std::string_view text) { return settings.read_text(text, "s.yaml"); }
  Result<void> variables(std::vector<std::string> all) {
    constexpr std::string_view kOthers[] = {"DOLMEN_LEASE_*", "DOLMEN_BIN"};
    return settings.read_environment(all, kOthers);
  }
  Result<void> flag(std::string_view name, std::vector<std::string> values) { return settings.read_flag(name, values); }
};

/// What a file is refused for.
std::string refusal_of(std::string_view text) {
  const Result<void> read = Program().file(text);
  return read ? "" : read.error().message();
}

TEST(Settings, come_from_a_file_then_the_environment_then_flags) {
  Program program;
  ASSERT_TRUE(program.file("port: 1\nmode: good\nhost: a\nmemory: true\nhost_name: [x, y]\n"));
  ASSERT_TRUE(program.variables({"PATH=/bin", "DOLMEN_PORT=2", "DOLMEN_MODE=cheap", "DOLMEN_HOST_NAME=p,q"}));
  ASSERT_TRUE(program.flag("port", {"3"}));
  ASSERT_TRUE(program.flag("memory", {"false"}));
  EXPECT_EQ(program.port, 3U);
  EXPECT_EQ(program.mode, "cheap");
  EXPECT_EQ(program.host, "a");
  EXPECT_FALSE(program.memory);
  EXPECT_THAT(program.names, ElementsAre("p", "q"));
  EXPECT_EQ(program.settings.find("port")->place, "--port");
  EXPECT_EQ(program.settings.find("mode")->place, "DOLMEN_MODE");
  EXPECT_EQ(program.settings.find("host")->place, "s.yaml:3:7");
  EXPECT_EQ(program.settings.find("data")->origin, Origin::kDefault);
}

TEST(Settings, take_one_text_for_a_list_of_one) {
  Program program;
  ASSERT_TRUE(program.file("host_name: x.example\n"));
  EXPECT_THAT(program.names, ElementsAre("x.example"));
}

TEST(Settings, refuse_a_file_without_any) { EXPECT_EQ(refusal_of("# nothing\n"), "s.yaml:1:1: the file is empty"); }

TEST(Settings, refuse_unknown_names_with_the_nearest_one) {
  EXPECT_EQ(refusal_of("port: 1\nhost-name: x\n"),
            "s.yaml:2:1: \"host-name\" is not a setting; did you mean \"host_name\"?");
  EXPECT_EQ(refusal_of("prot: 1\n"), "s.yaml:1:1: \"prot\" is not a setting; did you mean \"port\"?");
  EXPECT_THAT(refusal_of("zzzzzzzz: 1\n"), HasSubstr("\"dolmen config show\" lists them all"));
  const Result<void> read = Program().variables({"DOLMEN_PROT=1"});
  ASSERT_THAT(read, fails_with(Code::kInvalidArgument));
  EXPECT_EQ(read.error().message(), "DOLMEN_PROT in the environment is not a setting; did you mean DOLMEN_PORT?");
}

TEST(Settings, leave_variables_of_other_programs_alone) {
  EXPECT_TRUE(Program().variables({"DOLMEN_LEASE_KEY=x", "DOLMEN_BIN=y", "HOME=/", "NOTHING"}));
  EXPECT_FALSE(Program().variables({"DOLMEN_BINS=y"}));
}

TEST(Settings, refuse_wrong_values_with_their_place) {
  EXPECT_EQ(refusal_of("port: 65536\n"), "s.yaml:1:7: port: \"65536\" is not a whole number from 1 to 65535");
  EXPECT_EQ(refusal_of("port: 1.5\n"), "s.yaml:1:7: port: \"1.5\" is not a whole number from 1 to 65535");
  EXPECT_EQ(refusal_of("port: \"1\"\n"), "s.yaml:1:7: port has to be a number, and this is a string");
  EXPECT_EQ(refusal_of("memory: 1\n"), "s.yaml:1:9: memory has to be a boolean, and this is a number");
  EXPECT_EQ(refusal_of("mode: bad\n"), "s.yaml:1:7: mode: \"bad\" is not allowed; use fast, good or cheap");
  EXPECT_EQ(refusal_of("host_name: [a, \"\"]\n"), "s.yaml:1:16: host_name: the value is empty");
  EXPECT_EQ(refusal_of("host: [a]\n"), "s.yaml:1:7: host has to be a string, and this is a list");
  EXPECT_THAT(refusal_of("- port\n"), HasSubstr("s.yaml:1:1: the settings have to be a map"));
  EXPECT_THAT(refusal_of("port: 1\nport: 2\n"), HasSubstr("s.yaml:2:1"));
  EXPECT_EQ(Program().variables({"DOLMEN_PORT=x"}).error().message(),
            "DOLMEN_PORT: \"x\" is not a whole number from 1 to 65535");
  EXPECT_EQ(Program().variables({"DOLMEN_MEMORY=yes"}).error().message(),
            "DOLMEN_MEMORY: \"yes\" is neither true nor false");
  EXPECT_EQ(Program().flag("host", {""}).error().message(), "--host: the value is empty");
}

TEST(Settings, name_the_words_that_are_allowed) {
  std::string way = "up";
  Settings settings{{{.name = "way", .target = &way, .help = "", .words = {"up", "down"}}}};
  EXPECT_THAT(settings.read_text("way: left\n", "s.yaml"),
              fails_with(Code::kInvalidArgument, HasSubstr("use up or down")));
}

TEST(Settings, tell_all_that_is_wrong_with_a_file) {
  const Result<void> read = Program().file("prot: 1\nport: 0\nmode: fast\n");
  ASSERT_THAT(read, fails_with(Code::kInvalidArgument));
  EXPECT_EQ(read.error().details().size(), 2U);
}

TEST(Settings, that_exclude_each_other_are_refused_unless_the_switch_is_stronger) {
  Program same;
  ASSERT_TRUE(same.file("memory: true\ndata: d\n"));
  EXPECT_EQ(same.settings.check_exclusions().error().message(),
            "memory (s.yaml:1:9) and data (s.yaml:2:7) cannot be used together");
  Program weaker;
  ASSERT_TRUE(weaker.file("memory: true\n"));
  ASSERT_TRUE(weaker.flag("data", {"d"}));
  EXPECT_FALSE(weaker.settings.check_exclusions());
  Program stronger;
  ASSERT_TRUE(stronger.file("data: d\n"));
  ASSERT_TRUE(stronger.flag("memory", {"true"}));
  EXPECT_TRUE(stronger.settings.check_exclusions());
  Program off;
  ASSERT_TRUE(off.file("memory: false\ndata: d\n"));
  EXPECT_TRUE(off.settings.check_exclusions());
}

}  // namespace
}  // namespace dolmen::config
