#pragma once

#include <memory>
#include <stop_token>

#include "service/service.h"

namespace dolmen::engine {

/// The operations of an engine until `stop` is requested: from then on they fail with kCanceled. What has begun is not
/// interrupted, as nothing in an engine waits for long.
std::unique_ptr<Service> cancelable_engine(Service& engine, std::stop_token stop);

}  // namespace dolmen::engine
