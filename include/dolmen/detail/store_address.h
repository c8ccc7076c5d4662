#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "dolmen/error.h"

namespace dolmen::detail {

enum class StoreKind : std::uint8_t { kDirectory, kMemory, kEndpoint, kAws };

/// What the address of a store means.
struct StoreAddress {
  StoreKind kind = StoreKind::kDirectory;
  /// The directory, the URL, the region, or the faults of a store in memory.
  std::string where;
};

/// Fails with kInvalidArgument for text that is not an address.
Result<StoreAddress> parse_store_address(const std::string& address);

/// What `open` answers in a program that does not link that kind of store.
Error not_linked(const std::string& address, std::string_view component);

}  // namespace dolmen::detail
