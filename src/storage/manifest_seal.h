#pragma once

#include <filesystem>
#include <mutex>
#include <optional>
#include <string>

#include "base/file_writer.h"
#include "dolmen/error.h"

namespace dolmen::storage {

/// Protects RocksDB's list of files (its MANIFEST) against damage that RocksDB takes for an unfinished last record: a
/// list that was cut short, or whose length bytes changed. RocksDB would open without the files that the lost records
/// name, and delete them. The seal is a small file beside the database with the name, length and hash of the list at an
/// earlier time. The list only grows, so it must always begin with the sealed bytes.
///
/// A crash may leave a seal that is older than the list. Such a seal covers less, but is still correct.
class ManifestSeal {
 public:
  /// `database` is RocksDB's folder, `seal` the file.
  ManifestSeal(std::filesystem::path database, std::filesystem::path seal, FileWriter files = FileWriter());

  /// Fails with kCorruption when the list does not begin with the sealed bytes. A store without a seal passes.
  Result<void> check() const;

  /// Seals the current list. Thread-safe.
  Result<void> renew();

 private:
  struct Sealed {
    std::string name;
    std::size_t length = 0;
    std::string hash;

    friend bool operator==(const Sealed&, const Sealed&) = default;
  };

  /// The first `length` bytes of the current list, or all of it.
  Result<Sealed> present(std::optional<std::size_t> length) const;
  Result<std::optional<Sealed>> read() const;

  const std::filesystem::path database_;
  const std::filesystem::path seal_;
  const FileWriter files_;
  std::mutex renew_mutex_;  // one renewal at a time
};

}  // namespace dolmen::storage
