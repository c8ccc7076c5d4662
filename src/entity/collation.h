#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace dolmen::entity {

/// Texts by number in the order in which people who read English have them: "a" before "B", "é" among the e's. The
/// order that JavaScript's localeCompare gives. The texts must outlive it.
class CollatedTexts {
 public:
  explicit CollatedTexts(std::size_t size) : texts_(size), first_(size) {}

  void set(std::size_t place, std::string_view text);
  /// When all have been set. Returns numbers that are in the order of the texts as far as they tell them apart, 1 or
  /// more, and 0 for those that were not set.
  std::vector<std::uint64_t> finish();

  /// Below 0, 0 or above.
  [[nodiscard]] int compare(std::size_t a, std::size_t b) const;

 private:
  std::vector<std::string_view> texts_;
  std::vector<std::uint64_t> first_;
  /// ASCII compares by itself. Otherwise there are keys by ICU, whose bytes sort like the texts.
  bool ascii_ = true;
  std::vector<std::string> keys_;
};

/// Two texts in that order: below 0, 0 or above.
int compare_collated(std::string_view a, std::string_view b);

}  // namespace dolmen::entity
