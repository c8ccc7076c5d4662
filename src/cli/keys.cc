#include "cli/keys.h"

#include <algorithm>
#include <chrono>
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
#include "protocol/object_writer.h"
#include "upkeep/rewrap.h"

namespace dolmen::cli {
namespace {

struct KeyFileFlags {
  std::string file;
  std::string id;
  bool json = false;
};

struct RewrapFlags {
  StoreFlags store;
  KindFlags kinds;
  KeyFlags keys;
  std::string to;
  WalkFlags walk;
  std::string table;
  bool dry_run = false;
  bool json = false;
};

/// Today, as 2026-11-17; with a number behind it when a key has that name already.
std::string id_of_today(const std::vector<std::string>& taken) {
  const std::chrono::year_month_day today(std::chrono::floor<std::chrono::days>(system_clock().now()));
  const std::string day = fmt::format("{:04}-{:02}-{:02}", static_cast<int>(today.year()),
                                      static_cast<unsigned>(today.month()), static_cast<unsigned>(today.day()));
  std::string id = day;
  for (int number = 2; std::ranges::find(taken, id) != taken.end(); ++number) id = fmt::format("{}-{}", day, number);
  return id;
}

void print_key(const KeyFileFlags& flags, const std::string& id) {
  if (flags.json)
    fmt::print("{}\n", object_text([&](ObjectWriter& object) { object.text("file", flags.file).text("active", id); }));
  else
    fmt::print("{}: the key {} encrypts from now on\n", flags.file, id);
}

Result<void> create_keys(const KeyFileFlags& flags) {
  const std::string id = flags.id.empty() ? id_of_today({}) : flags.id;
  DOLMEN_TRY_VOID(create_key_file(flags.file, id));
  print_key(flags, id);
  return {};
}

Result<void> rotate_keys(const KeyFileFlags& flags) {
  DOLMEN_TRY(const std::vector<std::string> ids, key_ids_in(flags.file));
  const std::string id = flags.id.empty() ? id_of_today(ids) : flags.id;
  DOLMEN_TRY_VOID(rotate_key_file(flags.file, id));
  print_key(flags, id);
  return {};
}

Result<void> list_keys(const KeyFileFlags& flags) {
  DOLMEN_TRY(const std::vector<std::string> ids, key_ids_in(flags.file));
  if (flags.json) {
    fmt::print("{}\n", object_text([&](ObjectWriter& object) {
                 object.text("file", flags.file).text("active", ids.front()).texts("keys", ids);
               }));
    return {};
  }
  for (const std::string& id : ids)
    fmt::print("{}  {}\n", id, id == ids.front() ? "encrypts and decrypts" : "decrypts");
  return {};
}

void print_rewrap(const upkeep::RewrapResult& result, const RewrapFlags& flags) {
  const upkeep::RewrapReport& report = result.report;
  if (flags.json) {
    fmt::print("{}\n", object_text([&](ObjectWriter& object) {
                 object.text("table", flags.table).flag("dry_run", flags.dry_run);
                 object.flag("complete", result.walk.complete).number("before", result.walk.before);
                 report.write(object);
               }));
    return;
  }
  fmt::print("{}: {} {}, {} under the active key already", counted(report.items, "item", "items"),
             counted(report.rewrapped, "value", "values"), flags.dry_run ? "would be encrypted anew" : "encrypted anew",
             report.current);
  if (report.plain > 0) fmt::print(", {} not encrypted (\"dolmen drift --fix --keys\" encrypts them)", report.plain);
  if (report.unknown > 0) fmt::print(", {} of none of the models", counted(report.unknown, "item", "items"));
  if (report.failed > 0) fmt::print(", {} failed", report.failed);
  fmt::print("\n");
  for (const upkeep::DriftSample& failure : report.failures) fmt::print("  {}: {}\n", failure.key, failure.message);
}

Result<int> rewrap_items(const RewrapFlags& flags) {
  DOLMEN_TRY(const contract::Definition definition, definition_of(flags.kinds, flags.table));
  DOLMEN_TRY(const OpenedTable opened, open_table(flags.store, flags.table));
  DOLMEN_TRY(const std::unique_ptr<KeyProvider> from, open_keys(flags.keys.keys, flags.keys));
  std::unique_ptr<KeyProvider> other;
  if (!flags.to.empty() && flags.to != flags.keys.keys) {
    DOLMEN_TRY(other, open_keys(flags.to, flags.keys));
  }
  DOLMEN_TRY(const auto rules, contract::Rules::make(definition, opened.table.definition));
  stop_on_signals();
  const std::string purpose = fmt::format("rewrap\n{}\n{}\n{}\n{}\n{}", flags.table, flags.dry_run, flags.keys.keys,
                                          flags.to, contract::text_of(definition));
  const Result<upkeep::RewrapResult> result = [&] {
    ProgressLine line(flags.table, flags.json);
    return upkeep::rewrap_table(*opened.store, opened.table,
                                {.rules = *rules,
                                 .from = *from,
                                 .to = other ? *other : *from,
                                 .dry_run = flags.dry_run,
                                 .walk = walk_options(flags.walk, purpose, line)});
  }();
  if (!result) return std::unexpected(with_resume_advice(result.error(), flags.walk));
  print_rewrap(*result, flags);
  if (!result->walk.complete && !flags.json)
    fmt::print(stderr, "stopped before the end{}\n",
               flags.walk.resume.empty() ? "" : "; the same command goes on from here");
  const upkeep::RewrapReport& report = result->report;
  return result->walk.complete && report.failed == 0 && report.plain == 0 ? kDone : kFailed;
}

void add_key_file_verb(const Verb& parent, const char* name, const char* help,
                       Result<void> (*action)(const KeyFileFlags&)) {
  auto flags = std::make_shared<KeyFileFlags>();
  const Verb verb = parent.verb(name, help);
  verb.text("FILE", flags->file, "Key file").required();
  if (std::string_view(name) != "list")
    verb.text("--id", flags->id, "Name of the new key; the date by default").shown_as("NAME").not_empty();
  verb.flag("--json", flags->json, "Print JSON");
  verb.runs([flags, action]() -> int {
    const Result<void> done = action(*flags);
    return done ? kDone : report(done.error(), flags->json);
  });
}

}  // namespace

void add_keys(const Verb& program) {
  const Verb keys = program.verb("keys", "Keys of encrypted attributes");
  add_key_file_verb(keys, "create", "Make a key file with one key, which only its owner can read", create_keys);
  add_key_file_verb(keys, "list", "List the keys of a key file, without the keys themselves", list_keys);
  add_key_file_verb(keys, "rotate", "Put a new key into a key file, which encrypts from now on; the others decrypt",
                    rotate_keys);

  auto flags = std::make_shared<RewrapFlags>();
  const Verb rewrap = keys.verb("rewrap", "Encrypt the items of a table anew, with the active key or with other keys");
  rewrap.text("table,--table", flags->table, "Table to rewrite").required();
  add_model_flags(rewrap, flags->kinds);
  add_key_flags(rewrap, flags->keys).required();
  rewrap.text("--to-keys", flags->to, "Keys to encrypt with, when they are others: a key file, or kms:KEY")
      .shown_as("FILE")
      .not_empty();
  rewrap.flag("--dry-run", flags->dry_run, "Only decrypt what would be rewritten, and count it");
  add_walk_flags(rewrap, flags->walk);
  rewrap.flag("--json", flags->json, "Print JSON");
  add_store_flags(rewrap, flags->store);
  rewrap.runs([flags]() -> int {
    const Result<int> done = rewrap_items(*flags);
    return done ? *done : report(done.error(), flags->json);
  });
}

}  // namespace dolmen::cli
