#include "request_history.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>

namespace dolmen::torture {
namespace {

/// The moments at which leases of a key were asked for and got, in order.
using Acquired = std::vector<Moment>;

/// When the holder's lease ended as far as it was certain at that moment; nothing when it had none, when a call that
/// changes it was under way, or when another whose clock is ahead has taken it.
std::optional<std::int64_t> lease_end_at(const RequestClaim& claim, const Interval& at, const Acquired& acquired) {
  std::optional<RequestClaim::LeaseEnd> last;
  for (const RequestClaim::LeaseEnd& lease : claim.leases) {
    if (lease.asked.called > at.returned) break;
    if (lease.asked.returned > at.called) return std::nullopt;
    last = lease;
  }
  if (!last) return std::nullopt;
  const auto next = std::ranges::upper_bound(acquired, last->asked.called);
  if (next != acquired.end() && *next < at.returned) return std::nullopt;
  return last->expires_at;
}

void check_pair(const RequestClaim& a, const RequestClaim& b, const Acquired& acquired,
                std::vector<std::string>& violations) {
  if (a.ended && a.ended->called < b.begun.returned) return;
  const auto report = [&](const char* what, std::int64_t end) {
    violations.push_back(
        fmt::format("key {}, request {}: begun at {} ms although {} until {} s", b.key, b.id, b.now_ms, what, end));
  };
  if (b.now_ms < a.end * 1000) report("it is another's", a.end);
  if (const std::optional<std::int64_t> end = lease_end_at(a, b.begun, acquired); end && b.now_ms < *end * 1000)
    report("its holder has the lease", *end);
}

/// Only those can be told to follow each other that overlap with no other.
void check_request(std::vector<RequestClaim> claims, const Acquired& acquired, std::vector<std::string>& violations) {
  std::ranges::sort(claims, {}, [](const RequestClaim& claim) { return claim.begun.called; });
  for (std::size_t i = 1; i < claims.size(); ++i) {
    const bool alone = claims[i - 1].begun.returned < claims[i].begun.called &&
                       (i < 2 || claims[i - 2].begun.returned < claims[i - 1].begun.called) &&
                       (i + 1 == claims.size() || claims[i].begun.returned < claims[i + 1].begun.called);
    if (alone) check_pair(claims[i - 1], claims[i], acquired, violations);
  }
  if (std::ranges::count(claims, true, &RequestClaim::completed) > 1)
    violations.push_back(fmt::format("key {}, request {}: completed twice", claims.front().key, claims.front().id));
}

}  // namespace

std::vector<std::string> check_requests(std::vector<RequestClaim> claims, const std::vector<Acquisition>& history) {
  std::map<std::size_t, Acquired> acquired;
  for (const Acquisition& acquisition : history) acquired[acquisition.key].push_back(acquisition.acquired.called);
  for (auto& [key, moments] : acquired) std::ranges::sort(moments);
  std::map<std::pair<std::size_t, std::string>, std::vector<RequestClaim>> by_id;
  for (RequestClaim& claim : claims) by_id[{claim.key, claim.id}].push_back(std::move(claim));
  std::vector<std::string> violations;
  for (auto& [id, of_id] : by_id) check_request(std::move(of_id), acquired[id.first], violations);
  return violations;
}

}  // namespace dolmen::torture
