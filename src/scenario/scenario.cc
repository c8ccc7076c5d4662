#include "scenario/scenario.h"

#include <algorithm>
#include <fmt/format.h>

#include "config/read.h"
#include "model/json_text.h"
#include "scenario/fields.h"
#include "scenario/plain_form.h"
#include "scenario/step_names.h"

namespace dolmen::scenario {

namespace {

using config::child_path;
using config::Node;
using Kind = Node::Kind;

constexpr std::string_view kOlderVersion = "0.1";
constexpr std::string_view kNewerVersion = "0.2";
/// What scenarios of the older form, which cannot name keys, are encrypted with.
constexpr const char* kOlderSeed = "dolmen contract";

const NameList kScenarioNames{"name",       "dms_version", "description", "requires_capabilities",
                              "model",      "table",       "encryption",  "seed_runtime",
                              "seed_steps", "read_steps",  "steps"};

class Reader {
 public:
  explicit Reader(const Node& root) : root_(root) {}

  ReadScenario read() && {
    if (!names_.is_map(root_, "")) return std::move(*this).result();
    names_.check_names(root_, "", kScenarioNames);
    const std::string version = names_.text(root_, "", "dms_version");
    is_newer_ = version == kNewerVersion;
    if (version != kOlderVersion && !is_newer_)
      names_.add(root_, "dms_version", "dms_version",
                 fmt::format("dms_version must be \"{}\" or \"{}\"", kOlderVersion, kNewerVersion));
    scenario_.name = names_.text(root_, "", "name");
    scenario_.model = names_.text(root_, "", "model");
    read_table();
    read_capabilities();
    read_encryption(version);
    read_all_steps();
    return std::move(*this).result();
  }

 private:
  ReadScenario result() && { return {.scenario = std::move(scenario_), .problems = std::move(names_).problems()}; }

  void read_table() {
    const Node* table = root_.find("table");
    if (table == nullptr || !names_.is_map(*table, "table")) return;
    names_.check_names(*table, "table", {"name"});
    scenario_.table = names_.text(*table, "table", "name");
  }

  void read_capabilities() {
    const Node* list = root_.find("requires_capabilities");
    if (list == nullptr) return;
    const bool good = list->kind == Kind::kList && std::ranges::all_of(list->elements, [](const Node& element) {
                        return element.kind == Kind::kString && !element.text.empty();
                      });
    if (!good)
      return names_.add(*list, "requires_capabilities", "shape", "requires_capabilities must be a list of names");
    for (const Node& element : list->elements) scenario_.capabilities.push_back(element.text);
  }

  void read_encryption(std::string_view version) {
    const Node* encryption = root_.find("encryption");
    if (encryption == nullptr) {
      // A newer scenario that names no keys is about what happens without them.
      if (version == kOlderVersion && scenario_.capabilities.empty()) scenario_.key_seed = kOlderSeed;
      return;
    }
    if (!names_.is_map(*encryption, "encryption")) return;
    names_.check_names(*encryption, "encryption", {"provider", "seed"});
    if (names_.text(*encryption, "encryption", "provider") != "deterministic")
      names_.add(*encryption, "encryption.provider", "provider", "the provider must be \"deterministic\"");
    scenario_.key_seed = names_.text(*encryption, "encryption", "seed");
  }

  void read_all_steps() {
    if (root_.find("seed_runtime") == nullptr) {
      for (const char* name : {"seed_steps", "read_steps"})
        if (const Node* steps = root_.find(name); steps != nullptr)
          names_.add(*steps, name, "steps", fmt::format("{} need a seed_runtime", name));
      return read_steps("steps", scenario_.steps);
    }
    names_.text(root_, "", "seed_runtime");
    if (const Node* steps = root_.find("steps"); steps != nullptr)
      names_.add(*steps, "steps", "steps", "with a seed_runtime the steps are seed_steps and read_steps");
    read_steps("seed_steps", scenario_.seed_steps);
    read_steps("read_steps", scenario_.steps);
  }

  void read_steps(const std::string& name, std::vector<LogicalItem>& into) {
    const Node* steps = root_.find(name);
    if (steps == nullptr || steps->kind != Kind::kList || steps->elements.empty())
      return names_.add(steps == nullptr ? root_ : *steps, name, "steps",
                        fmt::format("{} must be a list of at least one step", name));
    for (std::size_t i = 0; i < steps->elements.size(); ++i) {
      const Node& step = steps->elements[i];
      names_.check_step(step, child_path(name, i));
      LogicalValue value = logical_value(step);
      if (LogicalItem* map = value.get_if<LogicalItem>()) {
        LogicalItem& plain = into.emplace_back(plain_form(std::move(*map)));
        if (is_newer_) make_strict(plain);
      }
    }
  }

  /// Since 0.2 a create never replaces an item; before, it was a put.
  static void make_strict(LogicalItem& step) {
    const bool is_bare = find(step, "if_not_exists") == nullptr && find(step, "condition") == nullptr;
    if (is_bare && text_of(step, "op").value_or("") == "create") step.insert_or_assign("if_not_exists", true);
  }

  const Node& root_;
  bool is_newer_ = false;
  StepNames names_;
  Scenario scenario_;
};

}  // namespace

ReadScenario read_scenario(std::string_view text, std::string_view file_name) {
  config::Reading reading = config::read_document(text, file_name);
  if (!reading.problems.empty() || !reading.root) return {.scenario = {}, .problems = std::move(reading.problems)};
  return Reader(*reading.root).read();
}

}  // namespace dolmen::scenario
