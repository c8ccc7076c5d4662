#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/command_line.h"
#include "config/settings.h"
#include "dolmen/error.h"

namespace dolmen::cli {

/// The flags of a verb that has settings: --config FILE, and one for each setting. Must live until the verb has run.
class SettingFlags {
 public:
  /// `settings` hold their defaults.
  SettingFlags(const Verb& verb, const config::Settings& settings);
  SettingFlags(const SettingFlags&) = delete;
  SettingFlags& operator=(const SettingFlags&) = delete;

  /// Reads the file that --config or DOLMEN_CONFIG names, then the environment of the process, then the flags. Can be
  /// called again when the file has changed. Fails with kIo and kInvalidArgument.
  [[nodiscard]] Result<void> read_into(config::Settings& settings) const;

 private:
  struct Given {
    std::optional<Option> option;
    std::string text;
    std::vector<std::string> texts;
    std::optional<bool> is_on;
  };

  std::string file_;
  std::map<std::string, Given> given_;  ///< By the names of the settings.
};

}  // namespace dolmen::cli
