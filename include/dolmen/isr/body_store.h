#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "dolmen/error.h"

namespace dolmen {

struct BodyInfo {
  std::uint64_t bytes = 0;
  /// When it was last put there. Only of `list`.
  std::chrono::system_clock::time_point modified_at = {};
};

/// Where the bodies of pages are kept: a directory, a bucket (dolmen/isr.h), or something of a program's own. A key
/// is 1 to 1,024 bytes of UTF-8, else kInvalidArgument. Thread-safe.
class BodyStore {
 public:
  virtual ~BodyStore() = default;

  /// Adds or replaces a body. Whoever reads meanwhile gets all of the old one or all of the new one. It is durable when
  /// this returns.
  virtual Result<void> put(const std::string& key, std::string_view body) = 0;
  /// Nothing when there is no such body.
  virtual Result<std::optional<std::string>> get(const std::string& key) = 0;
  virtual Result<std::optional<BodyInfo>> head(const std::string& key) = 0;
  /// Also succeeds when there is no such body.
  virtual Result<void> remove(const std::string& key) = 0;

  /// Says of every body whose key begins with `prefix`, in any order. One that is put or removed meanwhile may be left
  /// out. Needed by `PageCache::sweep` alone; fails with kUnsupported unless it is overridden.
  using Found = std::function<void(const std::string& key, const BodyInfo& info)>;
  virtual Result<void> list(const std::string& prefix, const Found& found);
};

}  // namespace dolmen
