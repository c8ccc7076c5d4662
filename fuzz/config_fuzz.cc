// Files that people write: any text is read as YAML and as JSON, or has problems at places that it has; what both
// readers accept means the same to both; and settings take it or refuse it with reasons.
#include <algorithm>
#include <vector>

#include "config/read.h"
#include "config/settings.h"
#include "fuzz/fuzz.h"

using namespace dolmen;
using config::Node;

namespace {

/// The same without regard to places.
bool same(const Node& one, const Node& other) {
  const auto same_entry = [](const Node::Entry& a, const Node::Entry& b) {
    return a.name == b.name && same(a.value, b.value);
  };
  const bool has_text = one.kind == Node::Kind::kString || one.kind == Node::Kind::kNumber;
  return one.kind == other.kind && one.boolean == other.boolean && (!has_text || one.text == other.text) &&
         std::ranges::equal(one.elements, other.elements, same) &&
         std::ranges::equal(one.entries, other.entries, same_entry);
}

void check(const config::Reading& reading, std::string_view text) {
  DOLMEN_CHECK(reading.root || !reading.problems.empty(), "a refusal has reasons");
  const auto lines = std::ranges::count_if(text, [](char c) { return c == '\n' || c == '\r'; }) + 1;
  for (const config::Problem& problem : reading.problems)
    DOLMEN_CHECK(problem.position.line >= 1 && problem.position.line <= lines && problem.position.column >= 1,
                 "a problem is in a line that exists");
}

void check_settings(std::string_view text, const std::string& name) {
  std::string host = "a";
  std::uint64_t port = 1;
  bool on = false;
  std::vector<std::string> names;
  config::Settings settings({{.name = "host_name", .target = &host, .help = ""},
                             {.name = "port", .target = &port, .help = "", .smallest = 1, .largest = 65535},
                             {.name = "on", .target = &on, .help = ""},
                             {.name = "names", .target = &names, .help = "", .may_be_empty = false}});
  const Result<void> read = settings.read_text(text, name);
  DOLMEN_CHECK(read || read.error().code() == Code::kInvalidArgument, "a refusal has one code");
  DOLMEN_CHECK(port >= 1 && port <= 65535, "a value is within its bounds");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text = fuzz_input(data, size);
  const config::Reading json = config::read_json(text);
  const config::Reading yaml = config::read_yaml(text);
  check(json, text);
  check(yaml, text);
  if (json.problems.empty() && yaml.problems.empty())
    DOLMEN_CHECK(same(*json.root, *yaml.root), "JSON means the same in YAML");
  check_settings(text, "settings.yml");
  check_settings(text, "settings.json");
  return 0;
}
