#include "transfer/table_walk.h"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <filesystem>
#include <mutex>
#include <optional>
#include <thread>

#include "base/clock.h"
#include "base/fail.h"
#include "base/file_writer.h"
#include "protocol/object_view.h"
#include "protocol/object_writer.h"
#include "transfer/pacer.h"
#include "value/encoded_item.h"
#include "value/json.h"

namespace dolmen::transfer {
namespace {

constexpr std::size_t kWalkStateBytes = std::size_t{64} << 20;
constexpr std::chrono::milliseconds kBetweenSaves{500};
/// What an item costs at an endpoint that does not say so.
constexpr double kUnitsUnknown = 0.5;

struct WalkSegment {
  bool done = false;
  std::optional<Item> after = std::nullopt;
};

class Walk {
 public:
  Walk(Store& store, const TableDescription& table, ItemVisitor& visitor, const WalkOptions& options)
      : store_(store), table_(table), visitor_(visitor), options_(options), now_(or_system_clock(options.now)) {}

  Result<WalkResult> run() {
    segments_.resize(std::max(1U, options_.segments));
    if (!options_.resume.empty() && std::filesystem::exists(options_.resume)) DOLMEN_TRY_VOID(load());
    Pacer pacer({.units_per_second = options_.units_per_second,
                 .readers = static_cast<unsigned>(segments_.size()),
                 .stopped = [this] { return is_over(); },
                 .now = options_.now,
                 .sleep = options_.sleep});
    {
      std::vector<std::jthread> threads;
      for (std::size_t i = 0; i < segments_.size(); ++i)
        if (!segments_[i].done) threads.emplace_back([this, i, &pacer] { read(i, pacer); });
    }
    const std::lock_guard lock(outcome_mutex_);
    result_.complete = std::ranges::all_of(segments_, &WalkSegment::done);
    if (!result_.complete) {
      const Result<void> saved = save();
      if (error_) return std::unexpected(*error_);
      if (!saved) return std::unexpected(saved.error());
    } else if (!options_.resume.empty()) {
      DOLMEN_TRY_VOID(FileWriter().remove(options_.resume));
    }
    return result_;
  }

 private:
  /// Nobody goes on: somebody has failed, or was told to stop.
  bool is_over() {
    if (options_.stopped && options_.stopped()) return true;
    const std::lock_guard lock(outcome_mutex_);
    return error_.has_value();
  }

  void read(std::size_t number, Pacer& pacer) {
    ScanOptions scan{.segment = ScanSegment{.segment = static_cast<std::uint32_t>(number),
                                            .total = static_cast<std::uint32_t>(segments_.size())},
                     .start_after = segments_[number].after,
                     .consistent_read = options_.consistent_read,
                     .return_capacity = options_.units_per_second > 0 ? ReturnCapacity::kTotal : ReturnCapacity::kNone};
    while (!is_over()) {
      scan.page_size = pacer.page_size();
      Result<Page> page = store_.scan_page(table_.definition.name, scan);
      if (!page) return give_up(page.error());
      const double units =
          page->capacity ? page->capacity->total : kUnitsUnknown * static_cast<double>(page->scanned_count);
      const std::uint64_t count = page->items.size();
      Result<ItemVisitor::Settle> settle = visitor_.visit(std::move(page->items));
      if (!settle) return give_up(settle.error());
      if (const Result<void> done = settle_page(number, std::move(*settle), count, page->last_key); !done)
        return give_up(done.error());
      if (!page->last_key) return;
      scan.start_after = std::move(page->last_key);
      pacer.spend(units, count);
    }
  }

  void give_up(const Error& error) {
    const std::lock_guard lock(outcome_mutex_);
    if (!error_) error_ = error;
  }

  Result<void> settle_page(std::size_t number, ItemVisitor::Settle settle, std::uint64_t count,
                           const std::optional<Item>& last_key) {
    const std::lock_guard lock(outcome_mutex_);
    settle();
    result_.items += count;
    segments_[number].after = last_key;
    segments_[number].done = !last_key;
    if (options_.progress)
      options_.progress({.items = result_.items, .done = result_.items, .whole = table_.extent.item_count});
    if (saved_ && now_() - *saved_ < kBetweenSaves) return {};
    saved_ = now_();
    return save();
  }

  Result<void> save() {
    if (options_.resume.empty()) return {};
    const std::string state = object_text([&](ObjectWriter& object) {
      object.text("purpose", options_.purpose).text("table", table_.id).number("items", result_.items);
      object.objects("segments", segments_, [](ObjectWriter& segment, const WalkSegment& each) {
        segment.flag("done", each.done);
        if (each.after) segment.text("after", json::to_text(*each.after));
      });
      object.json("result", visitor_.saved());
    });
    return FileWriter().replace(options_.resume, state);
  }

  Result<void> load() {
    const auto unusable = [&](std::string_view why) {
      return fail(Code::kIo, "{} does not belong to this command: {}; remove it to begin again", options_.resume, why);
    };
    DOLMEN_TRY(const std::string text, FileWriter::read(options_.resume, kWalkStateBytes));
    const Result<ObjectView> state = ObjectView::response(text);
    if (!state) return unusable("it cannot be read");
    if (state->shown("purpose") != options_.purpose) return unusable("models or options are other ones");
    if (state->shown("table") != table_.id) return unusable("the table is another one");
    const std::string items = state->shown("items");
    const auto [end, error] = std::from_chars(items.data(), items.data() + items.size(), result_.before);
    if (error != std::errc{} || end != items.data() + items.size()) return unusable("it cannot be read");
    result_.items = result_.before;
    const auto segments = state->list("segments");
    if (!segments || segments->empty()) return unusable("it cannot be read");
    segments_.clear();
    for (const std::string_view each : *segments) {
      const Result<WalkSegment> segment = segment_in(each);
      if (!segment) return unusable("it cannot be read");
      segments_.push_back(*segment);
    }
    if (!visitor_.restore(state->find("result").value_or("{}"))) return unusable("it cannot be read");
    return {};
  }

  static Result<WalkSegment> segment_in(std::string_view text) {
    DOLMEN_TRY(const ObjectView object, ObjectView::response(text));
    WalkSegment segment;
    DOLMEN_TRY(segment.done, object.flag("done"));
    DOLMEN_TRY(const std::optional<std::string> after, object.optional_text("after"));
    if (!after) return segment;
    DOLMEN_TRY(const EncodedItem encoded, json::parse_item(*after));
    DOLMEN_TRY(segment.after, decode_item(encoded.bytes));
    return segment;
  }

  Store& store_;
  const TableDescription& table_;
  ItemVisitor& visitor_;
  const WalkOptions& options_;
  const Now now_;
  std::mutex outcome_mutex_;  ///< Guards everything below, and the visitor's result.
  std::vector<WalkSegment> segments_;
  WalkResult result_;
  std::optional<TimePoint> saved_;
  std::optional<Error> error_;
};

}  // namespace

Result<WalkResult> walk_table(Store& store, const TableDescription& table, ItemVisitor& visitor,
                              const WalkOptions& options) {
  return Walk(store, table, visitor, options).run();
}

}  // namespace dolmen::transfer
