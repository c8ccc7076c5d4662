#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace dolmen::entity {

/// Numbered texts in the order of an English dictionary: "a" before "B", "é" among the e's. This is the order of
/// JavaScript's localeCompare. The texts must outlive this object.
class CollatedTexts {
 public:
  explicit CollatedTexts(std::size_t size) : texts_(size), first_(size) {}

  void set(std::size_t place, std::string_view text);
  /// Must be called when all texts have been set. Returns numbers of at least 1 that sort as the texts do, as far as
  /// they distinguish them, and 0 for texts that were not set.
  std::vector<std::uint64_t> finish();

  /// Below 0, 0 or above 0.
  [[nodiscard]] int compare(std::size_t a, std::size_t b) const;

 private:
  std::vector<std::string_view> texts_;
  std::vector<std::uint64_t> first_;
  /// ASCII texts are compared directly. Otherwise these are ICU's keys, whose bytes sort as the texts do.
  bool ascii_ = true;
  std::vector<std::string> keys_;
};

/// Compares two texts in that order: below 0, 0 or above 0.
int compare_collated(std::string_view a, std::string_view b);

}  // namespace dolmen::entity
