#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dolmen/faults.h"
#include "service/operations.h"

namespace dolmen::faults {

/// A request, as far as it matters to the lab.
struct Subject {
  OperationInfo operation;
  std::vector<std::string_view> tables = {};
  /// The keys, items or actions of a request that has several.
  std::size_t parts = 0;
  bool reads_index = false;
  bool has_token = false;
};

/// Whether the fault can happen to the request.
bool is_possible(Fault fault, const Subject& subject);

/// What happens to one request.
struct Decision {
  std::uint64_t seed = 0;
  std::uint64_t number = 0;
  std::chrono::milliseconds latency{0};
  /// Beside the latency.
  std::optional<Fault> fault = std::nullopt;
  /// Of kIndexLag.
  std::uint32_t writes = 0;
  /// Of kUnprocessed: for each part whether it is left out. At least one is not.
  std::vector<bool> left_out = {};
};

/// "seed=42, number=17, throttle", with "latency-ms=20" if there is any, and "none" when nothing happens.
std::string to_text(const Decision& decision);

/// A number from 0 to below 1 that depends on all four alone.
double draw(std::uint64_t seed, std::uint64_t number, Fault fault, std::size_t part = 0);

}  // namespace dolmen::faults
