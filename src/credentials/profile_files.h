#pragma once

#include <map>
#include <string>
#include <string_view>

#include "credentials/environment.h"

namespace dolmen {

/// The settings of one profile.
using Profile = std::map<std::string, std::string, std::less<>>;

/// The profiles of the shared configuration files (AWS_CONFIG_FILE, AWS_SHARED_CREDENTIALS_FILE; by default config and
/// credentials in ~/.aws). Where both have a setting, that of the credentials file counts. A missing file is the same
/// as an empty one.
class ProfileFiles {
 public:
  static ProfileFiles read(const Environment& environment);

  /// Null when the profile does not exist.
  [[nodiscard]] const Profile* find(std::string_view name) const;
  /// The files that were searched, for messages.
  [[nodiscard]] const std::string& places() const noexcept { return places_; }

 private:
  enum class Kind { kConfig, kCredentials };
  void add(std::string_view text, Kind kind);

  std::map<std::string, Profile, std::less<>> profiles_;
  std::string places_;
};

/// The setting; empty when it is missing.
std::string setting(const Profile& profile, std::string_view name);

/// The profile to use: the given one, AWS_PROFILE, or "default".
std::string profile_name(const Environment& environment, const std::string& given);

}  // namespace dolmen
