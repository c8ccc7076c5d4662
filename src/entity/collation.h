#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace dolmen::entity {

/// Texts in the order in which people who read English have them: "a" before "B", "é" among the e's. The order that
/// JavaScript's localeCompare gives. The texts must outlive it.
class CollatedTexts {
 public:
  explicit CollatedTexts(std::vector<std::string_view> texts);

  /// Numbers that are in the order of the texts as far as they tell them apart; 1 or more.
  [[nodiscard]] std::uint64_t first(std::size_t text) const;
  /// Below 0, 0 or above.
  [[nodiscard]] int compare(std::size_t a, std::size_t b) const;

 private:
  [[nodiscard]] std::string_view key(std::size_t text) const {
    return std::string_view(keys_).substr(key_begins_[text], key_begins_[text + 1] - key_begins_[text]);
  }

  std::vector<std::string_view> texts_;
  /// ASCII compares by itself. Otherwise there are keys by ICU, one after the other, whose bytes sort like the texts.
  bool ascii_;
  std::string keys_;
  std::vector<std::size_t> key_begins_;
};

}  // namespace dolmen::entity
