#include "cli/stream.h"

#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <fmt/format.h>
#include <memory>

#include "base/fail.h"
#include "cli/item_text.h"
#include "cli/opened_table.h"
#include "cli/print_error.h"
#include "dolmen/timestamp.h"
#include "protocol/object_writer.h"

namespace dolmen::cli {
namespace {

/// How long one look for changes takes when there are none.
constexpr std::chrono::milliseconds kTailLook{500};

struct TailFlags {
  StoreFlags store;
  std::string table;
  std::string after;
  std::uint64_t limit = 0;
  double idle_seconds = 0;
  bool oldest = false;
  bool typed = false;
  bool json = false;
};

std::atomic<bool> tail_interrupted = false;

std::string change_text(const StreamRecord& record, bool typed) {
  return object_text([&](ObjectWriter& object) {
    object.text("event", stream_event_name(record.event)).json("key", item_text(record.key, typed));
    if (record.old_item) object.json("old", item_text(*record.old_item, typed));
    if (record.new_item) object.json("new", item_text(*record.new_item, typed));
    const Timestamp time = Timestamp::from(std::chrono::time_point_cast<std::chrono::nanoseconds>(record.time));
    if (const Result<std::string> text = format_timestamp(time, TimestampForm::kTrimmed)) object.text("time", *text);
    if (record.expired) object.flag("expired", true);
  });
}

/// Prints changes until the flags or a signal say stop.
Result<void> print_changes(StreamRange& changes, const TailFlags& flags) {
  const std::chrono::milliseconds idle(static_cast<std::int64_t>(flags.idle_seconds * 1000));
  std::chrono::milliseconds quiet{0};
  std::uint64_t printed = 0;
  while (!tail_interrupted) {
    const std::uint64_t before = printed;
    for (const Result<StreamRecord>& record : changes) {
      if (!record) return std::unexpected(record.error());
      fmt::print("{}\n", change_text(*record, flags.typed));
      std::fflush(stdout);
      if (++printed == flags.limit || tail_interrupted) return {};
    }
    quiet = printed > before ? std::chrono::milliseconds(0) : quiet + kTailLook;
    if (idle.count() > 0 && quiet >= idle) return {};
  }
  return {};
}

Result<void> tail(const TailFlags& flags) {
  DOLMEN_TRY(const OpenedTable opened, open_table(flags.store, flags.table));
  std::signal(SIGINT, [](int) { tail_interrupted = true; });
  std::signal(SIGTERM, [](int) { tail_interrupted = true; });
  StreamRange changes =
      opened.store->stream(flags.table, {.position = flags.after,
                                         .start = flags.oldest ? StreamStart::kOldest : StreamStart::kNewest,
                                         .wait = kTailLook});
  const Result<void> done = print_changes(changes, flags);
  if (!done && done.error().code() == Code::kStreamNotFound)
    return fail(Code::kStreamNotFound,
                "Table \"{}\" has no stream; start one with \"dolmen table update {} --stream new-and-old-images\"",
                flags.table, flags.table);
  if (!done) return done;
  if (!flags.json) fmt::print(stderr, "go on with --after '{}'\n", changes.position());
  return {};
}

}  // namespace

void add_stream(const Verb& program) {
  const Verb verb = program.verb("stream", "The changes of a table's items");
  auto flags = std::make_shared<TailFlags>();
  const Verb tailing = verb.verb("tail", "Print the changes of a table as they happen, a line of JSON for each");
  tailing.text("TABLE", flags->table, "Name of the table").required();
  const Option oldest = tailing.flag("--oldest", flags->oldest, "Begin with the oldest change of the last 24 hours");
  tailing.text("--after", flags->after, "Go on where an earlier call stopped")
      .shown_as("POSITION")
      .not_empty()
      .not_with(oldest);
  tailing.number("--limit", flags->limit, "Stop after so many changes; 0 means never", {0, 1'000'000'000});
  tailing.number("--idle", flags->idle_seconds, "Stop when no change has come for so many seconds; 0 means never",
                 {0, 86400});
  tailing.flag("--typed", flags->typed, "Print DynamoDB JSON, in which values name their types");
  tailing.flag("--json", flags->json, "Print JSON, also for errors");
  add_store_flags(tailing, flags->store);
  tailing.runs([flags]() -> int {
    const Result<void> done = tail(*flags);
    return done ? kDone : report(done.error(), flags->json);
  });
}

}  // namespace dolmen::cli
