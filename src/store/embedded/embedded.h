#pragma once

#include <memory>

#include "api/service.h"
#include "dolmen/embedded.h"

namespace dolmen {

/// The engine of `open_embedded`.
Result<std::unique_ptr<Service>> open_embedded_service(const EmbeddedOptions& options);

}  // namespace dolmen
