#include "wire/admission.h"

#include <algorithm>
#include <sys/resource.h>

namespace dolmen::wire {
namespace {

namespace ip = boost::asio::ip;

/// Who has one address of IPv6 has 2^64 of them, so they count as one.
ip::address counted_as(const ip::address& address) {
  if (!address.is_v6()) return address;
  if (address.to_v6().is_v4_mapped()) return ip::make_address_v4(ip::v4_mapped, address.to_v6());
  constexpr std::size_t kNetworkBytes = 8;
  ip::address_v6::bytes_type bytes = address.to_v6().to_bytes();
  std::fill(bytes.begin() + kNetworkBytes, bytes.end(), static_cast<unsigned char>(0));
  return ip::address_v6(bytes);
}

}  // namespace

std::optional<Limit> Admission::admit(const ip::address& address) {
  const std::lock_guard lock(by_address_mutex_);
  if (traffic_.connections >= limits_.connections_max) return Limit::kConnections;
  std::size_t& of_address = by_address_[counted_as(address)];
  if (of_address >= limits_.connections_per_address_max) return Limit::kConnectionsPerAddress;
  ++of_address;
  ++traffic_.connections;
  ++traffic_.connections_accepted;
  return std::nullopt;
}

void Admission::leave(const ip::address& address) {
  const std::lock_guard lock(by_address_mutex_);
  --traffic_.connections;
  const auto found = by_address_.find(counted_as(address));
  if (found != by_address_.end() && --found->second == 0) by_address_.erase(found);
}

std::size_t connections_within(std::size_t descriptors_max, std::size_t kept, std::size_t wanted) {
  return std::min(wanted, std::max<std::size_t>(descriptors_max - std::min(kept, descriptors_max / 2), 1));
}

std::size_t descriptors_max() {
  rlimit limit{};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return SIZE_MAX;
  return limit.rlim_cur == RLIM_INFINITY ? SIZE_MAX : static_cast<std::size_t>(limit.rlim_cur);
}

}  // namespace dolmen::wire
