#include "cli/drift.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <fmt/format.h>
#include <memory>
#include <optional>

#include "base/clock.h"
#include "base/fail.h"
#include "cli/check_files.h"
#include "cli/key_flags.h"
#include "cli/kind_flags.h"
#include "cli/opened_table.h"
#include "cli/print_error.h"
#include "cli/walk_flags.h"
#include "cli/write_file.h"
#include "contract/shown.h"
#include "transfer/copy.h"
#include "upkeep/drift.h"
#include "upkeep/drift_page.h"

namespace dolmen::cli {
namespace {

using upkeep::DriftReport;
using upkeep::DriftRules;
using upkeep::Fix;

/// So many groups are shown to a person; programs get all.
constexpr std::size_t kGroupsShown = 50;

struct DriftFlags {
  StoreFlags store;
  KindFlags kinds;
  KeyFlags keys;
  WalkFlags walk;
  std::string table;
  std::string html;
  double idle_seconds = 0;
  bool strict = false;
  bool fix = false;
  bool dry_run = false;
  bool yes = false;
  bool watch = false;
  bool json = false;
};

std::string_view fix_name(Fix fix) {
  switch (fix) {
    case Fix::kNo: return "no";
    case Fix::kDryRun: return "dry-run";
    case Fix::kYes: break;
  }
  return "yes";
}

/// The files as they were given: "user.yml, order.yml".
std::string model_names(const KindFlags& flags) {
  std::vector<std::string> names;
  for (const std::string& file : flags.model_files) names.push_back(std::filesystem::path(file).filename());
  return fmt::format("{}", fmt::join(names, ", "));
}

std::string place_name(const DriftReport::Place& place, bool with_model) {
  std::string path = contract::shown_name(place.path);
  return with_model && !place.model.empty() ? fmt::format("{}.{}", place.model, path) : path;
}

/// The number of characters, for texts of which each takes one column.
std::size_t shown_columns(std::string_view text) {
  return static_cast<std::size_t>(std::ranges::count_if(text, [](char c) { return (c & 0xC0) != 0x80; }));
}

std::string padded(const std::string& text, std::size_t width) {
  return text + std::string(width - std::min(width, shown_columns(text)), ' ');
}

void print_groups(const DriftReport& report) {
  const auto groups = report.sorted();
  const std::size_t shown = std::min(groups.size(), kGroupsShown);
  const bool with_model =
      std::ranges::any_of(groups, [&](const auto* group) { return group->first.model != groups.front()->first.model; });
  std::vector<std::array<std::string, 4>> lines;
  std::array<std::size_t, 4> widths{};
  for (std::size_t i = 0; i < shown; ++i) {
    const auto& [place, group] = *groups[i];
    const upkeep::DriftSample sample = group.samples.empty() ? upkeep::DriftSample() : group.samples.front();
    lines.push_back({grouped_digits(group.count), place_name(place, with_model), sample.message,
                     fmt::format("e.g. {}{}", sample.key,
                                 group.mended > 0 ? fmt::format("  ({} mended)", grouped_digits(group.mended)) : "")});
    for (std::size_t column = 0; column < widths.size(); ++column)
      widths[column] = std::max(widths[column], shown_columns(lines.back()[column]));
  }
  for (const auto& [count, place, message, example] : lines)
    fmt::print("  {:>{}}  {}  {}  {}\n", count, widths[0], padded(place, widths[1]), padded(message, widths[2]),
               example);
  if (groups.size() > shown) fmt::print("  and {} more\n", groups.size() - shown);
  for (const upkeep::DriftSample& refusal : report.refusals())
    fmt::print("  not mended: {}: {}\n", refusal.key, refusal.message);
}

std::string summary_of(const DriftReport& report, const DriftFlags& flags, Fix fix) {
  const std::string models = model_names(flags.kinds);
  if (report.broken() == 0) return fmt::format("{} items, none breaks {}", grouped_digits(report.items()), models);
  const std::string broken =
      fmt::format("{} of {} items break {}", grouped_digits(report.broken()), grouped_digits(report.items()), models);
  if (fix == Fix::kYes)
    return fmt::format("{}; {} mended, {} left", broken, grouped_digits(report.broken() - report.left()),
                       grouped_digits(report.left()));
  if (fix == Fix::kDryRun)
    return fmt::format("{}; {} can be mended, nothing was changed", broken, grouped_digits(report.mendable()));
  return report.mendable() == 0 ? fmt::format("{}; nothing of it can be mended by a program", broken)
                                : fmt::format("{}; \"dolmen drift --fix --dry-run\" shows what can be mended", broken);
}

void print_report(const upkeep::DriftResult& result, const DriftFlags& flags, Fix fix) {
  if (flags.json) {
    fmt::print("{}\n", object_text([&](ObjectWriter& object) {
                 object.text("table", flags.table).text("fix", fix_name(fix)).flag("complete", result.walk.complete);
                 object.number("before", result.walk.before);
                 result.report.write(object);
               }));
  } else {
    print_groups(result.report);
    fmt::print("{}\n", summary_of(result.report, flags, fix));
  }
  std::fflush(stdout);
}

Result<void> write_page(const DriftReport& report, const DriftFlags& flags) {
  if (flags.html.empty()) return {};
  const auto now = std::chrono::floor<std::chrono::seconds>(system_clock().now());
  DOLMEN_TRY(const std::string time, format_timestamp(Timestamp::from(now), TimestampForm::kTrimmed));
  return write_file(flags.html, upkeep::drift_page(report, {.table = flags.table,
                                                            .store = store_name(flags.store),
                                                            .models = model_names(flags.kinds),
                                                            .time = time}));
}

/// A line for each change that left something to complain about.
void print_change(const std::string& key, const DriftRules::Verdict& verdict, bool mended, bool json) {
  if (json) {
    fmt::print("{}\n", object_text([&](ObjectWriter& object) {
                 object.text("key", key).text("model", verdict.model == nullptr ? "" : verdict.model->name);
                 object.flag("mended", mended);
                 object.objects("findings", verdict.findings, [](ObjectWriter& each, const upkeep::Finding& finding) {
                   each.text("rule", finding.rule).text("path", finding.path).text("message", finding.message);
                   each.flag("mendable", finding.mend != upkeep::Mend::kNothing);
                 });
               }));
  } else {
    for (const upkeep::Finding& finding : verdict.findings)
      fmt::print("{}  {}  {}{}\n", key, contract::shown_name(finding.path), finding.message,
                 mended && finding.mend != upkeep::Mend::kNothing ? "  (mended)" : "");
  }
  std::fflush(stdout);
}

Result<DriftReport> watched(const OpenedTable& opened, StreamRange& changes, const upkeep::DriftScan& scan,
                            const DriftFlags& flags) {
  if (!flags.json) {
    fmt::print("watching the stream of {}; end it with Ctrl-C\n", flags.table);
    std::fflush(stdout);
  }
  DOLMEN_TRY(
      DriftReport seen,
      upkeep::watch_for_drift(*opened.store, opened.table, changes, scan,
                              {.idle = std::chrono::milliseconds(static_cast<std::int64_t>(flags.idle_seconds * 1000)),
                               .stopped = [] { return walk_interrupted().load(); },
                               .seen = [&](const std::string& key, const DriftRules::Verdict& verdict,
                                           bool mended) { print_change(key, verdict, mended, flags.json); }}));
  if (flags.json)
    fmt::print("{}\n", object_text([&](ObjectWriter& object) {
                 object.number("changes", seen.items()).number("broken", seen.broken()).number("left", seen.left());
               }));
  else
    fmt::print("{} of {} break {}\n", seen.broken(), counted(seen.items(), "change", "changes"),
               model_names(flags.kinds));
  return seen;
}

/// What a file of --resume must agree with.
std::string purpose_of(const DriftFlags& flags, const contract::Definition& definition, Fix fix) {
  return fmt::format("drift\n{}\n{}\n{}\n{}\n{}", flags.table, flags.strict, fix_name(fix), flags.keys.keys,
                     contract::text_of(definition));
}

Result<int> find_drift(const DriftFlags& flags) {
  const Fix fix = !flags.fix ? Fix::kNo : flags.dry_run ? Fix::kDryRun : Fix::kYes;
  DOLMEN_TRY(const contract::Definition definition, definition_of(flags.kinds, flags.table));
  std::unique_ptr<KeyProvider> keys;
  if (!flags.keys.keys.empty()) {
    DOLMEN_TRY(keys, open_keys(flags.keys.keys, flags.keys));
  }
  DOLMEN_TRY(const OpenedTable opened, open_table(flags.store, flags.table));
  DOLMEN_TRY(const DriftRules rules,
             DriftRules::make(definition, opened.table.definition, {.strict = flags.strict, .keys = keys.get()}));
  if (fix == Fix::kYes)
    DOLMEN_TRY_VOID(confirm(fmt::format("Mend the items of table {} in {}? \"--dry-run\" shows what would change.",
                                        flags.table, store_name(flags.store)),
                            flags.yes));
  stop_on_signals();
  std::optional<StreamRange> changes;
  if (flags.watch) {
    DOLMEN_TRY(changes, transfer::open_changes({*opened.store, flags.table}));
  }
  upkeep::DriftScan scan{.rules = rules, .keys = keys.get(), .fix = fix};
  std::optional<upkeep::DriftResult> result;
  {
    ProgressLine line(flags.table, flags.json);
    scan.walk = walk_options(flags.walk, purpose_of(flags, definition, fix), line);
    Result<upkeep::DriftResult> scanned = upkeep::scan_for_drift(*opened.store, opened.table, scan);
    if (!scanned) return std::unexpected(with_resume_advice(scanned.error(), flags.walk));
    result = std::move(*scanned);
  }
  DOLMEN_TRY_VOID(write_page(result->report, flags));
  print_report(*result, flags, fix);
  if (!result->walk.complete) {
    if (!flags.json)
      fmt::print(stderr, "stopped before the end{}\n",
                 flags.walk.resume.empty() ? "" : "; the same command goes on from here");
    return kFailed;
  }
  std::uint64_t left = result->report.left();
  if (changes) {
    DOLMEN_TRY(const DriftReport seen, watched(opened, *changes, scan, flags));
    left += seen.left();
  }
  return left == 0 ? kDone : kFailed;
}

}  // namespace

void add_drift(const Verb& program) {
  auto flags = std::make_shared<DriftFlags>();
  const Verb verb =
      program.verb("drift", "Find the items of a table that break its models, and mend them; fails when there are any");
  verb.text("table,--table", flags->table, "Table to look at").required();
  add_model_flags(verb, flags->kinds);
  verb.flag("--strict", flags->strict, "Report also what every reader accepts, but models write in another form");
  const Option fix = verb.flag("--fix", flags->fix, "Mend what has only one meaning; docs/drift.md lists it");
  verb.flag("--dry-run", flags->dry_run, "Only say what --fix would mend").only_with(fix);
  verb.flag("--yes", flags->yes, "Do not ask before --fix").only_with(fix);
  const Option watch =
      verb.flag("--watch", flags->watch, "Then look at every change of the table, from its stream, until Ctrl-C");
  verb.number("--idle", flags->idle_seconds, "End --watch when no change has come for so many seconds; 0 means never",
              {0, 86400})
      .only_with(watch);
  verb.text("--html", flags->html, "Write a page with charts").shown_as("FILE").not_empty();
  add_key_flags(verb, flags->keys);
  add_walk_flags(verb, flags->walk);
  verb.flag("--json", flags->json, "Print JSON");
  add_store_flags(verb, flags->store);
  verb.runs([flags]() -> int {
    const Result<int> done = find_drift(*flags);
    return done ? *done : report(done.error(), flags->json);
  });
}

}  // namespace dolmen::cli
