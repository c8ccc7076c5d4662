// The stories of cases/*.json: requests as JSON and what a server answers, through the wire's own code but without a
// network. tests/system/js/vectors.test.cjs sends the same requests with the AWS SDK.
//
//   rule      what the request shows
//   call      the operation, and `with` its parameters; or `raw`, the text of the body as it is
//   answer    members that the response must have, and `absent` names of members that it must not have, as paths
//   error     the type of the error, and `message` its text, or `contains` a part of it
//   until     repeats a read until it answers like that
#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <thread>

#include "base/sleep.h"
#include "engine/engine.h"
#include "engine/keyspaces.h"
#include "protocol/errors.h"
#include "service/wait.h"
#include "value/json_types.h"
#include "wire/operations.h"

namespace dolmen::engine {
namespace {

using simdjson::dom::element;

/// What is different; empty when the answer has everything that is wanted.
std::string difference(element wanted, element found, const std::string& path) {
  if (wanted.is_object() && found.is_object()) {
    for (const auto [key, value] : simdjson::dom::object(wanted)) {
      element member;
      const std::string inner = fmt::format("{}.{}", path, key);
      if (simdjson::dom::object(found).at_key(key).get(member) != simdjson::SUCCESS) return inner + " is missing";
      if (std::string text = difference(value, member, inner); !text.empty()) return text;
    }
    return "";
  }
  if (wanted.is_array() && found.is_array()) {
    const simdjson::dom::array a(wanted);
    const simdjson::dom::array b(found);
    if (a.size() != b.size()) return fmt::format("{} has {} elements, not {}", path, b.size(), a.size());
    for (std::size_t i = 0; i < a.size(); ++i)
      if (std::string text = difference(a.at(i), b.at(i), fmt::format("{}[{}]", path, i)); !text.empty()) return text;
    return "";
  }
  double a = 0;
  double b = 0;
  const bool numbers = wanted.get(a) == simdjson::SUCCESS && found.get(b) == simdjson::SUCCESS;
  const bool same = numbers ? std::abs(a - b) <= 1e-6 * std::max(1.0, std::abs(a))
                            : std::string(simdjson::minify(wanted)) == std::string(simdjson::minify(found));
  return same ? ""
              : fmt::format("{} is {}, not {}", path, std::string(simdjson::minify(found)),
                            std::string(simdjson::minify(wanted)));
}

/// Whether "A.B.0.C" leads somewhere.
bool leads_somewhere(element at, std::string_view path) {
  while (!path.empty()) {
    const std::string_view step = path.substr(0, path.find('.'));
    path.remove_prefix(std::min(path.size(), step.size() + 1));
    element next;
    const auto found = at.is_array() ? simdjson::dom::array(at).at(static_cast<std::size_t>(step[0] - '0')).get(next)
                                     : simdjson::dom::object(at).at_key(step).get(next);
    if (found != simdjson::SUCCESS) return false;
    at = next;
  }
  return true;
}

std::string text_of(element object, std::string_view name) {
  const std::string_view text = object[name];
  return std::string(text);
}

class Story {
 public:
  Story()
      : engine_(
            Engine::open(
                storage::Storage::open({.durability = Durability::kMemory, .keyspaces = keyspaces::names()}).value())
                .value()) {}

  void check(element one) {
    const std::string rule = text_of(one, "rule");
    SCOPED_TRACE(rule);
    element wanted;
    if (one["until"].get(wanted) == simdjson::SUCCESS) return await(one, wanted);
    const Result<std::string> answer = send(one);
    if (one["error"].get(wanted) == simdjson::SUCCESS) return check_error(one, answer);
    ASSERT_TRUE(answer.has_value()) << answer.error().message();
    simdjson::dom::parser parser;
    const element found = parser.parse(*answer);
    if (one["answer"].get(wanted) == simdjson::SUCCESS) {
      const std::string text = difference(wanted, found, "");
      EXPECT_EQ(text, "") << *answer;
    }
    if (one["absent"].get(wanted) != simdjson::SUCCESS) return;
    for (const element path : simdjson::dom::array(wanted)) {
      const std::string_view steps = path;
      EXPECT_FALSE(leads_somewhere(found, steps)) << steps << ": " << *answer;
    }
  }

 private:
  Result<std::string> send(element one) {
    const std::string operation = text_of(one, "call");
    element with;
    std::string body = "{}";
    if (one["with"].get(with) == simdjson::SUCCESS) body = simdjson::minify(with);
    if (one["raw"].get(with) == simdjson::SUCCESS) body = text_of(one, "raw");
    return wait_for<std::string>([&](Done<std::string> done) {
      wire::execute(wire::Interface::kTables, operation, body, {.service = *engine_, .account = account_},
                    std::move(done));
    });
  }

  void await(element one, element wanted) {
    std::string text;
    for (int i = 0; i < 3000; ++i) {
      const Result<std::string> answer = send(one);
      simdjson::dom::parser parser;
      text = answer ? difference(wanted, parser.parse(*answer), "") : std::string(answer.error().message());
      if (text.empty()) return;
      sleep_for(std::chrono::milliseconds(10));
    }
    FAIL() << text;
  }

  static void check_error(element one, const Result<std::string>& answer) {
    ASSERT_FALSE(answer.has_value()) << *answer;
    const std::string_view type = wire_error(answer.error().code()).type;
    EXPECT_EQ(type.substr(type.find('#') + 1), text_of(one, "error")) << answer.error().message();
    element text;
    if (one["message"].get(text) == simdjson::SUCCESS) {
      EXPECT_EQ(answer.error().message(), text_of(one, "message"));
    }
    if (one["contains"].get(text) == simdjson::SUCCESS) {
      EXPECT_NE(answer.error().message().find(text_of(one, "contains")), std::string::npos) << answer.error().message();
    }
  }

  const wire::Account account_;
  const std::unique_ptr<Engine> engine_;
};

TEST(VectorCases, are_answered_as_by_aws) {
  std::size_t stories = 0;
  for (const auto& entry : std::filesystem::directory_iterator("tests/engine/vectors/cases")) {
    SCOPED_TRACE(entry.path().filename().string());
    simdjson::dom::parser parser;
    element cases;
    ASSERT_EQ(parser.load(entry.path().string()).get(cases), simdjson::SUCCESS);
    Story story;
    for (const element one : simdjson::dom::array(cases)) story.check(one);
    ++stories;
  }
  EXPECT_GT(stories, 3U);
}

}  // namespace
}  // namespace dolmen::engine
