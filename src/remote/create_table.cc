#include "remote/create_table.h"

#include <algorithm>
#include <fmt/format.h>
#include <memory>
#include <utility>

namespace dolmen::remote {
namespace {

/// The first pause, and the longest. A local endpoint makes a table in no time; AWS takes some seconds.
constexpr std::chrono::milliseconds kFirstPause{10};
constexpr std::chrono::milliseconds kPauseMax{1000};
constexpr int kPollsMax = 300;

/// A creation under way. Each step holds it until the next one does.
struct Creation {
  CreationCalls calls;
  TableDefinition definition;
  Done<TableDescription> done;
  int polls = 0;
  std::chrono::milliseconds pause = kFirstPause;

  void fail_after_creation(const Error& error) {
    done(std::unexpected(
        Error(error.code(), fmt::format("the table {} was created, but its time to live was not set: {}",
                                        definition.name, error.message()))));
  }
};

using CreationPointer = std::unique_ptr<Creation>;

void set_time_to_live(CreationPointer creation, TableDescription table) {
  Creation& of = *creation;
  of.calls.update({.table = of.definition.name, .change = {.attribute = *of.definition.ttl, .enabled = true}},
                  [creation = std::move(creation), table = std::move(table)](Result<TimeToLiveChange> updated) mutable {
                    if (!updated) return creation->fail_after_creation(updated.error());
                    creation->done(std::move(table));
                  });
}

void wait_for_table(CreationPointer creation) {
  Creation& of = *creation;
  of.calls.describe(
      {.table = of.definition.name}, [creation = std::move(creation)](Result<TableDescription> table) mutable {
        if (!table) return creation->fail_after_creation(table.error());
        if (table->status == TableStatus::kActive) return set_time_to_live(std::move(creation), std::move(*table));
        if (++creation->polls >= kPollsMax)
          return creation->fail_after_creation(Error(Code::kTimeout, "the table is still not active"));
        Creation& waiting = *creation;
        const std::chrono::milliseconds pause = waiting.pause;
        waiting.pause = std::min(2 * pause, kPauseMax);
        waiting.calls.after(pause, [creation = std::move(creation)]() mutable { wait_for_table(std::move(creation)); });
      });
}

}  // namespace

void create_with_time_to_live(CreationCalls calls, TableDefinition definition, Done<TableDescription> done) {
  TableDefinition without = definition;
  without.ttl.reset();
  auto creation = std::make_unique<Creation>(std::move(calls), std::move(definition), std::move(done));
  Creation& of = *creation;
  of.calls.create(std::move(without), [creation = std::move(creation)](Result<TableDescription> table) mutable {
    if (!table) return creation->done(std::unexpected(std::move(table).error()));
    wait_for_table(std::move(creation));
  });
}

}  // namespace dolmen::remote
