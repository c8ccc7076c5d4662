// What items take on disk, and what reading one of them costs that is not in the block cache: by compression, and with
// names of one letter, which is the least that numbers in place of names could take. `bytes` is what an item takes in a
// file of 20,000.
#include <array>
#include <benchmark/benchmark.h>
#include <filesystem>
#include <fmt/core.h>
#include <memory>
#include <random>
#include <rocksdb/options.h>
#include <rocksdb/sst_file_reader.h>
#include <rocksdb/sst_file_writer.h>
#include <rocksdb/table.h>
#include <string>
#include <unistd.h>

#include "base/check.h"
#include "dolmen/value.h"
#include "storage/options.h"
#include "storage/rocks_options.h"
#include "value/encoded_item.h"

namespace {

using namespace dolmen;

constexpr int kItems = 20'000;

enum class Names { kWhole, kLetters };
enum class Kind { kOrder, kReading };

/// Makes the items of one file.
class Maker {
 public:
  Maker(Kind kind, Names names) : kind_(kind), names_(names) {}

  [[nodiscard]] std::string item(int number) {
    return encode_item(kind_ == Kind::kOrder ? order(number) : reading(number)).bytes;
  }

 private:
  [[nodiscard]] std::string name(std::string_view whole, char letter) const {
    return names_ == Names::kWhole ? std::string(whole) : std::string(1, letter);
  }

  std::string text(int words) {
    static constexpr std::array kWords{"delivered", "the",   "customer", "asked",  "again", "parcel", "street",
                                       "after",     "seven", "please",   "ring",   "twice", "garden", "neighbour",
                                       "invoice",   "paid",  "by",       "credit", "card",  "number"};
    std::string made;
    for (int i = 0; i < words; ++i) made.append(kWords[random_() % kWords.size()]).append(" ");
    return made;
  }
  std::string digits(int count) {
    std::string made;
    for (int i = 0; i < count; ++i) made.push_back(static_cast<char>('0' + random_() % 10));
    return made;
  }

  /// About a kilobyte, half of it text.
  Item order(int number) {
    List lines;
    for (int i = 0; i < 4; ++i)
      lines.push_back(Item{{name("articleNumber", 'a'), digits(12)},
                           {name("quantity", 'b'), static_cast<int>(random_() % 9)},
                           {name("unitPrice", 'c'), static_cast<int>(random_() % 100'000)},
                           {name("description", 'd'), text(4)}});
    return {{name("customerId", 'e'), "customer#" + digits(8)},
            {name("orderNumber", 'f'), number},
            {name("createdAt", 'g'), fmt::format("2026-11-{:02}T12:{}:00.{}Z", number % 28 + 1, digits(2), digits(9))},
            {name("updatedAt", 'h'), fmt::format("2026-11-{:02}T13:{}:00.{}Z", number % 28 + 1, digits(2), digits(9))},
            {name("version", 'i'), static_cast<int>(random_() % 100)},
            {name("status", 'j'), number % 3 == 0 ? "SHIPPED" : "DELIVERED"},
            {name("shippingAddress", 'k'), Item{{name("street", 'l'), text(2) + digits(2)},
                                                {name("postalCode", 'm'), digits(5)},
                                                {name("countryCode", 'n'), "FR"}}},
            {name("orderLines", 'o'), std::move(lines)},
            {name("notes", 'p'), text(60)}};
  }

  /// About 70 bytes, half of them names.
  Item reading(int number) {
    return {{name("deviceId", 'a'), "device#" + digits(6)},
            {name("measuredAt", 'b'), 1'793'000'000 + number},
            {name("temperature", 'c'), static_cast<int>(random_() % 4000)},
            {name("humidity", 'd'), static_cast<int>(random_() % 100)},
            {name("valid", 'e'), true}};
  }

  const Kind kind_;
  const Names names_;
  std::mt19937_64 random_{1};
};

void must(const rocksdb::Status& status) { DOLMEN_CHECK(status.ok(), status.ToString().c_str()); }

/// A key as long as one of a table with a partition key and a sort key.
std::string key_of(int number) { return fmt::format("{:030}", number); }

/// One file of a store, with the options of the store but for the compression, and without a cache.
class File {
 public:
  File(Kind kind, Names names, rocksdb::CompressionType compression)
      : path_(std::filesystem::temp_directory_path() / fmt::format("dolmen-space-{}.sst", ::getpid())),
        options_(storage::rocks_options({}, rocksdb::Env::Default())) {
    options_.compression = compression;
    rocksdb::BlockBasedTableOptions blocks = *options_.table_factory->GetOptions<rocksdb::BlockBasedTableOptions>();
    blocks.block_cache = nullptr;
    blocks.no_block_cache = true;
    options_.table_factory.reset(rocksdb::NewBlockBasedTableFactory(blocks));
    rocksdb::SstFileWriter writer(rocksdb::EnvOptions(), options_);
    must(writer.Open(path_));
    Maker maker(kind, names);
    for (int i = 0; i < kItems; ++i) must(writer.Put(key_of(i), maker.item(i)));
    must(writer.Finish());
    reader_ = std::make_unique<rocksdb::SstFileReader>(options_);
    must(reader_->Open(path_));
  }
  ~File() { std::filesystem::remove(path_); }
  File(const File&) = delete;
  File& operator=(const File&) = delete;

  [[nodiscard]] double bytes_of_item() const { return static_cast<double>(std::filesystem::file_size(path_)) / kItems; }
  [[nodiscard]] std::unique_ptr<rocksdb::Iterator> rows() {
    return std::unique_ptr<rocksdb::Iterator>(reader_->NewIterator({}));
  }

 private:
  const std::string path_;
  rocksdb::Options options_;
  std::unique_ptr<rocksdb::SstFileReader> reader_;
};

void read_one(benchmark::State& state, Kind kind, Names names, rocksdb::CompressionType compression) {
  File file(kind, names, compression);
  const auto rows = file.rows();
  std::mt19937_64 random(2);
  for (auto _ : state) {
    rows->Seek(key_of(static_cast<int>(random() % kItems)));
    benchmark::DoNotOptimize(rows->value().size());
  }
  state.counters["bytes"] = file.bytes_of_item();
}

void add(const char* called, Kind kind, Names names) {
  using enum rocksdb::CompressionType;
  for (const auto& [compression, name] :
       {std::pair(kNoCompression, "none"), std::pair(kLZ4Compression, "lz4"), std::pair(kZSTD, "zstd")})
    benchmark::RegisterBenchmark(fmt::format("{}/{}", called, name).c_str(),
                                 [=](benchmark::State& state) { read_one(state, kind, names, compression); });
}

const bool kRegistered = [] {
  add("order", Kind::kOrder, Names::kWhole);
  add("order, names of one letter", Kind::kOrder, Names::kLetters);
  add("reading", Kind::kReading, Names::kWhole);
  add("reading, names of one letter", Kind::kReading, Names::kLetters);
  return true;
}();

}  // namespace
