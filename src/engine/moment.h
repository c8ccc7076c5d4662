#pragma once

#include <utility>

#include "service/moment.h"
#include "storage/snapshot.h"

namespace dolmen::engine {

/// A moment of an engine.
struct EngineMoment final : Moment {
  explicit EngineMoment(storage::Snapshot moment) : snapshot(std::move(moment)) {}

  storage::Snapshot snapshot;
};

}  // namespace dolmen::engine
