#include "cli/copy.h"

#include <atomic>
#include <csignal>
#include <fmt/format.h>
#include <memory>

#include "base/fail.h"
#include "cli/check_files.h"
#include "cli/opened_table.h"
#include "cli/print_error.h"
#include "cli/print_json.h"
#include "cli/progress_line.h"
#include "dolmen/detail/store_address.h"
#include "transfer/copy.h"
#include "transfer/plain_json.h"

namespace dolmen::cli {
namespace {

using transfer::Place;

struct CopyFlags {
  /// Of `copy`: addresses as `open` takes them.
  std::string from;
  std::string to;
  /// Of the verbs below `table`.
  StoreFlags store;
  std::string table;
  std::string other_table;
  bool no_verify = false;
  bool follow = false;
  double idle_seconds = 0;
  std::uint64_t show_max = 20;
  std::uint32_t connections = 0;
  bool json = false;
};

std::atomic<bool> copy_interrupted = false;
static_assert(std::atomic<bool>::is_always_lock_free, "a signal handler sets it");

/// The store at an address.
Result<StoreFlags> address_in(std::string_view option, const std::string& address) {
  const Result<detail::StoreAddress> parsed = detail::parse_store_address(address);
  if (!parsed) return fail(Code::kInvalidArgument, "{}: {}", option, parsed.error().message());
  StoreFlags flags;
  // The environment has no say in what was named.
  if (parsed->kind == detail::StoreKind::kDirectory)
    flags.data = parsed->where;
  else if (parsed->kind == detail::StoreKind::kMemory)
    flags.memory = true;
  else
    flags.endpoint = address;
  flags.named = true;
  return flags;
}

void print_differences(const CopyFlags& flags, const transfer::DiffResult& diff, LogicalValue::List keys) {
  if (flags.json) {
    print_json(LogicalItem{{"same", diff.same},
                           {"changed", diff.changed},
                           {"missing", diff.missing},
                           {"extra", diff.extra},
                           {"keys", std::move(keys)}});
    return;
  }
  fmt::print("{} the same, {} changed, {} missing, {} extra\n", diff.same, diff.changed, diff.missing, diff.extra);
}

std::string_view difference_name(transfer::Difference kind) {
  switch (kind) {
    case transfer::Difference::kMissing: return "missing";
    case transfer::Difference::kChanged: return "changed";
    case transfer::Difference::kExtra: return "extra";
  }
  return "";
}

Result<transfer::DiffResult> compared(const Place& one, const Place& other, const CopyFlags& flags,
                                      LogicalValue::List* keys) {
  ProgressLine line("comparing", flags.json);
  std::uint64_t shown = 0;
  return transfer::compare_items(one, other,
                                 {.found =
                                      [&](transfer::Difference kind, const Item& key) {
                                        if (shown++ >= flags.show_max) return;
                                        if (flags.json && keys != nullptr)
                                          keys->emplace_back(LogicalItem{{"difference", difference_name(kind)},
                                                                         {"key", transfer::plain_text(key)}});
                                        if (!flags.json)
                                          fmt::print("{:<8} {}\n", difference_name(kind), transfer::plain_text(key));
                                      },
                                  .progress = [&](const transfer::Progress& progress) { line.show(progress); }});
}

Result<std::uint64_t> followed(StreamRange& changes, const Place& to, const CopyFlags& flags) {
  std::signal(SIGINT, [](int) { copy_interrupted = true; });
  std::signal(SIGTERM, [](int) { copy_interrupted = true; });
  if (!flags.json) {
    fmt::print("following the stream of {}; end it with Ctrl-C\n", flags.table);
    std::fflush(stdout);
  }
  ProgressLine line("changes", flags.json);
  return transfer::follow_changes(
      changes, to,
      {.idle = std::chrono::milliseconds(static_cast<std::int64_t>(flags.idle_seconds * 1000)),
       .stopped = [] { return copy_interrupted.load(); },
       .changed = [&](std::uint64_t count) { line.show({.items = count}); }});
}

/// What a copy did.
struct CopyReport {
  std::uint64_t items = 0;
  std::uint64_t changes = 0;
  double seconds = 0;
  std::optional<transfer::DiffResult> verified = std::nullopt;
};

Result<CopyReport> copied(const Place& from, const Place& to, const CopyFlags& flags, unsigned batches) {
  std::optional<StreamRange> changes;
  if (flags.follow) {
    DOLMEN_TRY(changes, transfer::open_changes(from));
  }
  DOLMEN_TRY_VOID(transfer::make_like(from, to));
  CopyReport done;
  {
    ProgressLine line(from.table, flags.json);
    DOLMEN_TRY(done.items, transfer::copy_items(
                               from, to, {.connections = batches, .progress = [&](const transfer::Progress& progress) {
                                            line.show(progress);
                                          }}));
    done.seconds = line.seconds();
  }
  if (!flags.json) fmt::print("copied {} in {}\n", counted(done.items, "item", "items"), duration_text(done.seconds));
  if (changes) {
    DOLMEN_TRY(done.changes, followed(*changes, to, flags));
    if (!flags.json) fmt::print("carried out {}\n", counted(done.changes, "change", "changes"));
  }
  if (!flags.no_verify) {
    DOLMEN_TRY(done.verified, compared(from, to, flags, nullptr));
  }
  return done;
}

int report_copy(const Result<CopyReport>& done, const CopyFlags& flags) {
  if (!done) return report(done.error(), flags.json);
  // Items that only the target has may have been there before.
  const bool good = !done->verified || (done->verified->changed == 0 && done->verified->missing == 0);
  if (flags.json) {
    LogicalItem object{{"copied", done->items}, {"changes", done->changes}};
    if (done->verified) {
      object["verified"] = done->verified->same;
      object["different"] = done->verified->changed + done->verified->missing;
      object["extra"] = done->verified->extra;
    }
    print_json(object);
  } else if (done->verified) {
    fmt::print("verified {}{}{}\n", counted(done->verified->same, "item", "items"),
               good ? "" : fmt::format("; {} differ", done->verified->changed + done->verified->missing),
               done->verified->extra == 0 ? "" : fmt::format("; {} are only in the copy", done->verified->extra));
  }
  return good ? kDone : kFailed;
}

Result<CopyReport> copy_between(const CopyFlags& flags) {
  DOLMEN_TRY(const StoreFlags from, address_in("--from", flags.from));
  DOLMEN_TRY(const StoreFlags to, address_in("--to", flags.to));
  const std::string name = flags.other_table.empty() ? flags.table : flags.other_table;
  if (flags.from == flags.to)
    return fail(Code::kInvalidArgument, "--from and --to are the same store; use \"dolmen table copy\"");
  DOLMEN_TRY(const OpenedTable source, open_table(from, flags.table));
  DOLMEN_TRY(const std::unique_ptr<Store> target, open_or_create_store(to));
  return copied({*source.store, flags.table}, {*target, name}, flags, batches_at_a_time(to, flags.connections));
}

Result<CopyReport> copy_inside(const CopyFlags& flags) {
  if (flags.table == flags.other_table) return fail(Code::kInvalidArgument, "a table cannot be copied onto itself");
  DOLMEN_TRY(const OpenedTable source, open_table(flags.store, flags.table));
  return copied({*source.store, flags.table}, {*source.store, flags.other_table}, flags,
                batches_at_a_time(flags.store, flags.connections));
}

int show_diff(const CopyFlags& flags) {
  LogicalValue::List keys;
  const auto diff = [&]() -> Result<transfer::DiffResult> {
    DOLMEN_TRY(const OpenedTable one, open_table(flags.store, flags.table));
    if (flags.to.empty()) return compared({*one.store, flags.table}, {*one.store, flags.other_table}, flags, &keys);
    DOLMEN_TRY(const StoreFlags address, address_in("--in", flags.to));
    DOLMEN_TRY(const OpenedTable other, open_table(address, flags.other_table));
    return compared({*one.store, flags.table}, {*other.store, flags.other_table}, flags, &keys);
  }();
  if (!diff) return report(diff.error(), flags.json);
  print_differences(flags, *diff, std::move(keys));
  return diff->equal() ? kDone : kFailed;
}

void add_copy_flags(const Verb& verb, CopyFlags& flags) {
  verb.flag("--no-verify", flags.no_verify, "Do not read both tables afterwards and compare them");
  verb.number("--connections", flags.connections,
              "Batches that are written at a time; 0 means 16 over the network and 128 in a directory", {0, 256});
  verb.flag("--json", flags.json, "Print JSON");
}

}  // namespace

void add_copy(const Verb& program) {
  auto flags = std::make_shared<CopyFlags>();
  const Verb verb = program.verb(
      "copy", "Copy a table to another store, which may be a directory, a server or AWS, and verify the copy");
  verb.text("TABLE", flags->table, "Name of the table").required();
  verb.text("--from", flags->from, "Store to read: a directory, http://…, https://… or aws:REGION")
      .shown_as("STORE")
      .not_empty()
      .required();
  verb.text("--to", flags->to, "Store to write, and to create when it is a directory that does not exist")
      .shown_as("STORE")
      .not_empty()
      .required();
  verb.text("--as", flags->other_table, "Name of the copy; that of the table by default").shown_as("NAME").not_empty();
  const Option follow = verb.flag(
      "--follow", flags->follow, "Then carry out every change of the table in the copy, from its stream, until Ctrl-C");
  verb.number("--idle", flags->idle_seconds, "End --follow when no change has come for so many seconds; 0 means never",
              {0, 86400})
      .only_with(follow);
  add_copy_flags(verb, *flags);
  verb.runs([flags] { return report_copy(copy_between(*flags), *flags); });
}

void add_table_copy_and_diff(const Verb& table) {
  auto copying = std::make_shared<CopyFlags>();
  const Verb copy = table.verb("copy", "Copy a table and its items to a new table in the same store");
  copy.text("NAME", copying->table, "Name of the table").required();
  copy.text("NEW", copying->other_table, "Name of the copy").required();
  add_copy_flags(copy, *copying);
  add_store_flags(copy, copying->store);
  copy.runs([copying] { return report_copy(copy_inside(*copying), *copying); });

  auto comparing = std::make_shared<CopyFlags>();
  const Verb diff = table.verb("diff", "Compare the items of two tables; fails when they differ");
  diff.text("NAME", comparing->table, "Name of a table").required();
  diff.text("OTHER", comparing->other_table, "Name of the other one").required();
  diff.text("--in", comparing->to, "Store of the other one: a directory, http://…, https://… or aws:REGION")
      .shown_as("STORE")
      .not_empty();
  diff.number("--show", comparing->show_max, "Print the keys of so many differences", {0, 1'000'000});
  diff.flag("--json", comparing->json, "Print JSON");
  add_store_flags(diff, comparing->store);
  diff.runs([comparing] { return show_diff(*comparing); });
}

}  // namespace dolmen::cli
