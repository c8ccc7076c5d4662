#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <mutex>
#include <shared_mutex>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "base/fail.h"
#include "dolmen/error.h"

namespace dolmen::expr {

/// What was parsed, by its text. Applications send the same few texts again and again with other values, so each is
/// parsed once. Thread-safe. Texts that fail to parse are not kept.
template <class Parsed>
class TextCache {
 public:
  using Parse = Result<Parsed> (*)(std::string_view);

  explicit TextCache(Parse parse) : parse_(parse) {}

  Result<std::shared_ptr<const Parsed>> get(std::string_view text) {
    {
      const std::shared_lock lock(texts_mutex_);
      const auto found = texts_.find(text);
      if (found != texts_.end()) return found->second;
    }
    DOLMEN_TRY(Parsed parsed, parse_(text));
    auto shared = std::make_shared<const Parsed>(std::move(parsed));
    const std::unique_lock lock(texts_mutex_);
    if (bytes_ + text.size() > kBytesMax) {
      texts_.clear();
      bytes_ = 0;
    }
    if (texts_.emplace(text, shared).second) bytes_ += text.size();
    return shared;
  }

 private:
  /// Much more text than an application has. Beyond that the texts are probably generated, so the cache is simply
  /// cleared. What is parsed takes a multiple of its text.
  static constexpr std::size_t kBytesMax = std::size_t{256} << 10;

  struct TextHash : std::hash<std::string_view> {
    using is_transparent = void;
  };

  Parse parse_;
  std::shared_mutex texts_mutex_;  // guards the members below
  std::size_t bytes_ = 0;
  std::unordered_map<std::string, std::shared_ptr<const Parsed>, TextHash, std::equal_to<>> texts_;
};

}  // namespace dolmen::expr
