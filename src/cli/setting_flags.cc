#include "cli/setting_flags.h"

#include <array>
#include <cstdlib>
#include <string_view>
#include <unistd.h>

namespace dolmen::cli {
namespace {

constexpr const char* kFileVariable = "DOLMEN_CONFIG";

/// Variables with the prefix of the settings that mean something else: the file of the settings, what `lease run` tells
/// its command, where other verbs find their store, and what the tools of the project use.
constexpr std::array<std::string_view, 9> kOtherVariables{kFileVariable, "DOLMEN_LEASE_*", "DOLMEN_ENDPOINT",
                                                          "DOLMEN_BIN",  "DOLMEN_ROOT",    "DOLMEN_PEERS",
                                                          "DOLMEN_JOBS", "DOLMEN_SEED",    "DOLMEN_CRASH_*"};

std::vector<std::string> variables() {
  std::vector<std::string> all;
  for (char** variable = environ; variable != nullptr && *variable != nullptr; ++variable) all.emplace_back(*variable);
  return all;
}

}  // namespace

SettingFlags::SettingFlags(const Verb& verb, const config::Settings& settings) {
  verb.text("--config", file_, "File of settings in YAML; DOLMEN_... variables and flags beat it")
      .shown_as("FILE")
      .not_empty();
  for (const config::Setting& setting : settings.all()) {
    Given& given = given_[setting.name];
    const auto check = [setting](const std::string& text) { return setting.problem_of(text); };
    if (setting.is_switch()) {
      given.option = verb.flag(setting.flag(), given.is_on, setting.help);
    } else if (setting.is_list()) {
      given.option = verb.texts(setting.flag(), given.texts, setting.help).checked_by(check);
    } else {
      given.text = setting.text();  // Shown as the default.
      given.option = verb.text(setting.flag(), given.text, setting.help).checked_by(check);
    }
    if (std::holds_alternative<std::uint64_t*>(setting.target)) given.option->shown_as("NUMBER");
    if (!setting.words.empty()) given.option->one_of(setting.words);
    if (!setting.shown_as.empty()) given.option->shown_as(setting.shown_as);
  }
  for (const config::Setting& setting : settings.all())
    for (const std::string& other : setting.not_with)
      given_.at(setting.name).option->not_with(*given_.at(other).option);
}

Result<void> SettingFlags::read_into(config::Settings& settings) const {
  const char* named = std::getenv(kFileVariable);
  const std::string file = file_.empty() && named != nullptr ? named : file_;
  if (!file.empty()) DOLMEN_TRY_VOID(settings.read_file(file));
  DOLMEN_TRY_VOID(settings.read_environment(variables(), kOtherVariables));
  for (const auto& [name, given] : given_) {
    if (!given.option->given()) continue;
    std::vector<std::string> values = given.texts;
    if (given.is_on) {
      values = {*given.is_on ? "true" : "false"};
    } else if (values.empty()) {
      values = {given.text};
    }
    DOLMEN_TRY_VOID(settings.read_flag(name, values));
  }
  return settings.check_exclusions();
}

}  // namespace dolmen::cli
