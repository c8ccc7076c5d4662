// What happens to the vector indexes of a table besides writes and searches: backups, points in time, time to live,
// streams, restarts, and the phases of a new index.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/test_directory.h"
#include "base/test_result.h"
#include "tests/engine/test_tables.h"

namespace dolmen::engine {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr std::chrono::seconds kPhase{10};

VectorIndexDefinition nearby() {
  return {.name = "nearby",
          .attribute = "place",
          .dimensions = 2,
          .distance = VectorDistance::kEuclidean,
          .search = {{"town", KeyType::kString, SearchRole::kHash},
                     {"floor", KeyType::kNumber, SearchRole::kInlineFilter}}};
}

VectorIndexDefinition ahead() {
  return {.name = "ahead",
          .attribute = "place",
          .dimensions = 2,
          .distance = VectorDistance::kDotProduct,
          .projection = ProjectionType::kKeysOnly};
}

TableDefinition shops() { return {.name = "shops", .partition_key = {"p"}, .vector_indexes = {nearby(), ahead()}}; }

bool is_ready(const TableDescription& table) {
  for (const VectorIndexState& index : table.vector_index_states)
    if (index.status != TableStatus::kActive) return false;
  return table.status == TableStatus::kActive;
}

/// A store on disk, and a clock that stands still.
class VectorLife : public testing::Test {
 protected:
  void SetUp() override { open(); }

  void open() {
    engine_.reset();
    engine_ = Engine::open(
                  storage::Storage::open(
                      {.directory = temp_ / "data", .durability = Durability::kSync, .keyspaces = keyspaces::names()})
                      .value(),
                  {.clock = &clock_, .vector_index_phase = kPhase})
                  .value();
  }
  void write(const std::string& key, int x, Item more = {}) {
    more.set("p", key);
    more.set("town", x % 2 == 0 ? "even" : "odd");
    more.set("floor", x % 3);
    more.set("place", List{x, 1});
    ASSERT_THAT(call(*engine_, put("shops", more)), succeeds());
  }
  void fill(int count) {
    for (int i = 0; i < count; ++i) write("s" + std::to_string(i), i);
  }
  void remove(const std::string& key) {
    ASSERT_THAT(
        call(*engine_, WriteRequest{.kind = WriteKind::kDelete, .table = "shops", .item = encode_item({{"p", key}})}),
        succeeds());
  }

  Result<SearchVectorsResponse> search(const std::string& table, const std::string& index) {
    SearchVectorsRequest request{.table = table, .index = index, .vector = {0, 1}, .top_k = 3};
    if (index == "nearby") {
      request.condition = Expression{"town = :t AND floor = :f"};
      request.placeholders = {.values = {{":t", "even"}, {":f", 0}}};
    }
    return call<SearchVectors>(*engine_, std::move(request));
  }
  std::vector<std::string> found(const std::string& table, const std::string& index) {
    std::vector<std::string> keys;
    const SearchVectorsResponse response = search(table, index).value();
    for (const FoundVector& one : response.results)
      keys.push_back(decode_item(one.item.bytes).value().at("p").string());
    return keys;
  }
  Result<TableDescription> restore(const std::string& arn, const std::string& target,
                                   std::optional<std::vector<VectorIndexDefinition>> indexes = {}) {
    RestoreOverrides overrides;
    overrides.vector_indexes = std::move(indexes);
    return call<RestoreTableFromBackup>(*engine_,
                                        {.backup_arn = arn, .target = target, .overrides = std::move(overrides)});
  }
  std::string back_up() {
    clock_.advance(std::chrono::seconds(1));
    return call<CreateBackup>(*engine_, {.table = "shops", .name = "nightly"}).value().arn;
  }
  Result<TableDescription> change_index(VectorIndexChange change) {
    return call<UpdateTable>(*engine_, {.table = "shops", .vector_indexes = {std::move(change)}});
  }
  VectorIndexState state() { return describe_table(*engine_, "shops").value().vector_index_states.at(0); }

  const TemporaryDirectory temp_;
  FixedClock clock_;
  std::unique_ptr<Engine> engine_;
};

TEST_F(VectorLife, a_restored_table_finds_what_its_backup_had) {
  ASSERT_THAT(create_table(*engine_, shops()), succeeds());
  fill(30);
  const std::string arn = back_up();
  write("s0", 100);
  remove("s6");
  ASSERT_THAT(found("shops", "nearby"), ElementsAre("s12", "s18", "s24"));
  ASSERT_THAT(delete_table(*engine_, "shops"), succeeds());
  EXPECT_EQ(call<DescribeBackup>(*engine_, {.arn = arn}).value().definition.vector_indexes, shops().vector_indexes);
  ASSERT_THAT(restore(arn, "again"), succeeds());
  const TableDescription table = await_table(*engine_, "again", is_ready);
  EXPECT_EQ(table.definition.vector_indexes, shops().vector_indexes);
  EXPECT_EQ(table.vector_index_states.at(0).extent.item_count, 30U);
  EXPECT_THAT(found("again", "nearby"), ElementsAre("s0", "s6", "s12"));
  EXPECT_EQ(search("again", "ahead").value().results.size(), 3U);
  open();
  EXPECT_THAT(found("again", "nearby"), ElementsAre("s0", "s6", "s12"));
}

TEST_F(VectorLife, a_restore_keeps_the_indexes_that_it_names) {
  ASSERT_THAT(create_table(*engine_, shops()), succeeds());
  fill(10);
  const std::string arn = back_up();
  VectorIndexDefinition other = nearby();
  other.dimensions = 3;
  EXPECT_THAT(restore(arn, "wrong", {{other}}),
              fails_with(Code::kValidation, HasSubstr("Index nearby does not match")));
  EXPECT_THAT(describe_table(*engine_, "wrong"), fails_with(Code::kTableNotFound));
  ASSERT_THAT(restore(arn, "one", {{nearby()}}), succeeds());
  EXPECT_EQ(await_table(*engine_, "one", is_ready).definition.vector_indexes, std::vector{nearby()});
  EXPECT_THAT(found("one", "nearby"), ElementsAre("s0", "s6"));
  EXPECT_THAT(search("one", "ahead"),
              fails_with(Code::kValidation, "The table does not have the specified index: ahead"));
  ASSERT_THAT(restore(arn, "none", std::vector<VectorIndexDefinition>()), succeeds());
  EXPECT_THAT(await_table(*engine_, "none", is_ready).definition.vector_indexes, IsEmpty());
  EXPECT_THAT(search("none", "nearby"), fails_with(Code::kValidation));
}

TEST_F(VectorLife, a_point_in_time_has_the_vectors_of_that_time) {
  ASSERT_THAT(create_table(*engine_, shops()), succeeds());
  ASSERT_THAT(call<UpdateContinuousBackups>(*engine_, {.table = "shops", .change = {}}), succeeds());
  clock_.advance(std::chrono::seconds(1));
  fill(10);
  const TableTime then = clock_.table_time();
  clock_.advance(std::chrono::seconds(5));
  write("s0", 101);
  remove("s6");
  ASSERT_THAT(found("shops", "nearby"), IsEmpty());
  ASSERT_THAT(call<RestoreTableToPointInTime>(*engine_, {.source = "shops", .target = "before", .time = then}),
              succeeds());
  EXPECT_EQ(await_table(*engine_, "before", is_ready).definition.vector_indexes, shops().vector_indexes);
  EXPECT_THAT(found("before", "nearby"), ElementsAre("s0", "s6"));
}

TEST_F(VectorLife, what_expires_is_not_found_and_its_record_has_the_vector) {
  TableDefinition definition = shops();
  definition.ttl = "ends";
  definition.stream = StreamView::kOldImage;
  const std::string arn = create_table(*engine_, definition).value().stream_arn;
  const auto now = std::chrono::duration_cast<std::chrono::seconds>(clock_.now().time_since_epoch()).count();
  write("stays", 6);
  write("ends", 0, {{"ends", now + 60}});
  ASSERT_THAT(found("shops", "nearby"), ElementsAre("ends", "stays"));
  clock_.advance(std::chrono::seconds(61));
  engine_->finish_expiry();
  EXPECT_THAT(found("shops", "nearby"), ElementsAre("stays"));
  EXPECT_EQ(state().extent.item_count, 1U);
  std::vector<Item> old;
  const StreamDescription stream = call<DescribeStream>(*engine_, {.arn = arn}).value();
  for (const StreamShard& shard : stream.shards) {
    const ShardIterator from =
        call<GetShardIterator>(*engine_, {.arn = arn, .shard = shard.id, .type = ShardIteratorType::kTrimHorizon})
            .value();
    const GetRecordsResponse page = call<GetRecords>(*engine_, {.iterator = from.text}).value();
    for (const StreamChange& change : page.records)
      if (change.old_image) old.push_back(decode_item(change.old_image->bytes).value());
  }
  ASSERT_EQ(old.size(), 1U);
  EXPECT_EQ(old[0].at("p"), AttributeValue("ends"));
  EXPECT_EQ(old[0].at("place"), AttributeValue(List{0, 1}));
}

TEST_F(VectorLife, a_store_that_is_opened_again_finds_the_same) {
  ASSERT_THAT(create_table(*engine_, shops()), succeeds());
  fill(200);
  remove("s6");
  write("s12", 13);
  const std::vector<std::string> near = found("shops", "nearby");
  EXPECT_THAT(near, ElementsAre("s0", "s18", "s24"));
  const TableDescription before = describe_table(*engine_, "shops").value();
  open();
  EXPECT_EQ(found("shops", "nearby"), near);
  EXPECT_EQ(describe_table(*engine_, "shops").value().vector_index_states, before.vector_index_states);
  write("s6", 6);
  EXPECT_THAT(found("shops", "nearby"), ElementsAre("s0", "s6", "s18"));
  open();
  EXPECT_THAT(found("shops", "nearby"), ElementsAre("s0", "s6", "s18"));
}

TEST_F(VectorLife, a_new_index_goes_through_the_phases) {
  ASSERT_THAT(create_table(*engine_, {.name = "shops", .partition_key = {"p"}}), succeeds());
  fill(10);
  EXPECT_EQ(change_index(CreateVectorIndex{nearby()}).value().status, TableStatus::kUpdating);
  EXPECT_EQ(describe_table(*engine_, "shops").value().status, TableStatus::kUpdating);
  EXPECT_EQ(state().status, TableStatus::kCreating);
  EXPECT_EQ(state().backfilling, false);
  EXPECT_THAT(search("shops", "nearby"),
              fails_with(Code::kValidation, "The table does not have the specified index: nearby"));
  EXPECT_FALSE(change_index(DeleteVectorIndex{"nearby"}).has_value());
  EXPECT_FALSE(change_index(CreateVectorIndex{ahead()}).has_value());
  EXPECT_FALSE(delete_table(*engine_, "shops").has_value());

  clock_.advance(kPhase);
  open();  // A restart changes nothing about it.
  EXPECT_EQ(describe_table(*engine_, "shops").value().status, TableStatus::kActive);
  EXPECT_EQ(state().status, TableStatus::kCreating);
  EXPECT_EQ(state().backfilling, true);
  EXPECT_THAT(search("shops", "nearby"),
              fails_with(Code::kValidation, "Cannot search backfilling vector index: nearby"));
  EXPECT_FALSE(change_index(CreateVectorIndex{ahead()}).has_value());
  EXPECT_FALSE(delete_table(*engine_, "shops").has_value());
  write("s12", 12);

  clock_.advance(kPhase);
  await_table(*engine_, "shops", is_ready);
  EXPECT_EQ(state().backfilling, std::nullopt);
  EXPECT_EQ(state().extent.item_count, 11U);
  EXPECT_THAT(found("shops", "nearby"), ElementsAre("s0", "s6", "s12"));
  EXPECT_THAT(delete_table(*engine_, "shops"), succeeds());
}

TEST_F(VectorLife, an_index_that_is_being_filled_can_be_given_up) {
  ASSERT_THAT(create_table(*engine_, {.name = "shops", .partition_key = {"p"}}), succeeds());
  fill(10);
  ASSERT_THAT(change_index(CreateVectorIndex{nearby()}), succeeds());
  clock_.advance(kPhase);
  ASSERT_THAT(change_index(DeleteVectorIndex{"nearby"}), succeeds());
  await_table(*engine_, "shops", [](const TableDescription& table) { return table.vector_index_states.empty(); });
  EXPECT_THAT(search("shops", "nearby"), fails_with(Code::kValidation));
  EXPECT_THAT(delete_table(*engine_, "shops"), succeeds());
}

}  // namespace
}  // namespace dolmen::engine
