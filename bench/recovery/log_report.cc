// Recovers rows from a log that is longer than those of a server, which keeps its logs short. Used by run.py. Usage:
//
//     log_report fill DIRECTORY STORE_MB LOG_MB
//         writes rows of 1 KB until the store and its log have these sizes, and ends without closing it
//     log_report open DIRECTORY LOG_MB
//         opens it again, and prints how long that took as a line of JSON
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fmt/core.h>
#include <span>
#include <string>
#include <string_view>
#include <unistd.h>

#include "base/check.h"
#include "base/hash.h"
#include "bench/filler.h"
#include "storage/storage.h"

namespace {

using namespace dolmen;
using Clock = std::chrono::steady_clock;

constexpr storage::Keyspace kRows{0};
constexpr std::size_t kValueBytes = 1000;
constexpr std::size_t kMegabyte = 1'000'000;

std::unique_ptr<storage::Storage> open_store(const std::string& directory, std::size_t log_megabytes) {
  // Rows are kept in memory as long as the log may grow, and take a little more space there.
  return storage::Storage::open({.directory = directory,
                                 .durability = Durability::kOs,
                                 .keyspaces = {"rows"},
                                 .write_buffer_bytes = log_megabytes * kMegabyte * 5 / 4})
      .value();
}

/// The bytes of the files below a directory whose names end like this.
std::size_t bytes_of(const std::string& directory, std::string_view ending) {
  std::size_t bytes = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(directory))
    if (entry.is_regular_file() && entry.path().string().ends_with(ending)) bytes += entry.file_size();
  return bytes;
}

void fill(const std::string& directory, std::size_t store_megabytes, std::size_t log_megabytes) {
  const auto store = open_store(directory, log_megabytes);
  constexpr std::size_t kRowsOfRound = 1000;
  for (std::size_t row = 0;; ++row) {
    if (row % kRowsOfRound == 0 && bytes_of(directory, "") >= store_megabytes * kMegabyte &&
        bytes_of(directory, ".log") >= log_megabytes * kMegabyte)
      _exit(0);
    storage::Batch batch;
    batch.put(kRows, fmt::format("{:016x}", hash64(std::to_string(row))), bench::filler(row, kValueBytes));
    const Result<void> written = store->commit(std::move(batch));
    DOLMEN_CHECK(written.has_value(), "the disk takes the rows");
  }
}

void open_again(const std::string& directory, std::size_t log_megabytes) {
  const std::size_t log_bytes = bytes_of(directory, ".log");
  const std::size_t all_bytes = bytes_of(directory, "");
  const auto began = Clock::now();
  const auto store = open_store(directory, log_megabytes);
  const std::chrono::duration<double, std::milli> took = Clock::now() - began;
  fmt::print(R"({{"store_mb": {:.1f}, "log_mb": {:.1f}, "records": {}, "open_ms": {:.1f}}})"
             "\n",
             static_cast<double>(all_bytes) / kMegabyte, static_cast<double>(log_bytes) / kMegabyte,
             store->recovery().log_records, took.count());
}

}  // namespace

int main(int count, char** given) {
  const std::span arguments(given, static_cast<std::size_t>(count));
  const auto number = [&](std::size_t i) { return std::strtoull(arguments[i], nullptr, 10); };
  if (count == 5 && arguments[1] == std::string_view("fill")) {
    fill(arguments[2], number(3), number(4));
  } else if (count == 4 && arguments[1] == std::string_view("open")) {
    open_again(arguments[2], number(3));
  } else {
    fmt::print(stderr, "usage: log_report fill DIRECTORY STORE_MB LOG_MB | open DIRECTORY LOG_MB\n");
    return 2;
  }
}
