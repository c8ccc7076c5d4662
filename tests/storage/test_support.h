#pragma once

// Shared by the tests of this room. Not part of the library.

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <iterator>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/test_directory.h"
#include "base/test_seed.h"
#include "storage/storage.h"

namespace dolmen::storage::test {

inline constexpr Keyspace kRows{0};
inline constexpr Keyspace kNotes{1};
/// For stores that have one more keyspace than `options_for` names.
inline constexpr Keyspace kCounters{2};

/// The value of a result that a test relies on.
template <class T>
T must(Result<T> result) {
  if (!result)
    throw std::runtime_error(std::string(code_name(result.error().code())) + ": " + result.error().message());
  if constexpr (!std::is_void_v<T>) return *std::move(result);
}

inline Options options_for(const std::filesystem::path& directory, Durability durability = Durability::kOs) {
  Options options;
  options.directory = directory;
  options.durability = durability;
  options.keyspaces = {"rows", "notes"};
  options.write_buffer_bytes = std::size_t{1} << 20;  // The log reserves as much space from the start.
  return options;
}

inline std::unique_ptr<Storage> open_store(const Options& options) { return must(Storage::open(options)); }

inline Batch batch_of(Keyspace keyspace, std::string_view key, std::string_view value) {
  Batch batch;
  batch.put(keyspace, key, value);
  return batch;
}

inline std::optional<std::string> read(const Storage& storage, Keyspace keyspace, std::string_view key,
                                       const Snapshot* snapshot = nullptr) {
  std::string value;
  if (!must(storage.get(keyspace, key, value, snapshot))) return std::nullopt;
  return value;
}

using Content = std::map<std::string, std::string>;

/// The content of a keyspace, or of a range of it.
inline Content content(const Storage& storage, Keyspace keyspace, KeyRangeView range = {},
                       const Snapshot* snapshot = nullptr) {
  Content all;
  Iterator iterator = storage.iterate(keyspace, range, snapshot);
  for (iterator.seek_first(); iterator.valid(); iterator.next()) all.emplace(iterator.key(), iterator.value());
  must(iterator.status());
  return all;
}

inline std::string file_content(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

inline void write_content(const std::filesystem::path& path, std::string_view bytes) {
  std::ofstream(path, std::ios::binary | std::ios::trunc) << bytes;
}

/// Every file below `directory` with its content and modification time, to detect any change.
inline std::map<std::string, std::string> picture_of(const std::filesystem::path& directory) {
  std::map<std::string, std::string> picture;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(directory)) {
    const auto changed = std::to_string(entry.last_write_time().time_since_epoch().count());
    picture[entry.path()] = changed + (entry.is_regular_file() ? " " + file_content(entry.path()) : " a directory");
  }
  return picture;
}

/// The files of a store's database whose names contain `part`, in order.
inline std::vector<std::filesystem::path> database_files(const std::filesystem::path& directory,
                                                         std::string_view part) {
  std::vector<std::filesystem::path> found;
  for (const auto& entry : std::filesystem::directory_iterator(directory / "rocksdb")) {
    if (entry.path().filename().native().find(part) != std::string::npos) found.push_back(entry.path());
  }
  std::sort(found.begin(), found.end());
  return found;
}

/// A generator whose seed is printed and can be set; see test_seed.h.
inline std::mt19937_64 seeded_random() {
  return std::mt19937_64(test_seed(testing::UnitTest::GetInstance()->current_test_info()->name()));
}

/// Incompressible bytes.
inline std::string random_bytes(std::mt19937_64& random, std::size_t size) {
  std::string bytes(size, '\0');
  for (char& byte : bytes) byte = static_cast<char>(random());
  return bytes;
}

}  // namespace dolmen::storage::test
