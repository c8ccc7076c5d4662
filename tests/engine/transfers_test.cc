// Exports and imports, with a clock that stands still and buckets in memory.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <map>
#include <mutex>

#include "base/test_result.h"
#include "engine/past_changes.h"
#include "formats/line_reader.h"
#include "objects/object_store.h"
#include "test_tables.h"

namespace dolmen::engine {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::UnorderedElementsAre;

/// One bucket in memory, which fails for a while when it is asked to.
class MemoryBucket final : public ObjectStore, public Buckets {
 public:
  Result<std::shared_ptr<ObjectStore>> open(const std::string&) override {
    return std::shared_ptr<ObjectStore>(std::shared_ptr<void>(), this);
  }
  Result<void> put(const std::string& key, std::string_view body) override {
    const std::lock_guard lock(mutex_);
    if (failures > 0) return --failures, std::unexpected(Error(Code::kUnavailable, "not now"));
    objects[key] = body;
    return {};
  }
  Result<std::string> read(const std::string& key, std::uint64_t offset, std::size_t bytes_max) override {
    const std::lock_guard lock(mutex_);
    return objects.at(key).substr(offset, bytes_max);
  }
  Result<void> remove(const std::string& key) override { return objects.erase(key), Result<void>(); }
  Result<std::vector<ObjectInfo>> list(const std::string& prefix) override {
    const std::lock_guard lock(mutex_);
    std::vector<ObjectInfo> found;
    for (const auto& [key, body] : objects)
      if (key.starts_with(prefix)) found.push_back({.key = key, .bytes = body.size()});
    return found;
  }

  std::map<std::string, std::string> objects;
  int failures = 0;

 private:
  std::mutex mutex_;
};

class Whole final : public formats::ByteSource {
 public:
  explicit Whole(std::string bytes) : bytes_(std::move(bytes)) {}
  Result<bool> read(std::string& out) override {
    if (bytes_.empty()) return false;
    out += std::exchange(bytes_, "");
    return true;
  }

 private:
  std::string bytes_;
};

constexpr const char* kThings = "arn:aws:dynamodb:us-east-1:000000000000:table/things";

class Transfers : public testing::Test {
 protected:
  void SetUp() override {
    service_ = open_engine_with({.clock = &clock_, .buckets = bucket_});
    ASSERT_THAT(create_table(*service_, with_early_index("things")), succeeds());
    ASSERT_THAT(call<UpdateContinuousBackups>(*service_, {.table = "things", .change = {}}), succeeds());
  }

  void write(const std::string& key, int rank) {
    ASSERT_THAT(call(*service_, put("things", {{"p", key}, {"rank", rank}})), succeeds());
  }
  void remove(const std::string& key) {
    ASSERT_THAT(
        call(*service_, WriteRequest{.kind = WriteKind::kDelete, .table = "things", .item = encode_item({{"p", key}})}),
        succeeds());
  }
  Result<ExportDescription> start(std::optional<IncrementalExport> window) {
    ExportTableRequest request{.table_arn = kThings, .to = {.bucket = "b"}};
    if (window) request.incremental = true;
    request.window = window;
    return call<ExportTableToPointInTime>(*service_, request);
  }
  ExportDescription ended(const std::string& arn) {
    while (true) {
      ExportDescription described = call<DescribeExport>(*service_, {.arn = arn}).value();
      if (described.status != JobStatus::kInProgress) return described;
      std::this_thread::yield();
    }
  }
  std::vector<std::string> lines(std::string_view folder) {
    std::vector<std::string> found;
    const std::vector<ObjectInfo> objects = bucket_->list("").value();
    for (const ObjectInfo& object : objects) {
      if (!object.key.contains(folder)) continue;
      formats::LineReader reader(
          formats::decompressed(std::make_unique<Whole>(bucket_->objects.at(object.key)), formats::Compression::kGzip));
      std::string line;
      while (reader.next(line).value()) found.push_back(line);
    }
    return found;
  }
  TableTime now() { return clock_.table_time(); }

  FixedClock clock_;
  std::shared_ptr<MemoryBucket> bucket_ = std::make_shared<MemoryBucket>();
  std::unique_ptr<Service> service_;
};

TEST_F(Transfers, an_incremental_export_has_what_became_of_each_item) {
  write("before", 1);
  write("goes", 2);
  write("stays", 3);
  clock_.advance(std::chrono::minutes(1));
  const TableTime from = now();
  write("before", 10);
  clock_.advance(std::chrono::minutes(1));
  write("before", 11);
  remove("goes");
  write("comes", 4);
  write("passes", 5);
  remove("passes");
  clock_.advance(std::chrono::minutes(20));
  const TableTime to = now();
  write("before", 12);
  write("later", 6);
  clock_.advance(std::chrono::minutes(1));
  const ExportDescription done = ended(start(IncrementalExport{.from = from, .to = to}).value().arn);
  ASSERT_EQ(done.status, JobStatus::kCompleted) << done.failure.value_or(JobFailure{}).message;
  const auto micros = (to - std::chrono::minutes(20)).time_since_epoch().count() * 1000;
  const std::string meta = fmt::format(R"({{"Metadata":{{"WriteTimestampMicros":{{"N":"{}"}}}},"Keys":)", micros);
  EXPECT_THAT(
      lines("AWSDynamoDB/data/"),
      UnorderedElementsAre(
          meta +
              R"({"p":{"S":"before"}},"OldImage":{"p":{"S":"before"},"rank":{"N":"1"}},"NewImage":{"p":{"S":"before"},"rank":{"N":"11"}}})",
          meta + R"({"p":{"S":"goes"}},"OldImage":{"p":{"S":"goes"},"rank":{"N":"2"}}})",
          meta + R"({"p":{"S":"comes"}},"NewImage":{"p":{"S":"comes"},"rank":{"N":"4"}}})"));
  EXPECT_THAT(bucket_->objects.at(*done.manifest), testing::HasSubstr(R"("exportType":"INCREMENTAL_EXPORT")"));
}

TEST_F(Transfers, the_period_of_an_incremental_export_has_limits) {
  const TableTime created = now();
  clock_.advance(std::chrono::hours(30));
  const auto refused = [&](TableTime from, std::optional<TableTime> to, const char* text) {
    EXPECT_THAT(start(IncrementalExport{.from = from, .to = to}), fails_with(Code::kInvalidExportTime, text));
  };
  refused(created, created + std::chrono::minutes(14),
          "Difference between export period from time and export period to time is less than 15 minutes");
  refused(created, created + std::chrono::hours(25),
          "Difference between export period from time and export period to time is more than 24 hours");
  EXPECT_THAT(start(IncrementalExport{.from = created - std::chrono::hours(1), .to = created}),
              fails_with(Code::kInvalidExportTime));
  EXPECT_THAT(start(IncrementalExport{.from = created, .to = now() + std::chrono::hours(1)}),
              fails_with(Code::kInvalidExportTime));
  EXPECT_THAT(start(IncrementalExport{}), fails_with(Code::kValidation));
  EXPECT_THAT(start(IncrementalExport{.from = created}), succeeds());
}

TEST_F(Transfers, an_export_tries_again_while_the_bucket_is_away) {
  write("a", 1);
  bucket_->failures = 2;
  EXPECT_EQ(ended(start(std::nullopt).value().arn).status, JobStatus::kCompleted);
  EXPECT_THAT(lines("/data/"), ElementsAre(R"({"Item":{"p":{"S":"a"},"rank":{"N":"1"}}})"));
}

TEST_F(Transfers, an_empty_table_has_an_empty_file) {
  const ExportDescription done = ended(start(std::nullopt).value().arn);
  EXPECT_EQ(done.items, 0U);
  EXPECT_THAT(lines("/data/"), IsEmpty());
  EXPECT_EQ(bucket_->list("").value().size(), 6U);
}

TEST_F(Transfers, an_import_reads_every_object_and_the_last_of_equal_keys_counts) {
  bucket_->objects["in/1"] = "{\"Item\":{\"p\":{\"S\":\"a\"},\"n\":{\"N\":\"1\"}}}\n\n{\"Item\":{\"p\":{\"S\":\"b\"}}}";
  bucket_->objects["in/2"] = "{\"Item\":{\"p\":{\"S\":\"a\"},\"n\":{\"N\":\"2\"}}}\n";
  const ImportDescription begun =
      call<ImportTable>(*service_, {.from = {.bucket = "b", .prefix = "in/"}, .table = with_early_index("copy")})
          .value();
  ImportDescription done;
  do done = call<DescribeImport>(*service_, {.arn = begun.arn}).value();
  while (done.status == JobStatus::kInProgress);
  EXPECT_EQ(done.status, JobStatus::kCompleted);
  EXPECT_EQ(done.imported_items, 3U);
  EXPECT_THAT(scan_all(*service_, "copy"), UnorderedElementsAre(Item{{"p", "a"}, {"n", 2}}, Item{{"p", "b"}}));
  EXPECT_THAT(call<ImportTable>(*service_, {.from = {.bucket = "b"}, .table = with_early_index("copy")}),
              fails_with(Code::kTableExists));
}

}  // namespace
}  // namespace dolmen::engine
