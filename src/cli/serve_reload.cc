#include "cli/serve_reload.h"

#include <fmt/format.h>

namespace dolmen::cli {
namespace {

std::string place_of(const config::Setting& setting) {
  return setting.origin == config::Origin::kDefault ? "by default" : "in " + setting.place;
}

}  // namespace

Reloader::Reloader(const SettingFlags& flags, const LoadedSettings& running, Server& server)
    : flags_(flags), server_(server) {
  for (const config::Setting& setting : running.table.all()) in_force_[setting.name] = setting.text();
}

void Reloader::reload() {
  LoadedSettings next;
  Result<void> read = flags_.read_into(next.table);
  if (const std::string problem = read ? problem_of(next.values) : ""; !problem.empty())
    read = std::unexpected(Error(Code::kInvalidArgument, problem));
  if (!read) {
    server_.say(fmt::format("the settings stay as they were: {}", read.error().message()));
    return server_.reload_files();
  }
  for (const config::Setting& setting : next.table.all()) {
    std::string& in_force = in_force_.at(setting.name);
    if (setting.text() == in_force) continue;
    if (setting.reloads) {
      in_force = setting.text();
      server_.say(fmt::format("{} is now \"{}\" ({})", setting.name, in_force, place_of(setting)));
    } else {
      server_.say(fmt::format("{} is \"{}\" {} now, and \"{}\" until a restart", setting.name, setting.text(),
                              place_of(setting), in_force));
    }
  }
  server_.change(live_options_of(next.values));
  server_.reload_files();
}

}  // namespace dolmen::cli
