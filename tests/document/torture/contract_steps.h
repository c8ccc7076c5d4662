#pragma once

#include "dolmen/store.h"
#include "plan.h"

/// Steps on a table that is bound to contracts, and unbound. An item has a text or a number; of the contracts, those of
/// odd versions want texts, those of even ones numbers.
namespace dolmen::torture {

bool is_contract_step(Step::Kind kind);
Step make_contract_step(std::mt19937_64& random);

Answer apply_contract_step(const Step& step, World& world);
/// The world when a step got no further than to publish its contract.
void publish_only(const Step& step, World& world);
Answer carry_out_contract_step(const Step& step, Store& store);
/// Adds what there is to be seen of the table and its contract.
Result<void> look_at_table(Store& store, World& world);

}  // namespace dolmen::torture
