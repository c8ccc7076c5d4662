#pragma once

#include "dolmen/entity/client.h"

namespace dolmen::entity {

/// See EntityClient::ensure_table.
Result<TableDescription> grow_table(const EntityClient& client, const WaitOptions& wait, const GrowOptions& options);

}  // namespace dolmen::entity
