#include "cli/command_line.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sstream>

namespace dolmen::cli {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

struct Flags {
  std::string name;
  std::string mode = "fast";
  std::string data = "./data";
  std::uint32_t limit = 10;
  std::optional<std::int64_t> from;
  double seconds = 1.5;
  std::vector<std::string> tags;
  std::vector<std::string> rest;
  bool memory = false;
};

/// A program with the verbs `tool make` and `tool list`, and what a call of it did.
struct Program {
  CommandLine line{"prog", "A program", "prog 1.2.3"};
  Flags flags;
  std::string ran;
  std::string out;
  std::string err;

  Program() {
    const Verb tool = line.root().verb("tool", "Work with tools");
    const Verb make = tool.verb("make", "Make a tool");
    make.text("NAME", flags.name, "Name of the tool").required();
    make.text("--mode", flags.mode, "How to make it").one_of({"fast", "good"});
    make.number("--limit", flags.limit, "Largest number", {1, 1000});
    make.number("--from", flags.from, "First moment");
    make.number("--seconds", flags.seconds, "Time", {0.001, 60});
    make.texts("--tag", flags.tags, "Label").shown_as("WORD");
    const Option data = make.text("--data", flags.data, "Directory").shown_as("DIR").not_empty();
    make.flag("--memory", flags.memory, "In memory").not_with(data);
    make.runs([this] { return ran = "make", 0; });
    const Verb list = tool.verb("list", "List tools");
    list.arguments("NAME", flags.rest, "Names");
    list.runs([this] { return ran = "list", 7; });
    const Verb former = tool.verb("enumerate", "The former name of list").hidden();
    former.runs([this] { return ran = "enumerate", 0; });
  }

  int run(std::vector<const char*> arguments) {
    arguments.insert(arguments.begin(), "prog");
    std::ostringstream out_stream;
    std::ostringstream err_stream;
    const int code = line.run(static_cast<int>(arguments.size()), arguments.data(), out_stream, err_stream);
    out = out_stream.str();
    err = err_stream.str();
    return code;
  }

  /// The first line that a wrong call prints.
  std::string problem(std::vector<const char*> arguments) {
    EXPECT_EQ(run(std::move(arguments)), kUsageError);
    EXPECT_EQ(ran, "");
    EXPECT_EQ(out, "");
    return err.substr(0, err.find('\n'));
  }
};

TEST(CommandLine, fills_the_targets_and_returns_what_the_action_returns) {
  Program program;
  EXPECT_EQ(program.run({"tool", "make", "hammer", "--limit", "20", "--from", "-5", "--seconds", "2.5", "--tag", "a",
                         "--tag", "b", "--mode", "good", "--memory"}),
            0);
  EXPECT_EQ(program.ran, "make");
  EXPECT_EQ(program.flags.name, "hammer");
  EXPECT_EQ(program.flags.limit, 20U);
  EXPECT_EQ(program.flags.from, -5);
  EXPECT_EQ(program.flags.seconds, 2.5);
  EXPECT_EQ(program.flags.tags, (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(program.flags.mode, "good");
  EXPECT_TRUE(program.flags.memory);
  EXPECT_EQ(Program().run({"tool", "list", "x", "y"}), 7);
}

TEST(CommandLine, takes_one_value_for_each_time_that_a_repeated_option_is_given) {
  Program program;
  EXPECT_EQ(program.run({"tool", "make", "--tag", "a", "hammer"}), 0);
  EXPECT_EQ(program.flags.tags, std::vector<std::string>{"a"});
  EXPECT_EQ(program.flags.name, "hammer");
}

TEST(CommandLine, names_the_option_and_the_value_that_is_not_a_number_in_its_range) {
  for (const char* value : {"x", "0", "1001", "-1", "1.5", "", "10x", "99999999999999999999"})
    EXPECT_EQ(Program().problem({"tool", "make", "n", "--limit", value}),
              "dolmen: --limit: \"" + std::string(value) + "\" is not a whole number from 1 to 1000");
  EXPECT_EQ(Program().problem({"tool", "make", "n", "--from", "soon"}),
            "dolmen: --from: \"soon\" is not a whole number");
  for (const char* value : {"nan", "inf", "0", "61", "1s"})
    EXPECT_EQ(Program().problem({"tool", "make", "n", "--seconds", value}),
              "dolmen: --seconds: \"" + std::string(value) + "\" is not a number from 0.001 to 60");
}

TEST(CommandLine, names_the_words_that_an_option_accepts) {
  EXPECT_EQ(Program().problem({"tool", "make", "n", "--mode", "cheap"}),
            "dolmen: --mode: \"cheap\" is not allowed; use fast or good");
}

TEST(CommandLine, refuses_an_empty_value_where_a_script_may_have_lost_a_variable) {
  EXPECT_EQ(Program().problem({"tool", "make", "n", "--data", ""}), "dolmen: --data: the value is empty");
}

TEST(CommandLine, names_both_options_that_cannot_be_used_together) {
  EXPECT_EQ(Program().problem({"tool", "make", "n", "--data", "x", "--memory"}),
            "dolmen: --memory and --data cannot be used together");
}

TEST(CommandLine, names_what_is_missing_or_too_much) {
  EXPECT_EQ(Program().problem({"tool", "make"}), "dolmen: NAME is missing");
  EXPECT_EQ(Program().problem({"tool", "make", "n", "--mode"}), "dolmen: --mode needs a value");
  EXPECT_EQ(Program().problem({"tool", "make", "n", "--speed"}),
            "dolmen: --speed is not an option of \"prog tool make\"");
  EXPECT_EQ(Program().problem({"tool", "make", "n", "m"}),
            "dolmen: \"m\" is one argument too many for \"prog tool make\"");
  EXPECT_EQ(Program().problem({"tool", "make", "n", "--mode", "fast", "--mode", "good"}),
            "dolmen: --mode can be given only once");
}

TEST(CommandLine, lists_the_verbs_when_one_is_missing_or_unknown) {
  EXPECT_EQ(Program().problem({}), "dolmen: \"prog\" needs a verb: tool");
  EXPECT_EQ(Program().problem({"tool"}), "dolmen: \"prog tool\" needs a verb: make, list");
  EXPECT_EQ(Program().problem({"tool", "break"}),
            "dolmen: \"break\" is not a verb of \"prog tool\"; its verbs are make, list");
}

TEST(CommandLine, suggests_what_was_probably_meant) {
  EXPECT_EQ(Program().problem({"tool", "mkae"}), "dolmen: \"mkae\" is not a verb of \"prog tool\"; did you mean make?");
  EXPECT_EQ(Program().problem({"tool", "make", "n", "--limits", "1"}),
            "dolmen: --limits is not an option of \"prog tool make\"; did you mean --limit?");
}

TEST(CommandLine, says_what_is_wrong_as_json_when_asked_for_json) {
  Program program;
  EXPECT_EQ(program.run({"tool", "make", "--json"}), kUsageError);
  EXPECT_EQ(program.err, "");
  EXPECT_EQ(program.out, "{\"details\":[],\"error\":\"InvalidArgument\",\"message\":\"NAME is missing\"}\n");
}

TEST(CommandLine, says_which_help_to_read) {
  Program program;
  program.problem({"tool", "make"});
  EXPECT_THAT(program.err, HasSubstr("Run \"prog tool make --help\" to see how it is used.\n"));
}

TEST(CommandLine, prints_help_with_forms_and_defaults_and_without_hidden_verbs) {
  Program program;
  EXPECT_EQ(program.run({"tool", "make", "--help"}), 0);
  EXPECT_EQ(program.ran, "");
  EXPECT_EQ(program.err, "");
  EXPECT_THAT(program.out, HasSubstr("--data DIR [./data]"));
  EXPECT_THAT(program.out, HasSubstr("--limit NUMBER [10]"));
  EXPECT_THAT(program.out, HasSubstr("--mode fast|good [fast]"));
  EXPECT_EQ(program.run({"tool", "--help"}), 0);
  EXPECT_THAT(program.out, Not(HasSubstr("enumerate")));
  EXPECT_EQ(program.run({"tool", "enumerate"}), 0);
  EXPECT_EQ(program.ran, "enumerate");
}

TEST(CommandLine, prints_its_version) {
  Program program;
  EXPECT_EQ(program.run({"--version"}), 0);
  EXPECT_EQ(program.out, "prog 1.2.3\n");
}

}  // namespace
}  // namespace dolmen::cli
