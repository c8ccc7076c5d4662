#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/check.h"

/// The input of a fuzzer as text.
inline std::string_view fuzz_input(const std::uint8_t* data, std::size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}
