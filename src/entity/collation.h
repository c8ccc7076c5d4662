#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace dolmen::entity {

/// For each text a key, so that the keys' bytes sort like the texts do for people who read English: "a" before "B",
/// "é" among the e's. The order that JavaScript's localeCompare gives; equal keys are equal texts to it. Only the keys
/// of one object compare with each other.
class CollationKeys {
 public:
  explicit CollationKeys(const std::vector<std::string_view>& texts);

  [[nodiscard]] std::string_view operator[](std::size_t i) const {
    const std::size_t begin = i == 0 ? 0 : ends_[i - 1];
    return std::string_view(bytes_).substr(begin, ends_[i] - begin);
  }

 private:
  /// All keys, one after the other.
  std::string bytes_;
  std::vector<std::size_t> ends_;
};

}  // namespace dolmen::entity
