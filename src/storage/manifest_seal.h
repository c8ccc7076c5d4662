#pragma once

#include <filesystem>
#include <mutex>
#include <optional>
#include <string>

#include "base/file_writer.h"
#include "dolmen/error.h"

namespace dolmen::storage {

/// Guards RocksDB's list of files (its MANIFEST) against damage that RocksDB takes for an unfinished last record: a
/// list that was cut short, or whose length bytes changed. RocksDB would open without the files that the lost records
/// name, and delete them. The seal is a small file beside the database with the name, length and hash of the list as it
/// once safely was; the list only grows, so that much of it must be there forever.
///
/// A crash may leave a seal that is older than the list. It then vouches for less, never for something wrong.
class ManifestSeal {
 public:
  /// `database` is RocksDB's folder, `seal` the file.
  ManifestSeal(std::filesystem::path database, std::filesystem::path seal, FileWriter files = FileWriter());

  /// Fails with kCorruption when the list does not begin with what was sealed. A store without a seal passes.
  Result<void> check() const;

  /// Seals the list as it is now. Any thread.
  Result<void> renew();

 private:
  struct Sealed {
    std::string name;
    std::size_t length = 0;
    std::string hash;

    friend bool operator==(const Sealed&, const Sealed&) = default;
  };

  /// The first `length` bytes of the present list, or all of it.
  Result<Sealed> present(std::optional<std::size_t> length) const;
  Result<std::optional<Sealed>> read() const;

  const std::filesystem::path database_;
  const std::filesystem::path seal_;
  const FileWriter files_;
  std::mutex renew_mutex_;  // one renewal at a time
};

}  // namespace dolmen::storage
