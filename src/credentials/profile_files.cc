#include "credentials/profile_files.h"

#include <algorithm>
#include <fmt/format.h>
#include <fstream>
#include <iterator>

#include "base/ascii.h"

namespace dolmen {
namespace {

constexpr std::string_view kSpace = " \t\r";

/// A comment begins with # or ; at the start of a line or after a space.
std::string_view without_comment(std::string_view line) {
  for (std::size_t i = 0; i < line.size(); ++i)
    if ((line[i] == '#' || line[i] == ';') && (i == 0 || kSpace.contains(line[i - 1]))) return line.substr(0, i);
  return line;
}

std::string file_text(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::string path_of(const Environment& environment, const char* variable, std::string_view name) {
  const std::string home = environment("HOME");
  std::string path = environment(variable);
  if (path.empty()) return home.empty() ? "" : fmt::format("{}/.aws/{}", home, name);
  return path.starts_with("~/") ? home + path.substr(1) : path;
}

}  // namespace

ProfileFiles ProfileFiles::read(const Environment& environment) {
  const std::string config = path_of(environment, "AWS_CONFIG_FILE", "config");
  const std::string credentials = path_of(environment, "AWS_SHARED_CREDENTIALS_FILE", "credentials");
  ProfileFiles files;
  files.places_ = fmt::format("{} and {}", config, credentials);
  files.add(file_text(config), Kind::kConfig);
  files.add(file_text(credentials), Kind::kCredentials);
  return files;
}

/// The configuration file calls its sections [default] and [profile NAME], the credentials file [NAME].
void ProfileFiles::add(std::string_view text, Kind kind) {
  Profile* profile = nullptr;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = without_comment(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    std::string_view content = trimmed(line, kSpace);
    if (content.empty()) continue;
    if (content.front() == '[' && content.back() == ']') {
      content = trimmed(content.substr(1, content.size() - 2), kSpace);
      constexpr std::string_view kPrefix = "profile ";
      const bool prefixed = content.starts_with(kPrefix);
      if (kind == Kind::kConfig && prefixed) content = trimmed(content.substr(kPrefix.size()), kSpace);
      const bool is_profile = kind == Kind::kCredentials || prefixed || content == "default";
      profile = is_profile ? &profiles_[std::string(content)] : nullptr;
      continue;
    }
    // An indented line belongs to a nested setting; none of these is used here.
    const std::size_t equals = content.find('=');
    if (profile == nullptr || kSpace.contains(line.front()) || equals == std::string_view::npos) continue;
    (*profile)[std::string(trimmed(content.substr(0, equals), kSpace))] = trimmed(content.substr(equals + 1), kSpace);
  }
}

const Profile* ProfileFiles::find(std::string_view name) const {
  const auto found = profiles_.find(name);
  return found == profiles_.end() ? nullptr : &found->second;
}

std::string setting(const Profile& profile, std::string_view name) {
  const auto found = profile.find(name);
  return found == profile.end() ? "" : found->second;
}

std::string profile_name(const Environment& environment, const std::string& given) {
  if (!given.empty()) return given;
  std::string name = environment("AWS_PROFILE");
  return name.empty() ? "default" : name;
}

}  // namespace dolmen
