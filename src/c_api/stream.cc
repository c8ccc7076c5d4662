#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <string>

#include "c_api/arguments.h"
#include "c_api/handles.h"
#include "c_api/last_error.h"
#include "dolmen/c.h"
#include "protocol/object_writer.h"
#include "value/json.h"

namespace dolmen::c_api {
namespace {

/// How often a stream is looked at while nothing comes.
constexpr std::chrono::milliseconds kLookAgain{100};

/// Who takes the changes.
struct Taker {
  dolmen_on_change on_change;
  void* context;
};

/// As GetRecords writes it.
std::string record_text(const StreamRecord& record, const std::string& region) {
  std::string text;
  ObjectWriter object(text);
  object.text("eventID", record.id)
      .text("eventName", stream_event_name(record.event))
      .text("eventVersion", "1.1")
      .text("eventSource", "aws:dynamodb")
      .text("awsRegion", region);
  ObjectWriter inner(object.member("dynamodb"));
  inner.number("ApproximateCreationDateTime",
               std::chrono::floor<std::chrono::seconds>(record.time).time_since_epoch().count());
  inner.json("Keys", json::to_text(record.key));
  if (record.new_item) inner.json("NewImage", json::to_text(*record.new_item));
  if (record.old_item) inner.json("OldImage", json::to_text(*record.old_item));
  inner.text("SequenceNumber", record.sequence_number);
  inner.end();
  if (record.expired) object.json("userIdentity", R"({"PrincipalId":"dynamodb.amazonaws.com","Type":"Service"})");
  object.end();
  return text;
}

/// Gives what is there to the taker. False when that ended the stream.
Result<bool> give_changes(StreamRange& changes, const std::string& region, const Taker& taker) {
  for (const Result<StreamRecord>& change : changes) {
    if (!change) return std::unexpected(change.error());
    const std::string text = record_text(*change, region);
    if (taker.on_change(taker.context, text.c_str(), changes.position().c_str()) != 0) return false;
  }
  return true;
}

/// False when the store is being closed.
bool pause_unless_closing(const std::stop_token& closing, std::chrono::milliseconds length) {
  std::mutex pause_mutex;
  std::condition_variable_any closed;
  std::unique_lock lock(pause_mutex);
  closed.wait_for(lock, closing, length, [] { return false; });
  return !closing.stop_requested();
}

Result<void> stream(dolmen_store* store, const char* table, const dolmen_stream_options* given, const Taker& taker) {
  DOLMEN_TRY_VOID(check_given(table, "table"));
  if (taker.on_change == nullptr) return fail(Code::kInvalidArgument, "on_change is NULL");
  DOLMEN_TRY(const dolmen_stream_options options, options_of(given, dolmen_stream_options DOLMEN_STREAM_OPTIONS));
  DOLMEN_TRY(const StoreInUse used, Handles::all().use(store));
  StreamRange changes =
      used->store->stream(table, {.position = options.position == nullptr ? "" : options.position,
                                  .start = options.newest != 0 ? StreamStart::kNewest : StreamStart::kOldest});
  std::string position;
  std::chrono::milliseconds quiet{0};
  while (true) {
    DOLMEN_TRY(const bool goes_on, give_changes(changes, used->region, taker));
    if (!goes_on) return {};
    quiet = changes.position() == position ? quiet : std::chrono::milliseconds(0);
    position = changes.position();
    const std::chrono::milliseconds left = std::chrono::milliseconds(options.wait_ms) - quiet;
    if (options.wait_ms >= 0 && left.count() <= 0) return {};
    const std::chrono::milliseconds length = options.wait_ms < 0 ? kLookAgain : std::min(kLookAgain, left);
    if (!pause_unless_closing(used->closing.get_token(), length))
      return fail(Code::kClosed, "the store was closed while the stream of {} was read", table);
    quiet += length;
  }
}

}  // namespace
}  // namespace dolmen::c_api

extern "C" dolmen_status dolmen_stream(dolmen_store* store, const char* table, const dolmen_stream_options* options,
                                       dolmen_on_change on_change, void* context) {
  return dolmen::c_api::guarded([&] { return dolmen::c_api::stream(store, table, options, {on_change, context}); });
}
