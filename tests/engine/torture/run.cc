#include "run.h"

#include <algorithm>

#include "base/fail.h"
#include "compare.h"
#include "dolmen/tables.h"
#include "engine/keyspaces.h"
#include "size.h"
#include "tests/service/test_calls.h"

namespace dolmen::torture {
namespace {

constexpr int kTables = 6;
constexpr std::uint64_t kCheckEvery = 20'000;
constexpr std::uint64_t kReopenEvery = 5'000;

std::string table_name(std::size_t number) { return "table-" + std::to_string(number); }

}  // namespace

Run::Run(RunOptions options)
    : options_(std::move(options)), random_(options_.seed), generator_(random_, model_, clock_) {}

bool Run::open() {
  store_.reset();
  const auto open_engine = [&]() -> Result<std::unique_ptr<engine::Engine>> {
    DOLMEN_TRY(auto storage,
               storage::Storage::open({.directory = options_.directory.value_or(""),
                                       .durability = options_.directory ? Durability::kOs : Durability::kMemory,
                                       .keyspaces = engine::keyspaces::names()}));
    return engine::Engine::open(std::move(storage), {.clock = &clock_});
  };
  Result<std::unique_ptr<engine::Engine>> opened = open_engine();
  if (opened) {
    engine_ = opened->get();
    store_ = std::make_unique<Store>(std::move(*opened));
  } else {
    violation_ = "the store cannot be opened: " + opened.error().message();
  }
  return store_ != nullptr;
}

bool Run::go() {
  if (!open()) return false;
  if (const auto tables = list_tables(store_->service()); !tables || !tables->names.empty()) {
    violation_ = "the directory holds tables; a run needs a new one";
    return false;
  }
  for (int i = 0; i < kTables; ++i) remake_table();
  while (!violation_ && done_ < options_.operations) {
    ++done_;
    step();
    if (!violation_ && options_.directory && done_ % kReopenEvery == 0) open();
    if (!violation_ && done_ % kCheckEvery == 0) check_everything();
  }
  if (!violation_) check_everything();
  return true;
}

void Run::step() {
  struct Choice {
    unsigned weight;  // of 1000
    void (Run::*operation)();
  };
  static constexpr Choice kChoices[] = {{1, &Run::remake_table},     {6, &Run::scan},         {4, &Run::describe},
                                        {30, &Run::invalid},         {2, &Run::change_table}, {1, &Run::expire},
                                        {40, &Run::transact_get},    {50, &Run::batch_get},   {60, &Run::batch_write},
                                        {120, &Run::transact_write}, {130, &Run::get},        {150, &Run::query},
                                        {1000, &Run::write}};
  std::size_t at = random_.below(1000);
  for (const Choice& choice : kChoices) {
    if (at < choice.weight) return (this->*choice.operation)();
    at -= choice.weight;
  }
}

void Run::record(const std::string& what, const std::string& expected, const std::string& found) {
  violation_ = fmt::format("{}\nexpected: {}\nfound: {}", what, expected, found);
}

/// Deletes a table, if it is there, and makes another one of that name.
void Run::remake_table() {
  const std::string name = table_name(random_.below(kTables));
  if (const auto old = model_.tables.find(name); old != model_.tables.end()) {
    const auto deleted = delete_table(store_->service(), name);
    expect_same("delete " + name, "deleted", deleted ? "deleted" : shown(deleted.error()));
    if (deleted) expect_extents(old->second, *deleted);
    model_.tables.erase(old);
    const auto again = delete_table(store_->service(), name);
    expect_same("delete " + name + " again", shown(Code::kTableNotFound), again ? "deleted" : shown(again.error()));
  }
  const TableDefinition definition = generator_.values().table(name);
  const auto created = create_table(store_->service(), definition);
  expect_same("create " + name, "created", created ? "created" : created.error().message());
  const auto again = create_table(store_->service(), definition);
  expect_same("create " + name + " again", shown(Code::kTableExists), again ? "created" : shown(again.error()));
  model_.tables.emplace(name, ModelTable(definition));
}

void Run::check_everything() {
  std::vector<std::string> expected;
  for (const auto& [name, table] : model_.tables) expected.push_back(name);
  const auto names = list_tables(store_->service());
  expect_same("the tables", fmt::format("{}", fmt::join(expected, " ")),
              names ? fmt::format("{}", fmt::join(names->names, " ")) : shown(names.error()));
  for (const auto& [name, table] : model_.tables) check_table(table);
}

void Run::describe() {
  const std::string name = generator_.table_name();
  const auto table = model_.tables.find(name);
  const auto description = describe_table(store_->service(), name);
  if (table != model_.tables.end() && description) return expect_extents(table->second, *description);
  expect_same("describe " + name, table == model_.tables.end() ? shown(Code::kTableNotFound) : "success",
              description ? "success" : shown(description.error()));
}

void Run::expect_extents(const ModelTable& table, const TableDescription& found) {
  const TableDefinition& definition = table.definition();
  expect_same("how much there is in " + definition.name, shown_extent(table.rows(std::nullopt)), shown(found.extent));
  const auto expect_each = [&](const std::vector<IndexDefinition>& indexes, const std::vector<Extent>& extents) {
    if (indexes.size() != extents.size())
      return record("the indexes of " + definition.name, std::to_string(indexes.size()),
                    std::to_string(extents.size()));
    for (std::size_t i = 0; i < indexes.size(); ++i)
      expect_same("how much there is in " + indexes[i].name + " of " + definition.name,
                  shown_extent(table.rows(indexes[i].name)), shown(extents[i]));
  };
  expect_each(definition.local_indexes, found.local_index_extents);
  std::vector<Extent> global_extents;
  for (const GlobalIndexState& state : found.global_index_states) global_extents.push_back(state.extent);
  expect_each(definition.global_indexes, global_extents);
}

void Run::check_table(const ModelTable& table) {
  const TableDefinition& definition = table.definition();
  const auto description = describe_table(store_->service(), definition.name);
  if (!description) return expect_same("describe " + definition.name, "success", shown(description.error()));
  expect_extents(table, *description);
  TableDefinition described = definition;
  described.ttl.reset();
  if (!(description->definition == described))
    expect_same("the definition of " + definition.name, "as it was made", "another");
  whole_scan(definition.name, std::nullopt);
  for (const auto* indexes : {&definition.local_indexes, &definition.global_indexes})
    for (const IndexDefinition& index : *indexes) whole_scan(definition.name, index.name);
  check_stream(table);
}

}  // namespace dolmen::torture
