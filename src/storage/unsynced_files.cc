#include "storage/unsynced_files.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <utility>

namespace dolmen::storage {
namespace {

std::optional<std::string> content_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return std::nullopt;
  return std::string(std::istreambuf_iterator<char>(file), {});
}

}  // namespace

void UnsyncedFiles::created(const std::string& path) { files_[path] = File{}; }

void UnsyncedFiles::appended(const std::string& path, std::uint64_t bytes) { files_[path].length += bytes; }

void UnsyncedFiles::overwriting(const std::string& path) {
  if (overwritten_.contains(path)) return;
  if (std::optional<std::string> content = content_of(path)) overwritten_.emplace(path, *std::move(content));
}

void UnsyncedFiles::truncated(const std::string& path, std::uint64_t length) {
  File& file = files_[path];
  file.length = length;
  file.synced_length = std::min(file.synced_length, length);
}

void UnsyncedFiles::synced(const std::string& path) {
  if (overwritten_.erase(path) > 0) return;
  File& file = files_[path];
  file.synced_length = file.length;
}

void UnsyncedFiles::directory_synced(const std::string& path) {
  for (auto& [name, file] : files_) {
    if (std::filesystem::path(name).parent_path() != std::filesystem::path(path)) continue;
    file.entry_synced = true;
    file.replaced.reset();
  }
}

void UnsyncedFiles::linked(const std::string& from, const std::string& to) {
  const auto known = files_.find(from);
  if (known == files_.end()) return;
  files_[to] = known->second;
  files_[to].entry_synced = false;
}

void UnsyncedFiles::removed(const std::string& path) { files_.erase(path); }

void UnsyncedFiles::renaming(const std::string& from, const std::string& to) {
  const auto source = files_.find(from);
  if (source == files_.end()) return;
  File moved = std::move(source->second);
  files_.erase(source);
  const auto target = files_.find(to);
  if (target == files_.end() || target->second.entry_synced) {
    moved.replaced = content_of(to);
  } else {
    moved.replaced = std::move(target->second.replaced);
  }
  moved.entry_synced = false;
  files_[to] = std::move(moved);
}

/// The disk may have taken the changed bytes up to any one of them.
void UnsyncedFiles::drop_overwriting(const Surviving& surviving) {
  for (auto& [path, synced] : std::exchange(overwritten_, {})) {
    const std::optional<std::string> now = content_of(path);
    if (!now || now->size() != synced.size()) continue;
    const std::uint64_t taken = surviving ? std::min<std::uint64_t>(synced.size(), surviving(synced.size())) : 0;
    std::copy_n(now->begin(), taken, synced.begin());
    std::ofstream(path, std::ios::binary | std::ios::trunc) << synced;
  }
}

void UnsyncedFiles::drop(const Surviving& surviving) {
  drop_overwriting(surviving);
  for (const auto& [path, file] : std::exchange(files_, {})) {
    if (!std::filesystem::exists(path)) continue;
    if (file.entry_synced) {
      const std::uint64_t unsynced = file.length - file.synced_length;
      const std::uint64_t kept = surviving ? std::min(unsynced, surviving(unsynced)) : 0;
      std::filesystem::resize_file(path, file.synced_length + kept);
    } else if (file.replaced) {
      std::ofstream(path, std::ios::binary | std::ios::trunc) << *file.replaced;
    } else {
      std::filesystem::remove(path);
    }
  }
}

}  // namespace dolmen::storage
