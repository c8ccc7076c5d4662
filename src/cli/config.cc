#include "cli/config.h"

#include <algorithm>
#include <fmt/format.h>
#include <memory>
#include <optional>

#include "cli/print_error.h"
#include "cli/print_json.h"
#include "cli/serve_reload.h"
#include "cli/serve_settings.h"
#include "cli/setting_flags.h"

namespace dolmen::cli {
namespace {

using config::Origin;
using config::Setting;

std::string_view origin_name(Origin origin) {
  switch (origin) {
    case Origin::kDefault: return "default";
    case Origin::kFile: return "file";
    case Origin::kEnvironment: return "environment";
    case Origin::kFlag: return "flag";
  }
  return "";
}

/// The value with its type.
LogicalValue value_of(const Setting& setting) {
  return std::visit(
      [](const auto* value) -> LogicalValue {
        if constexpr (std::same_as<decltype(value), const Setting::Texts*>)
          return LogicalValue::List(value->begin(), value->end());
        else
          return *value;
      },
      setting.target);
}

int print_as_json(const config::Settings& settings) {
  LogicalValue::List list;
  for (const Setting& setting : settings.all()) {
    LogicalItem item{{"name", setting.name}, {"origin", origin_name(setting.origin)}, {"reloads", setting.reloads}};
    item["value"] = value_of(setting);
    item["place"] = setting.place;
    list.emplace_back(std::move(item));
  }
  return print_json(LogicalItem{{"settings", std::move(list)}}) ? kDone : kFailed;
}

int print_as_table(const config::Settings& settings) {
  std::size_t name_width = 24;
  std::size_t value_width = 20;
  for (const Setting& setting : settings.all()) {
    name_width = std::max(name_width, setting.name.size());
    value_width = std::max(value_width, setting.text().size());
  }
  for (const Setting& setting : settings.all())
    fmt::print("{:<{}}  {:<{}}  {}\n", setting.name, name_width, setting.text(), value_width,
               setting.place.empty() ? "default" : setting.place);
  return kDone;
}

struct ShowFlags {
  std::optional<SettingFlags> settings;
  bool json = false;
};

int show(const ShowFlags& flags) {
  LoadedSettings loaded;
  Result<void> read = flags.settings->read_into(loaded.table);
  if (const std::string problem = read ? problem_of(loaded.values) : ""; !problem.empty())
    read = std::unexpected(Error(Code::kInvalidArgument, problem));
  if (!read) return report(read.error(), flags.json);
  return flags.json ? print_as_json(loaded.table) : print_as_table(loaded.table);
}

}  // namespace

void add_config(const Verb& program) {
  auto flags = std::make_shared<ShowFlags>();
  const Verb verb = program.verb("config", "The settings of a server");
  const Verb showing =
      verb.verb("show", "Show the value of every setting of `serve` with these flags, and where it comes from");
  flags->settings.emplace(showing, LoadedSettings().table);
  showing.flag("--json", flags->json, "Print JSON");
  showing.runs([flags] { return show(*flags); });
}

}  // namespace dolmen::cli
