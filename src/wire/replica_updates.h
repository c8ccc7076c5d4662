#pragma once

#include <optional>

#include "dolmen/error.h"
#include "wire/operations.h"
#include "wire/parameters.h"

/// What CreateTable and UpdateTable say about other regions, which a store with one region does not have.
namespace dolmen::wire {

/// What the replica parameters of an UpdateTable lead to.
struct ReplicaUpdate {
  /// The answer, if the table exists.
  std::optional<Error> refusal = std::nullopt;
  /// Nothing but a setting that has no effect without replicas: the table stays as it is.
  bool changes_nothing = false;
};

/// Reads the parameters of UpdateTable that are about replicas. Fails with kValidation for what DynamoDB refuses
/// without a look at the table. Nothing is set in the result when there are none.
Result<ReplicaUpdate> read_replica_update(const Parameters& parameters, const Account& account);

/// A table without replicas cannot override settings.
Result<void> check_settings_replication(const Parameters& parameters);

}  // namespace dolmen::wire
