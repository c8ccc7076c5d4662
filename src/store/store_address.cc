#include "dolmen/detail/store_address.h"

#include <fmt/format.h>

#include "base/fail.h"

namespace dolmen::detail {

Result<StoreAddress> parse_store_address(const std::string& address) {
  constexpr std::string_view kAwsPrefix = "aws:";
  constexpr std::string_view kFilePrefix = "file:";
  constexpr std::string_view kMemoryWithFaults = "memory:?";
  if (address == "memory:") return StoreAddress{.kind = StoreKind::kMemory, .where = {}};
  if (address.starts_with(kMemoryWithFaults))
    return StoreAddress{.kind = StoreKind::kMemory, .where = address.substr(kMemoryWithFaults.size())};
  if (address.starts_with("http://") || address.starts_with("https://"))
    return StoreAddress{.kind = StoreKind::kEndpoint, .where = address};
  if (address.starts_with(kAwsPrefix))
    return StoreAddress{.kind = StoreKind::kAws, .where = address.substr(kAwsPrefix.size())};
  const bool is_file = address.starts_with(kFilePrefix);
  StoreAddress directory{.where = is_file ? address.substr(kFilePrefix.size()) : address};
  if (directory.where.empty() || (!is_file && address.find("://") != std::string::npos))
    return fail(Code::kInvalidArgument,
                "\"{}\" is not the address of a store; try \"./data\", \"file:DIR\", \"memory:\", "
                "\"http://127.0.0.1:8000\" or \"aws:eu-west-1\"",
                address);
  return directory;
}

Error not_linked(const std::string& address, std::string_view component) {
  return {Code::kUnsupported,
          fmt::format("This program cannot open \"{}\": it does not link the component \"{}\" of Dolmen. Link "
                      "dolmen::{} or dolmen::dolmen",
                      address, component, component)};
}

}  // namespace dolmen::detail
