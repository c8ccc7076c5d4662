#pragma once

#include <map>
#include <memory>
#include <string>

#include "cli/serve_settings.h"
#include "cli/setting_flags.h"
#include "config/settings.h"

namespace dolmen::cli {

/// The settings of a server with their origins.
struct LoadedSettings {
  LoadedSettings() = default;
  LoadedSettings(const LoadedSettings&) = delete;
  LoadedSettings& operator=(const LoadedSettings&) = delete;

  ServeSettings values;
  config::Settings table{settings_of(values)};
};

/// Reads the settings again while a server runs, and applies what can be changed without a restart.
class Reloader {
 public:
  /// `running` are the settings that the server was started with. All must outlive this object.
  Reloader(const SettingFlags& flags, const LoadedSettings& running, Server& server);

  /// The log says what has changed, and what needs a restart. Settings that cannot be read stay as they were.
  void reload();

 private:
  const SettingFlags& flags_;
  Server& server_;
  std::map<std::string, std::string> in_force_;  ///< The values by name, as texts.
};

}  // namespace dolmen::cli
