#include "embedded/table_key_file.h"

#include <algorithm>
#include <compare>
#include <fmt/format.h>
#include <mutex>
#include <sys/stat.h>
#include <utility>
#include <vector>

#include "base/random.h"
#include "engine/data_keys.h"
#include "model/envelope.h"
#include "model/key_file_text.h"

namespace dolmen {
namespace {

/// By what a changed file is known.
struct KeyFileState {
  std::int64_t changed_ns = 0;
  std::uint64_t inode = 0;
  std::int64_t bytes = 0;

  friend bool operator==(const KeyFileState&, const KeyFileState&) = default;
};

KeyFileState state_of_key_file(const std::filesystem::path& file) {
  struct stat found{};
  if (::stat(file.c_str(), &found) != 0) return {};
  constexpr std::int64_t kNanoseconds = 1'000'000'000;
  return {.changed_ns = found.st_ctim.tv_sec * kNanoseconds + found.st_ctim.tv_nsec,
          .inode = found.st_ino,
          .bytes = found.st_size};
}

class KeysOfFile final : public engine::TableKeys {
 public:
  KeysOfFile(std::filesystem::path file, std::function<void(std::string line)> log)
      : file_(std::move(file)), log_(std::move(log)) {}

  Result<void> read() {
    state_ = state_of_key_file(file_);
    DOLMEN_TRY(std::string text, read_key_file(file_));
    Result<std::vector<FileKey>> keys = parse_key_file(text, file_.string());
    wipe(text);
    if (!keys) return std::unexpected(std::move(keys).error());
    keys_ = *std::move(keys);
    return {};
  }

  std::optional<storage::RowCipher::Key> find(std::string_view name) override {
    const std::lock_guard lock(keys_mutex_);
    refresh();
    const auto found = std::ranges::find(keys_, name, &FileKey::id);
    if (found == keys_.end()) return std::nullopt;
    storage::RowCipher::Key key{};
    std::ranges::copy(found->key.bytes(), key.begin());
    return key;
  }

 private:
  void refresh() {
    if (state_of_key_file(file_) == state_) return;
    const Result<void> done = read();
    if (log_)
      log_(done ? fmt::format("read {} again: {} table keys", file_.string(), keys_.size())
                : fmt::format("the table keys stay as they were: {}", done.error().message()));
  }

  const std::filesystem::path file_;
  const std::function<void(std::string line)> log_;
  std::mutex keys_mutex_;  ///< Guards the next two.
  std::vector<FileKey> keys_;
  KeyFileState state_;
};

}  // namespace

Result<std::shared_ptr<engine::TableKeys>> open_table_keys(const std::filesystem::path& file,
                                                           std::function<void(std::string line)> log) {
  auto keys = std::make_shared<KeysOfFile>(file, std::move(log));
  DOLMEN_TRY_VOID(keys->read());
  return keys;
}

Result<void> read_sealed_rows(storage::Storage& storage, const std::filesystem::path& file) {
  std::shared_ptr<engine::TableKeys> keys;
  if (!file.empty()) {
    DOLMEN_TRY(keys, open_table_keys(file));
  }
  return engine::DataKeys({.table_keys = std::move(keys), .region = {}, .account = {}, .random = &system_random()})
      .load(storage, {});
}

}  // namespace dolmen
