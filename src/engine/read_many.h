#pragma once

#include <cstddef>
#include <cstdint>

#include "dolmen/error.h"
#include "engine/catalogue.h"
#include "service/service.h"
#include "storage/storage.h"

namespace dolmen::engine {

/// How much the filter of a page may cost, in the units of expr::holds: some tens of milliseconds. As with the size of
/// a page, the client goes on where it ended.
inline constexpr std::uint64_t kPageWorkMax = 2'000'000;

/// Requests for more items than that are carried out elsewhere, if they say where: items may be large.
inline constexpr std::size_t kItemsAtOnceMax = 4;

/// Where items are.
struct ReadSource {
  const Catalogue& catalogue;
  const storage::Storage& storage;
};

/// Query and Scan: checks in DynamoDB's order, then one page. A page that takes longer than about a millisecond goes on
/// elsewhere, if the request says where; the source has to live until `done` is called.
void read_many(ReadManyRequest request, ReadSource source, Done<ReadManyResponse> done);

/// The same, here. `work` is how much filters have cost so far that share the budget of the page.
Result<ReadManyResponse> read_many(const ReadManyRequest& request, ReadSource source, std::uint64_t& work);

}  // namespace dolmen::engine
