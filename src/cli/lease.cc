#include "cli/lease.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/fail.h"
#include "base/saturating.h"
#include "cli/lease_run.h"
#include "cli/print_error.h"
#include "cli/print_json.h"
#include "cli/store_flags.h"
#include "dolmen/lease.h"
#include "dolmen/tables.h"

namespace dolmen::cli {
namespace {

struct LeaseFlags {
  LeaseKey key;
  std::string table = "leases";
  std::string token;
  double seconds = 30;
  double wait_seconds = 0;
  /// Nothing: two seconds, or less for a lease that is not long enough.
  std::optional<double> grace_seconds;
  std::int64_t ttl_buffer_seconds = 3600;
  std::vector<std::string> names;
  bool fencing = false;
  bool create_table = false;
  bool json = false;
  StoreFlags store;
  LeaseRun run;
};

constexpr double kSecondsMax = 365.0 * 24 * 3600;
constexpr double kGraceSeconds = 2;

std::chrono::milliseconds milliseconds_of(double seconds) {
  return std::chrono::ceil<std::chrono::milliseconds>(std::chrono::duration<double>(seconds));
}

/// Reads ROLE=NAME.
Result<LeaseAttributes> attributes_of(const std::vector<std::string>& names) {
  LeaseAttributes attributes;
  const std::map<std::string, std::string*, std::less<>> roles{
      {"pk", &attributes.partition_key},      {"sk", &attributes.sort_key}, {"token", &attributes.token},
      {"expires_at", &attributes.expires_at}, {"ttl", &attributes.ttl},     {"generation", &attributes.generation}};
  for (const std::string& name : names) {
    const std::size_t equals = name.find('=');
    const auto role = roles.find(name.substr(0, equals));
    if (equals == std::string::npos || role == roles.end())
      return fail(Code::kInvalidArgument,
                  "--attribute: \"{}\" is not ROLE=NAME with one of the roles pk, sk, token, expires_at, ttl and "
                  "generation",
                  name);
    *role->second = name.substr(equals + 1);
  }
  return attributes;
}

/// A store with the leases in it.
struct OpenedLeases {
  std::unique_ptr<Store> store;
  Leases leases;
};

Result<OpenedLeases> open_leases(const LeaseFlags& flags) {
  LeaseOptions options{.ttl_buffer = std::chrono::seconds(flags.ttl_buffer_seconds), .fencing = flags.fencing};
  DOLMEN_TRY(options.attributes, attributes_of(flags.names));
  DOLMEN_TRY(std::unique_ptr<Store> store,
             flags.create_table ? open_or_create_store(flags.store) : open_store(flags.store));
  Leases leases(*store, flags.table, std::move(options));
  if (flags.create_table) DOLMEN_TRY_VOID(ensure_table(*store, leases.table_definition()));
  return OpenedLeases{std::move(store), std::move(leases)};
}

std::int64_t seconds_left(const Leases& leases, std::int64_t expires_at) {
  const auto now = std::chrono::floor<std::chrono::seconds>(leases.options().clock.now());
  return saturating_subtract(expires_at, now.time_since_epoch().count());
}

void print_lease(const Leases& leases, const Lease& lease, bool json) {
  if (json) {
    LogicalItem item{
        {"pk", lease.key.partition}, {"sk", lease.key.sort}, {"token", lease.token}, {"expires_at", lease.expires_at}};
    if (lease.generation) item["generation"] = *lease.generation;
    print_json(item);
    return;
  }
  fmt::print("token       {}\n", lease.token);
  fmt::print("expires_at  {} (in {} s)\n", lease.expires_at, seconds_left(leases, lease.expires_at));
  if (lease.generation) fmt::print("generation  {}\n", *lease.generation);
}

Result<void> acquire(const LeaseFlags& flags) {
  DOLMEN_TRY(OpenedLeases opened, open_leases(flags));
  DOLMEN_TRY(const Lease lease, opened.leases.acquire(flags.key, milliseconds_of(flags.seconds)));
  print_lease(opened.leases, lease, flags.json);
  return {};
}

Result<void> refresh(const LeaseFlags& flags) {
  DOLMEN_TRY(OpenedLeases opened, open_leases(flags));
  const Lease mine{.key = flags.key, .token = flags.token};
  DOLMEN_TRY(const Lease lease, opened.leases.refresh(mine, milliseconds_of(flags.seconds)));
  print_lease(opened.leases, lease, flags.json);
  return {};
}

Result<void> release(const LeaseFlags& flags) {
  DOLMEN_TRY(OpenedLeases opened, open_leases(flags));
  // A release leaves alone what somebody else has, and does not say so.
  DOLMEN_TRY(const std::optional<LeaseStatus> row, opened.leases.status(flags.key));
  if (!row || row->token != flags.token || row->expires_at == 0)
    return fail(Code::kLeaseNotOwned, "nothing was released: {}/{} {}", flags.key.partition, flags.key.sort,
                row && row->held ? "is held with another token" : "has no lease with this token");
  DOLMEN_TRY_VOID(opened.leases.release({.key = flags.key, .token = flags.token}));
  if (flags.json)
    print_json(LogicalItem{{"released", true}});
  else
    fmt::print("released\n");
  return {};
}

Result<void> status(const LeaseFlags& flags) {
  DOLMEN_TRY(OpenedLeases opened, open_leases(flags));
  DOLMEN_TRY(const std::optional<LeaseStatus> row, opened.leases.status(flags.key));
  if (flags.json) {
    LogicalItem item{{"exists", row.has_value()}, {"held", row && row->held}};
    if (row && !row->token.empty()) item["token"] = row->token;
    if (row && row->expires_at) item["expires_at"] = *row->expires_at;
    if (row && row->generation) item["generation"] = *row->generation;
    print_json(item);
    return {};
  }
  if (!row)
    fmt::print("free: it was never held, or its row has been removed\n");
  else if (!row->expires_at)
    fmt::print("never free: the item is not a lease\n");
  else if (row->held)
    fmt::print("held for another {} s\ntoken       {}\n", seconds_left(opened.leases, *row->expires_at), row->token);
  else if (row->expires_at == 0)
    fmt::print("free: it was released\n");
  else
    fmt::print("free: the last lease ended {} s ago\n",
               saturating_subtract(0, seconds_left(opened.leases, *row->expires_at)));
  if (row && row->generation) fmt::print("generation  {}\n", *row->generation);
  return {};
}

/// The grace is there twice before the lease's end: to stop the command, and for clocks that differ.
Result<std::chrono::milliseconds> grace_of(const LeaseFlags& flags) {
  const double grace = flags.grace_seconds.value_or(std::min(kGraceSeconds, flags.seconds / 4));
  if (2 * grace >= flags.seconds)
    return fail(Code::kInvalidArgument,
                "--seconds: {} is not longer than twice the grace of {}; lengthen the lease or give a shorter --grace",
                flags.seconds, grace);
  return milliseconds_of(grace);
}

int run(LeaseFlags flags) {
  const Result<std::chrono::milliseconds> grace = grace_of(flags);
  if (!grace) return report(grace.error(), false);
  block_lease_signals();
  Result<OpenedLeases> opened = open_leases(flags);
  if (!opened) return report(with_advice(opened.error()), false);
  flags.run.length = milliseconds_of(flags.seconds);
  flags.run.grace = *grace;
  flags.run.wait = milliseconds_of(flags.wait_seconds);
  return run_under_lease(opened->leases, flags.key, flags.run);
}

void add_common(const Verb& verb, LeaseFlags& flags) {
  verb.text("KEY", flags.key.partition, "Partition key of the lease, such as CACHE#1").required();
  verb.text("--sort", flags.key.sort, "Sort key of the lease");
  verb.text("--table", flags.table, "Table of the leases").shown_as("NAME");
  verb.flag("--create-table", flags.create_table, "Create the table, and its store, if it does not exist");
  verb.texts("--attribute", flags.names,
             "Another name for an attribute, where ROLE is pk, sk, token, expires_at, ttl or generation; can be given "
             "several times")
      .shown_as("ROLE=NAME");
  verb.flag("--fencing", flags.fencing, "Count the acquisitions, so that storage can refuse old holders");
  add_store_flags(verb, flags.store);
}

void add_length(const Verb& verb, LeaseFlags& flags) {
  verb.number("--seconds", flags.seconds, "How long the lease lasts from now on", {0.001, kSecondsMax});
  verb.number("--ttl-buffer", flags.ttl_buffer_seconds,
              "Seconds after the end of the lease until its row may be removed; 0 writes no ttl", {.smallest = 0});
}

void add_run(const Verb& parent) {
  auto flags = std::make_shared<LeaseFlags>();
  const Verb verb = parent.verb(
      "run",
      "Run a command only while holding the lease: KEY [options] -- COMMAND. The lease is refreshed; when it is "
      "lost, the command is stopped before the lease ends. Exits as the command does");
  add_common(verb, *flags);
  add_length(verb, *flags);
  verb.number("--wait", flags->wait_seconds, "How many seconds to wait for the lease", {0, kSecondsMax});
  verb.number("--grace", flags->grace_seconds,
              "Seconds from SIGTERM to SIGKILL when the lease is lost, and as many again that clocks may differ by; "
              "2, or a quarter of --seconds when that is less",
              {0, kSecondsMax});
  verb.number("--conflict-exit-code", flags->run.conflict_exit_code,
              "Exit status when somebody else holds the lease, or it is lost", {0, 255});
  verb.arguments("COMMAND", flags->run.command, "The command and its arguments, after --").required();
  verb.runs([flags] { return run(*flags); });
}

}  // namespace

void add_lease(const Verb& program) {
  const Verb verb = program.verb("lease", "Acquire and use leases, each of which one program holds at a time");
  const auto add = [&](const char* name, const char* help, Result<void> (*carry_out)(const LeaseFlags&)) {
    auto flags = std::make_shared<LeaseFlags>();
    const Verb added = verb.verb(name, help);
    add_common(added, *flags);
    added.flag("--json", flags->json, "Print JSON");
    added.runs([flags, carry_out]() -> int {
      const Result<void> done = carry_out(*flags);
      return done ? kDone : report(with_advice(done.error()), flags->json);
    });
    return std::pair(added, flags);
  };
  const auto [acquiring, acquire_flags] = add("acquire", "Take a lease that is free", acquire);
  add_length(acquiring, *acquire_flags);
  const auto [refreshing, refresh_flags] = add("refresh", "Extend a lease", refresh);
  add_length(refreshing, *refresh_flags);
  const auto [releasing, release_flags] = add("release", "Give a lease back", release);
  for (const auto& [each, flags] : {std::pair(refreshing, refresh_flags), std::pair(releasing, release_flags)})
    each.text("--token", flags->token, "Token of the lease, as acquire printed it").required();
  add("status", "Show who holds a lease, and for how long", status);
  add_run(verb);
}

}  // namespace dolmen::cli
