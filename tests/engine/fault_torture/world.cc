#include "world.h"

#include <cstdio>
#include <utility>

#include "engine/engine.h"
#include "engine/keyspaces.h"

namespace dolmen::fault_torture {
namespace {

constexpr int kKeys = 24;
const std::string kThings = "things";
const std::string kEvents = "events";
constexpr std::int64_t kExpiresAt = 4'000'000'000;

Item key_of(const Place& place) {
  if (place.first == kThings) return {{"id", "k" + std::to_string(place.second)}};
  return {{"id", "p" + std::to_string(place.second % 3)}, {"at", place.second}};
}

/// The whole item follows from its place and one number.
Item item_of(const Place& place, std::int64_t value) {
  Item item = key_of(place);
  item.set("v", value);
  item.set("pad", std::string(value % 16 == 0 ? 3000 : value % 97, 'x'));
  if (value % 4 != 0) item.set("kind", "kind" + std::to_string(value % 5));
  if (value % 3 == 0) item.set("expires", kExpiresAt + value);
  return item;
}

TableDefinition definition_of(const std::string& name) {
  TableDefinition table{.name = name, .partition_key = {"id", KeyType::kString}};
  if (name == kEvents) {
    table.sort_key = KeyAttribute{"at", KeyType::kNumber};
    table.local_indexes.push_back(
        {.name = "by_v", .partition_keys = {{"id", KeyType::kString}}, .sort_keys = {{"v", KeyType::kNumber}}});
  }
  table.global_indexes.push_back(
      {.name = "by_kind", .partition_keys = {{"kind", KeyType::kString}}, .sort_keys = {{"v", KeyType::kNumber}}});
  table.stream = StreamView::kNewAndOldImages;
  table.ttl = "expires";
  return table;
}

bool was_refused(const Error& error) { return error.message().find("refuses writes") != std::string::npos; }

}  // namespace

void World::violation(const std::string& what) {
  ++violations_;
  std::printf("VIOLATION %s (%s)\n", what.c_str(), scene_.c_str());
}

storage::FaultPlan& World::renew_plan() {
  plan_ = std::make_shared<storage::FaultPlan>();
  return *plan_;
}

bool World::open() {
  auto storage = storage::Storage::open({.directory = directory_,
                                         .durability = Durability::kSync,
                                         .keyspaces = engine::keyspaces::names(),
                                         .block_cache_bytes = std::size_t{1} << 20,
                                         .write_buffer_bytes = std::size_t{64} << 10,
                                         .verified_keyspaces = engine::keyspaces::verified(),
                                         .recovery_pause = std::chrono::milliseconds(1),
                                         .faults = plan_});
  if (!storage) {
    scene_ += "; open: " + storage.error().message();
    return false;
  }
  auto engine = engine::Engine::open(*std::move(storage));
  if (!engine) {
    scene_ += "; engine: " + engine.error().message();
    return false;
  }
  check_ = engine->get();
  store_ = std::make_unique<Store>(*std::move(engine));
  return has_tables_ || make_tables();
}

bool World::make_tables() {
  for (const std::string& name : {kThings, kEvents}) {
    const auto made = store_->create_table(definition_of(name));
    if (!made && made.error().code() != Code::kTableExists) return false;
  }
  has_tables_ = true;
  return true;
}

Change World::draw() {
  const auto place = [&] { return Place(random(2) == 0 ? kThings : kEvents, static_cast<int>(random(kKeys))); };
  const auto value = [&]() -> std::optional<std::int64_t> {
    if (random(5) == 0) return std::nullopt;
    return next_++;
  };
  Change change;
  const std::uint64_t what = random(10);
  change.atomic = what != 9;
  const std::uint64_t count = what < 7 ? 1 : 2 + random(4);
  while (change.items.size() < count) change.items[place()] = value();
  return change;
}

Result<void> World::apply(const Change& change) {
  if (change.items.size() == 1) {
    const auto& [place, value] = *change.items.begin();
    if (value) {
      DOLMEN_TRY_VOID(store_->put_item(place.first, item_of(place, *value)));
    } else {
      DOLMEN_TRY_VOID(store_->delete_item(place.first, key_of(place)));
    }
    return {};
  }
  if (change.atomic) {
    std::vector<TransactAction> actions;
    for (const auto& [place, value] : change.items) {
      if (value) {
        actions.emplace_back(PutAction{.table = place.first, .item = item_of(place, *value)});
      } else {
        actions.emplace_back(DeleteAction{.table = place.first, .key = key_of(place)});
      }
    }
    DOLMEN_TRY_VOID(store_->transact_write(actions, {.client_token = "token" + std::to_string(next_++)}));
    return {};
  }
  std::vector<BatchAction> actions;
  for (const auto& [place, value] : change.items) {
    if (value) {
      actions.emplace_back(BatchPut{.table = place.first, .item = item_of(place, *value)});
    } else {
      actions.emplace_back(BatchDelete{.table = place.first, .key = key_of(place)});
    }
  }
  DOLMEN_TRY_VOID(store_->batch_write(actions));
  return {};
}

void World::take(const Place& place, const std::optional<std::int64_t>& value) {
  if (value) {
    model_[place] = *value;
    ++records_;
  } else {
    records_ += model_.erase(place);
  }
}

void World::write(int count) {
  for (int i = 0; i < count && !plan_->has_crashed(); ++i) {
    Change change = draw();
    const Result<void> done = apply(change);
    if (done) {
      ++acknowledged_;
      const std::uint64_t records_before = records_;
      for (const auto& [place, value] : change.items) take(place, value);
      // What failed before this has left nothing: the store has gone on. A delete of nothing does not say so, because
      // it writes nothing, and is answered by a store that refuses writes.
      if (records_ != records_before) doubtful_.clear();
    } else {
      ++failed_;
      // A batch has one error for all of its writes, of which some may have been made before the refusal.
      if (!was_refused(done.error()) || !change.atomic) doubtful_.push_back(std::move(change));
    }
  }
}

std::optional<std::int64_t> World::value_in(const std::string& table, const Item& item) {
  const AttributeValue* number = item.find("v");
  const AttributeValue* id = item.find("id");
  if (number == nullptr || id == nullptr) return std::nullopt;
  const std::int64_t value = number->number().to_int64().value();
  for (int key = 0; key < kKeys; ++key)
    if (item == item_of({table, key}, value)) return value;
  violation("an item of " + table + " is not one that was written");
  return std::nullopt;
}

std::optional<std::map<Place, std::int64_t>> World::read_all() {
  std::map<Place, std::int64_t> found;
  for (const std::string& table : {kThings, kEvents}) {
    ScanOptions options{.consistent_read = true};
    do {
      const Result<Page> page = store_->scan_page(table, options);
      if (!page) {
        violation("scan: " + page.error().message());
        return std::nullopt;
      }
      for (const Item& item : page->items) {
        if (!value_in(table, item)) continue;
        const int key = table == kThings ? std::atoi(std::string(item.at("id").string().substr(1)).c_str())
                                         : static_cast<int>(item.at("at").number().to_int64().value());
        found[{table, key}] = item.at("v").number().to_int64().value();
      }
      options.start_after = page->last_key;
    } while (options.start_after);
  }
  return found;
}

bool World::is_visible(const std::map<Place, std::int64_t>& found, const Place& place,
                       const std::optional<std::int64_t>& value) const {
  const auto there = found.find(place);
  if (value) return there != found.end() && there->second == *value;
  return there == found.end();
}

/// Decides what became of the writes that failed: the whole of each has happened, or nothing.
void World::settle(const std::map<Place, std::int64_t>& found) {
  for (const Change& change : std::exchange(doubtful_, {})) {
    std::size_t changed = 0;
    std::size_t happened = 0;
    for (const auto& [place, value] : change.items) {
      const auto before = model_.find(place);
      if (!value && before == model_.end()) continue;  // Neither way would be seen.
      ++changed;
      if (!is_visible(found, place, value)) continue;
      ++happened;
      take(place, value);
    }
    if (change.atomic && happened != 0 && happened != changed) violation("half of a write is visible");
  }
}

void World::compare() {
  const auto found = read_all();
  if (!found) return;
  settle(*found);
  if (*found != model_) {
    for (const auto& [place, value] : model_)
      if (!is_visible(*found, place, value)) violation("an acknowledged write is lost");
    for (const auto& [place, value] : *found)
      if (!model_.contains(place)) violation("an item is there that was deleted or never written");
  }
  const Result<StoreCheckReport> report = check_->check_store([](std::string_view, std::uint64_t) { return true; });
  if (!report) return violation("check: " + report.error().message());
  for (const std::string& problem : report->problems) violation(problem);
  if (report->items != model_.size()) violation("the check counts other items");
  if (report->stream_records != records_)
    violation("the streams have " + std::to_string(report->stream_records) + " records, and " +
              std::to_string(records_) + " changes were made");
}

void World::compare_reads() {
  const auto found = read_all();
  if (found && *found != model_) violation("reads do not agree with what was acknowledged");
}

}  // namespace dolmen::fault_torture
