#pragma once

#include <string>
#include <string_view>

#include "contract/contracts.h"

namespace dolmen::contract {

/// True for BindContract, DescribeContract, ListContracts and UnbindContract.
bool is_operation(std::string_view operation);

struct Operation {
  std::string_view name;
  /// A JSON object.
  std::string_view body;
};

/// Carries out an operation on contracts (docs/contracts.md) and returns its answer, a JSON object. Fails as those of
/// Contracts do, with kSerialization when the body is not a JSON object, with kQueryInvalid for what cannot be
/// understood in it, and as `schema_text` does. Waits for the disk.
Result<std::string> execute(Contracts& contracts, const Operation& operation, const SchemaText& schema_text);

}  // namespace dolmen::contract
