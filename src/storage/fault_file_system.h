#pragma once

#include <memory>

#include "storage/fault_plan.h"
#include "storage/rocks_forward.h"

namespace dolmen::storage {

/// The process's environment with a file system that fails as `plan` says.
std::unique_ptr<rocksdb::Env> make_fault_env(const std::shared_ptr<FaultPlan>& plan);

}  // namespace dolmen::storage
