// The operations of a run that change tables, let time pass, and read streams.
#include <chrono>
#include <map>

#include "compare.h"
#include "dolmen/tables.h"
#include "run.h"
#include "tests/service/test_calls.h"

namespace dolmen::torture {
namespace {

bool shows_old(StreamView view) { return view == StreamView::kOldImage || view == StreamView::kNewAndOldImages; }
bool shows_new(StreamView view) { return view == StreamView::kNewImage || view == StreamView::kNewAndOldImages; }

std::string change_text(bool before, bool after, bool expired, const std::string& old_image,
                        const std::string& new_image) {
  const std::string_view event = !before ? "INSERT" : !after ? "REMOVE" : "MODIFY";
  return fmt::format("{}{} {} -> {}", event, expired ? " by time to live" : "", old_image, new_image);
}

std::string shown(const Change& change, StreamView view) {
  return change_text(change.before.has_value(), change.after.has_value(), change.expired,
                     torture::shown(shows_old(view) ? change.before : std::nullopt),
                     torture::shown(shows_new(view) ? change.after : std::nullopt));
}

std::string shown(const StreamChange& change) {
  return change_text(change.event != StreamEvent::kInsert, change.event != StreamEvent::kRemove, change.expired,
                     torture::shown(change.old_image), torture::shown(change.new_image));
}

}  // namespace

/// Changes one setting of a table and checks the table afterwards.
void Run::change_table() {
  const auto found = model_.tables.find(generator_.table_name());
  if (found == model_.tables.end()) return;
  ModelTable& table = found->second;
  switch (random_.below(4)) {
    case 0: change_stream(table); break;
    case 1: add_index(table); break;
    case 2: remove_index(table); break;
    default: change_ttl(table); break;
  }
  if (!violation_) check_table(table);
}

void Run::update_table(const std::string& what, TableUpdate update) {
  const std::string name = update.table;
  const auto changed = call<UpdateTable>(store_->service(), std::move(update));
  expect_same(what + " of " + name, "changed", changed ? "changed" : changed.error().message());
}

void Run::change_stream(ModelTable& table) {
  check_stream(table);
  std::optional<StreamView> view;
  if (!table.definition().stream) view = static_cast<StreamView>(random_.below(4));
  update_table("the stream",
               {.table = table.definition().name, .stream = StreamUpdate{.enabled = view.has_value(), .view = view}});
  table.set_stream(view);
}

/// Items are written while the index is built.
void Run::add_index(ModelTable& table) {
  const TableDefinition& definition = table.definition();
  constexpr std::size_t kIndexesMax = 6;
  if (definition.global_indexes.size() >= kIndexesMax) return;
  const IndexDefinition index =
      generator_.values().index("added-" + std::to_string(++added_indexes_), definition, false);
  update_table("adding " + index.name, {.table = definition.name, .indexes = {CreateIndex{index}}});
  table.add_index(index);
  for (std::size_t n = random_.below(30); n > 0 && !violation_; --n)
    (this->*random_.pick(std::vector<void (Run::*)()>{&Run::write, &Run::batch_write, &Run::transact_write}))();
  wait_for_indexes(definition.name);
}

void Run::remove_index(ModelTable& table) {
  const TableDefinition& definition = table.definition();
  if (definition.global_indexes.empty()) return;
  const std::string index = random_.pick(definition.global_indexes).name;
  update_table("removing " + index, {.table = definition.name, .indexes = {DeleteIndex{index}}});
  table.remove_index(index);
  wait_for_indexes(definition.name);
}

void Run::wait_for_indexes(const std::string& table) {
  const auto active = wait_until_active(*store_, table, {.interval = std::chrono::milliseconds(1)});
  expect_same("waiting for the indexes of " + table, "active", active ? "active" : active.error().message());
}

void Run::change_ttl(ModelTable& table) {
  const bool enabled = !table.definition().ttl;
  const std::string& name = table.definition().name;
  const auto changed = call<UpdateTimeToLive>(
      store_->service(), {.table = name, .change = {.attribute = std::string(kExpiryAttribute), .enabled = enabled}});
  expect_same("time to live of " + name, "changed", changed ? "changed" : changed.error().message());
  table.set_ttl(enabled ? std::optional(std::string(kExpiryAttribute)) : std::nullopt);
  // Items whose time came while nobody looked.
  engine_->finish_expiry();
  table.expire(clock_.seconds());
}

/// Lets time pass, until which nothing expires.
void Run::expire() {
  engine_->finish_expiry();
  clock_.step();
  engine_->finish_expiry();
  model_.pass_to(clock_.seconds());
  // Sent again, they would write items that have expired already, which leave at any moment.
  sent_.clear();
}

/// Nothing when the records were trimmed meanwhile, which happens soon after time has passed: then it has to be read
/// again.
std::optional<std::vector<StreamChange>> Run::read_shard(const std::string& arn, const std::string& shard) {
  std::vector<StreamChange> changes;
  const auto first =
      call<GetShardIterator>(store_->service(), {.arn = arn, .shard = shard, .type = ShardIteratorType::kTrimHorizon});
  std::optional<std::string> next = first ? std::optional(first->text) : std::nullopt;
  while (next) {
    const auto page = call<GetRecords>(store_->service(), {.iterator = *next});
    if (!page && page.error().code() == Code::kStreamTrimmed) return std::nullopt;
    if (!page) {
      record("records of " + shard, "success", page.error().message());
      break;
    }
    changes.insert(changes.end(), page->records.begin(), page->records.end());
    next = page->records.empty() ? std::nullopt : page->next;
  }
  return changes;
}

std::vector<StreamChange> Run::read_stream(const std::string& arn) {
  std::vector<StreamChange> changes;
  const auto stream = call<DescribeStream>(store_->service(), {.arn = arn});
  if (!stream) {
    record("describe the stream " + arn, "success", stream.error().message());
    return changes;
  }
  for (const StreamShard& shard : stream->shards) {
    std::optional<std::vector<StreamChange>> records;
    while (!records && !violation_) records = read_shard(arn, shard.id);
    if (records) changes.insert(changes.end(), records->begin(), records->end());
  }
  return changes;
}

/// The changes of one item are in order; those of different items need not be.
void Run::check_stream(const ModelTable& table) {
  const TableDefinition& definition = table.definition();
  if (!definition.stream) return;
  const auto description = describe_table(store_->service(), definition.name);
  if (!description) return record("describe " + definition.name, "success", description.error().message());
  std::map<std::string, std::string> expected;
  std::map<std::string, std::string> found;
  for (const Change& change : table.changes())
    expected[table.identity(change.after ? *change.after : *change.before)] +=
        "\n  " + shown(change, *definition.stream);
  // Older records may have been trimmed or not.
  const TableTime oldest{std::chrono::seconds(clock_.seconds())};
  for (const StreamChange& change : read_stream(description->stream_arn))
    if (change.created >= oldest) found[torture::shown(change.key)] += "\n  " + shown(change);
  expect_same("items in the stream of " + definition.name, std::to_string(expected.size()),
              std::to_string(found.size()));
  for (const auto& [key, changes] : expected)
    expect_same([&] { return "changes of " + key + " in the stream of " + definition.name; }, changes, found[key]);
}

}  // namespace dolmen::torture
