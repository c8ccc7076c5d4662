#include "embedded/table_key_file.h"

#include <algorithm>
#include <fmt/format.h>
#include <mutex>
#include <utility>
#include <vector>

#include "base/file_state.h"
#include "base/random.h"
#include "engine/data_keys.h"
#include "model/envelope.h"
#include "model/key_file_text.h"

namespace dolmen {
namespace {

class KeysOfFile final : public engine::TableKeys {
 public:
  KeysOfFile(std::filesystem::path file, std::function<void(std::string line)> log)
      : file_(std::move(file)), log_(std::move(log)) {}

  Result<void> read() {
    state_ = FileState::of(file_);
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
    if (FileState::of(file_) == state_) return;
    const Result<void> done = read();
    if (log_)
      log_(done ? fmt::format("read {} again: {} table keys", file_.string(), keys_.size())
                : fmt::format("the table keys stay as they were: {}", done.error().message()));
  }

  const std::filesystem::path file_;
  const std::function<void(std::string line)> log_;
  std::mutex keys_mutex_;  ///< Guards the next two.
  std::vector<FileKey> keys_;
  FileState state_;
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
