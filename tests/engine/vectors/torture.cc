// vector_torture: random writes, deletes, updates and searches on a table with vector indexes, with power cuts,
// compared with a naive model. Exact searches must be equal; others must return nothing that is gone or does not match,
// and find almost everything. `--ops N --seed S` repeats a run.
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fmt/format.h>
#include <memory>
#include <random>
#include <set>
#include <string>

#include "engine/engine.h"
#include "engine/keyspaces.h"
#include "model.h"
#include "service/wait.h"
#include "storage/fault_plan.h"
#include "value/float_number.h"

namespace dolmen::vectors_torture {
namespace {

constexpr std::size_t kDimensions = 24;
constexpr std::size_t kKeys = 6000;
constexpr int kTenants = 5;
constexpr int kKinds = 4;
/// Small enough that most of the run has a graph.
constexpr std::size_t kGraphRows = 500;
/// Of approximate searches over the whole run.
constexpr double kRecallMin = 0.95;

struct IndexUnderTest {
  const char* name;
  VectorDistance distance;
  bool by_tenant;
  bool has_kind;
};
constexpr IndexUnderTest kIndexes[] = {{"by_all", VectorDistance::kCosine, false, true},
                                       {"by_tenant", VectorDistance::kEuclidean, true, true},
                                       {"by_product", VectorDistance::kDotProduct, false, false}};

TableDefinition definition() {
  TableDefinition table{.name = "things", .partition_key = {"id", KeyType::kString}};
  for (const IndexUnderTest& index : kIndexes) {
    VectorIndexDefinition vectors{.name = index.name,
                                  .attribute = "meaning",
                                  .dimensions = kDimensions,
                                  .distance = index.distance,
                                  .projection = index.by_tenant ? ProjectionType::kKeysOnly : ProjectionType::kAll};
    if (index.by_tenant) vectors.search.push_back({"tenant", KeyType::kString, SearchRole::kHash});
    if (index.has_kind) vectors.search.push_back({"kind", KeyType::kNumber, SearchRole::kInlineFilter});
    table.vector_indexes.push_back(vectors);
  }
  return table;
}

class Torture {
 public:
  Torture(std::uint64_t seed, const std::filesystem::path& directory) : random_(seed), directory_(directory) {
    for (auto& center : centers_)
      for (float& element : center) element = gaussian();
    open();
    must(call<CreateTable>(*engine_, definition()).has_value(), "the table can be created");
  }

  void run(std::uint64_t operations) {
    const std::uint64_t between_cuts = std::max<std::uint64_t>(operations / 25, 200);
    for (std::uint64_t i = 0; i < operations; ++i) {
      if (i % between_cuts == between_cuts - 1) cut_power();
      step();
    }
    const TableDescription table = call<DescribeTable>(*engine_, {.table = "things"}).value();
    must(table.extent.item_count == model_.size(), "the table has the items of the model");
    for (std::size_t i = 0; i < std::size(kIndexes); ++i) {
      const auto indexed = std::ranges::count_if(model_, [&](const auto& entry) {
        return entry.second.vector && (!kIndexes[i].by_tenant || entry.second.tenant);
      });
      must(table.vector_index_states.at(i).extent.item_count == static_cast<std::uint64_t>(indexed),
           fmt::format("{} has the items of the model", kIndexes[i].name));
    }
    must(asked_ == 0 || recall() >= kRecallMin, fmt::format("the recall is {:.4f}", recall()));
  }

  [[nodiscard]] std::uint64_t violations() const { return violations_; }
  [[nodiscard]] double recall() const {
    return asked_ == 0 ? 1 : static_cast<double>(found_) / static_cast<double>(asked_);
  }
  [[nodiscard]] std::uint64_t searches() const { return searches_; }
  [[nodiscard]] int cuts() const { return cuts_; }

 private:
  void open() {
    auto storage = storage::Storage::open({.directory = directory_,
                                           .durability = Durability::kSync,
                                           .keyspaces = engine::keyspaces::names(),
                                           .faults = plan_});
    engine_ = engine::Engine::open(std::move(storage).value(), {.vector_graph_rows_min = kGraphRows}).value();
  }

  /// The power fails during one of the next writes, whose outcome the store then knows.
  void cut_power() {
    ++cuts_;
    plan_->inject({.kind = storage::FaultKind::kPowerCut, .path_part = ".log", .skip = random_() % 6});
    for (int i = 0; i < 100 && !plan_->has_crashed(); ++i) write();
    engine_.reset();
    plan_->clear();
    plan_->drop_unsynced();
    open();
    for (const std::string& key : unknown_) learn(key);
    unknown_.clear();
  }

  void learn(const std::string& key) {
    const GetItemResponse got = call<GetItem>(*engine_, {.table = "things", .key = encode_item({{"id", key}})}).value();
    if (!got.item) {
      model_.erase(key);
      return;
    }
    const Item item = decode_item(got.item->bytes).value();
    ModelItem known{.note = static_cast<int>(*item.at("note").number().to_int64())};
    if (const auto* list = item.find("meaning")) {
      known.vector.emplace();
      for (const AttributeValue& element : list->list()) known.vector->push_back(*nearest_float(element.number()));
    }
    if (const auto* tenant = item.find("tenant")) known.tenant = tenant->string();
    if (const auto* kind = item.find("kind")) known.kind = static_cast<int>(*kind->number().to_int64());
    model_[key] = known;
  }

  void step() {
    if (below(3) == 0)
      search();
    else
      write();
  }

  void write() {
    const std::string key = fmt::format("k{}", below(kKeys));
    const unsigned what = below(10);
    if (what == 0) return remove(key);
    if (what <= 2 && model_.contains(key)) return update(key);
    ModelItem item{.note = static_cast<int>(below(1000))};
    if (below(20) != 0) item.vector = vector();
    if (below(20) != 0) item.tenant = tenant();
    if (below(5) != 0) item.kind = static_cast<int>(below(kKinds));
    const Result<WriteResponse> written =
        call<PutItem>(*engine_, {.kind = WriteKind::kPut, .table = "things", .item = encode_item(as_item(key, item))});
    settle(key, written, [&] { model_[key] = item; });
  }

  void remove(const std::string& key) {
    const Result<WriteResponse> written =
        call<DeleteItem>(*engine_, {.kind = WriteKind::kDelete, .table = "things", .item = encode_item({{"id", key}})});
    settle(key, written, [&] { model_.erase(key); });
  }

  void update(const std::string& key) {
    WriteRequest request{.kind = WriteKind::kUpdate, .table = "things", .item = encode_item({{"id", key}})};
    ModelItem item = model_[key];
    switch (below(4)) {
      case 0:
        item.vector = vector();
        request.update = Expression{"SET meaning = :v"};
        request.placeholders.values.set(":v", list_of(*item.vector));
        break;
      case 1:
        item.vector.reset();
        request.update = Expression{"REMOVE meaning"};
        break;
      case 2:
        item.tenant = tenant();
        request.update = Expression{"SET tenant = :t"};
        request.placeholders.values.set(":t", *item.tenant);
        break;
      default:
        item.note = static_cast<int>(below(1000));
        request.update = Expression{"SET note = :n"};
        request.placeholders.values.set(":n", item.note);
    }
    const Result<WriteResponse> written = call<UpdateItem>(*engine_, std::move(request));
    settle(key, written, [&] { model_[key] = item; });
  }

  template <class Apply>
  void settle(const std::string& key, const Result<WriteResponse>& written, Apply apply) {
    if (written) return apply();
    must(plan_->has_crashed(), fmt::format("a write is refused: {}", written.error().message()));
    unknown_.insert(key);
  }

  void search() {
    ++searches_;
    const IndexUnderTest& index = kIndexes[below(3)];
    ModelSearch asked{.distance = index.distance, .query = vector(), .by_tenant = index.by_tenant};
    SearchVectorsRequest request{.table = "things",
                                 .index = index.name,
                                 .vector = asked.query,
                                 .top_k = 1 + below(20),
                                 .mode = below(2) == 0 ? VectorSearchMode::kExact : VectorSearchMode::kApproximate};
    std::string condition;
    if (index.by_tenant) {
      asked.tenant = tenant();
      condition = "tenant = :t";
      request.placeholders.values.set(":t", *asked.tenant);
    }
    if (index.has_kind && below(2) == 0) {
      asked.kind = static_cast<int>(below(kKinds + 1));
      condition += condition.empty() ? "kind = :k" : " AND kind = :k";
      request.placeholders.values.set(":k", *asked.kind);
    }
    if (!condition.empty()) request.condition = Expression{condition};
    const bool exact = request.mode == VectorSearchMode::kExact;
    const std::size_t top_k = request.top_k;
    const Result<SearchVectorsResponse> answer = call<SearchVectors>(*engine_, std::move(request));
    if (!answer) return must(false, fmt::format("a search is refused: {}", answer.error().message()));
    judge(asked, *answer, top_k, exact);
  }

  void judge(const ModelSearch& asked, const SearchVectorsResponse& answer, std::size_t top_k, bool exact) {
    const std::vector<float> wanted = naive_scores(model_, asked, top_k);
    must(answer.results.size() == wanted.size(),
         fmt::format("{} of {} results, {}", answer.results.size(), wanted.size(), exact ? "exact" : "approximate"));
    std::set<std::string> keys;
    for (std::size_t i = 0; i < answer.results.size(); ++i) {
      const Item item = decode_item(answer.results[i].item.bytes).value();
      const std::string key = item.at("id").string();
      const auto found = model_.find(key);
      must(keys.insert(key).second, "an item is found twice");
      if (found == model_.end() || !matches(asked, found->second)) {
        must(false, fmt::format("{} is found, and is gone or does not match", key));
        continue;
      }
      const float score = naive_score(asked.distance, asked.query, *found->second.vector);
      must(near(static_cast<float>(answer.results[i].score), score), fmt::format("the score of {} is wrong", key));
      if (exact && i < wanted.size())
        must(near(score, wanted[i]), fmt::format("result {} is not the next best of an exact search", i));
    }
    if (exact) return;
    asked_ += wanted.size();
    for (const FoundVector& one : answer.results)
      found_ += !wanted.empty() && !is_worse(asked.distance, static_cast<float>(one.score), wanted.back()) ? 1 : 0;
  }

  /// Sums may be added up in another order.
  static bool near(float a, float b) { return std::abs(a - b) <= 1e-5F * std::max({1.0F, std::abs(a), std::abs(b)}); }
  static bool is_worse(VectorDistance distance, float a, float b) {
    if (near(a, b)) return false;
    return distance == VectorDistance::kDotProduct ? a < b : a > b;
  }

  void must(bool holds, const std::string& what) {
    if (holds) return;
    if (++violations_ <= 20) fmt::print("violation: {}\n", what);
  }

  static Item as_item(const std::string& key, const ModelItem& item) {
    Item all{{"id", key}, {"note", item.note}};
    if (item.vector) all.set("meaning", list_of(*item.vector));
    if (item.tenant) all.set("tenant", *item.tenant);
    if (item.kind) all.set("kind", *item.kind);
    return all;
  }

  static List list_of(const std::vector<float>& vector) {
    List list;
    for (const float element : vector) list.emplace_back(number_of(element));
    return list;
  }

  /// Near one of a few places, as real vectors are.
  std::vector<float> vector() {
    std::vector<float> made(kDimensions);
    const auto& center = centers_[below(static_cast<unsigned>(centers_.size()))];
    for (std::size_t i = 0; i < kDimensions; ++i) made[i] = center[i] + 0.3F * gaussian();
    return made;
  }

  std::string tenant() { return fmt::format("t{}", below(kTenants)); }
  unsigned below(unsigned bound) { return static_cast<unsigned>(random_() % bound); }
  float gaussian() { return std::normal_distribution<float>()(random_); }

  std::mt19937_64 random_;
  const std::filesystem::path directory_;
  std::array<std::array<float, kDimensions>, 16> centers_{};
  const std::shared_ptr<storage::FaultPlan> plan_ = std::make_shared<storage::FaultPlan>();
  std::unique_ptr<engine::Engine> engine_;
  ModelTable model_;
  std::set<std::string> unknown_;
  std::uint64_t violations_ = 0;
  std::uint64_t searches_ = 0;
  std::uint64_t asked_ = 0;
  std::uint64_t found_ = 0;
  int cuts_ = 0;
};

}  // namespace
}  // namespace dolmen::vectors_torture

namespace {

/// Power cuts are those of the fault plan, so a disk that really syncs would only cost time.
std::filesystem::path scratch_directory() {
  const std::filesystem::path memory = "/dev/shm";
  std::error_code ignored;
  return std::filesystem::is_directory(memory, ignored) ? memory : std::filesystem::temp_directory_path();
}

}  // namespace

int main(int argc, char** argv) {
  std::uint64_t operations = 2000;
  std::uint64_t seed = std::random_device()();
  for (int i = 1; i + 1 < argc; i += 2) {
    const std::string flag = argv[i];
    if (flag == "--ops") operations = std::stoull(argv[i + 1]);
    if (flag == "--seed") seed = std::stoull(argv[i + 1]);
  }
  fmt::print("vector_torture --ops {} --seed {}\n", operations, seed);
  const std::filesystem::path directory =
      scratch_directory() / fmt::format("vector_torture_{}", std::random_device()());
  dolmen::vectors_torture::Torture torture(seed, directory);
  torture.run(operations);
  std::error_code ignored;
  std::filesystem::remove_all(directory, ignored);
  fmt::print("{} searches, recall {:.4f}, {} power cuts\n", torture.searches(), torture.recall(), torture.cuts());
  fmt::print("{} operations, {} violations\n", operations, torture.violations());
  return torture.violations() == 0 ? 0 : 1;
}
