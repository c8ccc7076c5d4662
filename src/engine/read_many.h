#pragma once

#include "api/requests.h"
#include "dolmen/error.h"
#include "engine/catalogue.h"
#include "storage/storage.h"

namespace dolmen {

/// Query and Scan: checks in DynamoDB's order, then one page.
Result<ReadManyResponse> read_many(const ReadManyRequest& request, const Catalogue& catalogue,
                                   const storage::Storage& storage);

}  // namespace dolmen
