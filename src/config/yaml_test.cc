#include <gtest/gtest.h>

#include "config/read.h"

// Section 1.2: what YAML may say, and what every reader must understand alike.
namespace dolmen::config {
namespace {

std::string describe(const Node& node) {
  switch (node.kind) {
    case Node::Kind::kNull: return "null";
    case Node::Kind::kBoolean: return node.boolean ? "true" : "false";
    case Node::Kind::kNumber: return node.text;
    case Node::Kind::kString: return "'" + node.text + "'";
    case Node::Kind::kList: {
      std::string out = "[";
      for (const Node& element : node.elements) out += (out.size() > 1 ? "," : "") + describe(element);
      return out + "]";
    }
    case Node::Kind::kMap: {
      std::string out = "{";
      for (const Node::Entry& entry : node.entries)
        out += (out.size() > 1 ? "," : "") + entry.name + ":" + describe(entry.value);
      return out + "}";
    }
  }
  return "?";
}

/// The tree, or the first problem as "line:column rule".
std::string outcome(const Reading& reading) {
  if (!reading.problems.empty()) {
    const Problem& first = reading.problems.front();
    return std::to_string(first.position.line) + ":" + std::to_string(first.position.column) + " " + first.rule;
  }
  return describe(*reading.root);
}

std::string yaml(std::string_view text) { return outcome(read_yaml(text)); }
std::string json(std::string_view text) { return outcome(read_json(text)); }

TEST(Yaml, section_1_2_is_read_as_json_would_say_it) {
  EXPECT_EQ(yaml("a: 1\nb: [x, \"y\", null, true]\nc:\n  d: 1.5e+3\n  e:\n"),
            "{a:1,b:['x','y',null,true],c:{d:1.5e+3,e:null}}");
  EXPECT_EQ(yaml("--- # a remark\n- |\n  two\n  lines\n- 'it''s'\n"), "['two\nlines\n','it's']");
  EXPECT_EQ(yaml("\xEF\xBB\xBF"
                 "a: b"),
            "{a:'b'}");
}

TEST(Yaml, section_1_2_reads_pairs_of_quotes_that_follow_each_other) {
  EXPECT_EQ(yaml("'x''''y'"), "'x''y'");
  EXPECT_EQ(yaml("a: '" + std::string(60, '\'') + "b'"), "{a:'" + std::string(30, '\'') + "b'}");
  EXPECT_EQ(yaml("'one ''''  \t\n   two\n\n\n  three '''"), "'one '' two\n\nthree ''");
  EXPECT_EQ(yaml("'  \n x\r\n  y'"), "' x y'");
  EXPECT_EQ(yaml("\xEF\xBB\xBF# \xC3\xA9\n'\xC3\xA9''''': ''''"), "{\xC3\xA9'':'''}");
}

TEST(Yaml, section_1_2_knows_where_everything_stands) {
  const Reading reading = read_yaml("a: \"x\"\nb:\n  - 'y'\n  - { c: z, \"d\": 1 }\n");
  ASSERT_TRUE(reading.root);
  EXPECT_EQ(position_of(*reading.root, "a"), (Position{1, 4}));
  EXPECT_EQ(position_of(*reading.root, "b[0]"), (Position{3, 5}));
  EXPECT_EQ(position_of(*reading.root, "b[1]"), (Position{4, 5}));
  EXPECT_EQ(position_of(*reading.root, "b[1].c"), (Position{4, 10}));
  EXPECT_EQ(reading.root->find("b")->elements[1].entries[1].name_position, (Position{4, 13}));
}

TEST(Yaml, a_problem_at_the_end_is_in_the_last_line_also_when_that_has_no_line_feed) {
  EXPECT_EQ(yaml("{"), "1:2 yaml");
  EXPECT_EQ(yaml("{\n"), "2:1 yaml");
  EXPECT_EQ(yaml("a: 1\nb: [\"é\", 2"), "2:11 yaml");
}

TEST(Yaml, section_1_2_takes_json_as_it_is) {
  const char* text =
      "{\"a\": [1, -0.5, 1.0e+9, true, false, null, \"\\u00e9\\n\\/\\ud83d\\ude00\"],\n\t\"b\": {}, \"c\":[]}";
  EXPECT_EQ(json(text), "{a:[1,-0.5,1.0e+9,true,false,null,'\xC3\xA9\n/\xF0\x9F\x98\x80'],b:{},c:[]}");
  EXPECT_EQ(yaml(text), json(text));
  const std::string long_name(2000, 'n');
  EXPECT_EQ(yaml("{\"" + long_name + "\": 1}"), "{" + long_name + ":1}");
}

TEST(Yaml, section_1_2_refuses_what_json_cannot_say) {
  EXPECT_EQ(yaml("a: &x 1\nb: 2"), "1:4 anchor");
  EXPECT_EQ(yaml("a: 1\nb: *x"), "2:4 alias");
  EXPECT_EQ(yaml("a: &x {b: 1}\nc:\n  <<: *x"), "1:4 anchor");
  EXPECT_EQ(yaml("a:\n  <<: {b: 1}"), "2:3 merge_key");
  EXPECT_EQ(yaml("a: !foo bar"), "1:4 tag");
  EXPECT_EQ(yaml("a: !!str 12"), "1:4 tag");
  EXPECT_EQ(yaml("a: !!binary aGk="), "1:4 tag");
  EXPECT_EQ(yaml("a: !!set {x}"), "1:4 tag");
  EXPECT_EQ(yaml("%YAML 1.1\n---\na: 1"), "1:1 directive");
  EXPECT_EQ(yaml("a: 1\n---\nb: 1"), "2:1 one_document");
  EXPECT_EQ(yaml("{1: a}"), "1:2 string_names");
  EXPECT_EQ(yaml("~: a"), "1:1 string_names");
  EXPECT_EQ(yaml("true: a"), "1:1 string_names");
  EXPECT_EQ(yaml("[a, b]: c"), "1:1 string_names");
  EXPECT_EQ(yaml("a: 1\nb: 2\na: 3"), "3:1 unique_names");
  EXPECT_EQ(yaml("a:\n\tb: 1"), "2:1 yaml");
  EXPECT_EQ(yaml(""), "1:1 yaml");
  EXPECT_EQ(yaml("# nothing\n"), "1:1 yaml");
  EXPECT_EQ(yaml("a: \"\xFF\""), "1:1 utf8");
  EXPECT_EQ(yaml("a: \x01"), "1:1 yaml");
}

TEST(Yaml, section_1_2_names_every_problem_and_goes_on) {
  const Reading reading = read_yaml("a: &x 1\nb: [!t 2, 2020-01-01]\nb: *x");
  ASSERT_EQ(reading.problems.size(), 5U);
  EXPECT_EQ(reading.problems[1].path, "b[0]");
  EXPECT_EQ(reading.problems[2].message,
            "2020-01-01 is a date to some YAML readers and a string to others; write \"2020-01-01\"");
  EXPECT_EQ(reading.problems[3].rule, "unique_names");
  EXPECT_EQ(reading.problems[4].rule, "alias");
}

TEST(Yaml, section_1_2_resolves_scalars_alike_for_all_readers) {
  for (const char* text : {"0.1.0", "1e", "2020-01", "yEs", "nO", "onn", "a_b", "10-20", "==", "10.0.0.1:80", "1:2a",
                           "1_x", "0b12", "1st", "x:1", "_1", "y", "N"})
    EXPECT_EQ(yaml("a: " + std::string(text)), "{a:'" + std::string(text) + "'}");
  for (const char* text : {"2020-01-01",
                           "2020-1-1 1:02:03",
                           "2026-01-16T01:02:03Z",
                           "010",
                           "-01",
                           "00.5",
                           "0o10",
                           "0x1F",
                           ".inf",
                           "-.INF",
                           ".NaN",
                           "yes",
                           "No",
                           "ON",
                           "off",
                           "~",
                           "Null",
                           "NULL",
                           "1_000",
                           "1:30",
                           "-1_0.5",
                           "0b11",
                           "0x1_F",
                           "=",
                           "1e3",
                           "1.5e3",
                           "-.5",
                           "0X1F",
                           "0B1",
                           "1_0e5",
                           "12:30:45.5"})
    EXPECT_EQ(yaml("a: " + std::string(text)), "1:4 scalar") << text;
  EXPECT_EQ(yaml("[0, -0, +1, .5, 1., 1.0e+5, 12345678901234567890123, True, FALSE]"),
            "[0,-0,1,0.5,1.0,1.0e+5,12345678901234567890123,true,false]");
  EXPECT_EQ(yaml("['2020-01-01', \"010\", \"~\", 'yes', \"NULL\"]"), "['2020-01-01','010','~','yes','NULL']");
  EXPECT_EQ(yaml("on: 1"), "1:1 string_names");
  EXPECT_EQ(yaml("a: 12::30"), "{a:'12::30'}") << "not a number to the base of 60";
}

TEST(Yaml, section_1_2_says_what_to_write_instead) {
  const auto message = [](const char* text) { return read_yaml(text).problems.at(0).message; };
  EXPECT_EQ(message("[Yes]"), "Yes is a boolean to some YAML readers and a string to others; write true, or \"Yes\"");
  EXPECT_EQ(message("[off]"), "off is a boolean to some YAML readers and a string to others; write false, or \"off\"");
  EXPECT_EQ(message("[NULL]"), "NULL without quotes is null to most YAML readers; write null, or \"NULL\"");
  EXPECT_EQ(message("[-2e7]"),
            "-2e7 is a string to some YAML readers and a number to others; write -2.0e+7, or \"-2e7\"");
  EXPECT_EQ(message("[-.5]"), "-.5 is a string to some YAML readers and a number to others; write -0.5, or \"-.5\"");
}

TEST(Yaml, section_1_2_has_limits) {
  EXPECT_EQ(yaml(std::string(32, '[') + std::string(32, ']')).substr(0, 2), "[[");
  EXPECT_EQ(yaml(std::string(33, '[') + std::string(33, ']')), "1:33 depth");
  EXPECT_EQ(json(std::string(33, '[') + std::string(33, ']')), "1:33 json");
  EXPECT_EQ(outcome(read_yaml("a: 1", {.bytes = 3})), "1:1 size");
  EXPECT_EQ(outcome(read_json("[1]", {.bytes = 2})), "1:1 json");
}

TEST(Json, refuses_what_is_not_strict) {
  for (const char* text : {"",
                           "NaN",
                           "Infinity",
                           "{\"a\":}",
                           "[1,]",
                           "{\"a\":1,\"a\":2}",
                           "\"\\ud800\"",
                           "\"\\udc00\"",
                           "\"\\ud800\\u0041\"",
                           "01",
                           "-",
                           "1.",
                           "1e",
                           "'x'",
                           "{a:1}",
                           "[1 2]",
                           "{\"a\" 1}",
                           "\"a\nb\"",
                           "\"a\tb\"",
                           "\"abc",
                           "\"\\x\"",
                           "\"\\u12\"",
                           "1 x",
                           "tru",
                           "\xFF",
                           "// x\n1"})
    EXPECT_FALSE(read_json(text).problems.empty()) << text;
}

TEST(Json, knows_where_everything_stands) {
  const Reading reading = read_json("{\n  \"\xC3\xA9\": [1,\n    {\"b\": 2}]\n}");
  ASSERT_TRUE(reading.root);
  EXPECT_EQ(position_of(*reading.root, "\xC3\xA9[1].b"), (Position{3, 11}));
  EXPECT_EQ(position_of(*reading.root, "\xC3\xA9[0]"), (Position{2, 9}));
  EXPECT_EQ(position_of(*reading.root, "\xC3\xA9[1].missing.deeper"), (Position{3, 5}));
  EXPECT_EQ(outcome(read_json("{\"a\": 1,\n \"a\": 2}")), "2:2 unique_names");
  EXPECT_EQ(read_json("{\"a\": [1, tru]}").problems.at(0).path, "a[1]");
}

}  // namespace
}  // namespace dolmen::config
