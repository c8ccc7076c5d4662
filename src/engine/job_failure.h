#pragma once

#include <optional>

#include "dolmen/error.h"
#include "service/transfer_requests.h"

namespace dolmen::engine {

/// How often a step of a job is tried before the job fails, when trying again may help.
inline constexpr int kStepTriesMax = 60;

/// How an error ends a job, in the codes of AWS; nothing when trying again may help.
std::optional<JobFailure> failure_of(const Error& error, int tries);

/// The job of a store without buckets.
std::unexpected<Error> no_buckets();

}  // namespace dolmen::engine
