#pragma once

#include <string>
#include <string_view>

#include "contract/contracts.h"

namespace dolmen::contract {

/// True for BindContract, DescribeContract, ListContracts and UnbindContract.
bool is_operation(std::string_view operation);

/// Carries out an operation on contracts (docs/contracts.md): a JSON object in, a JSON object out. Fails as those of
/// Contracts do, with kSerialization when the body is no JSON object, and with kQueryInvalid for what cannot be
/// understood in it. Waits for the disk.
Result<std::string> execute(Contracts& contracts, std::string_view operation, std::string_view body);

}  // namespace dolmen::contract
