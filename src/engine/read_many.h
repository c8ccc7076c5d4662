#pragma once

#include "dolmen/error.h"
#include "engine/catalogue.h"
#include "service/requests.h"
#include "storage/storage.h"

namespace dolmen::engine {

/// Query and Scan: checks in DynamoDB's order, then one page.
Result<ReadManyResponse> read_many(const ReadManyRequest& request, const Catalogue& catalogue,
                                   const storage::Storage& storage);

}  // namespace dolmen::engine
