#pragma once

#include <memory>

#include "credentials/environment.h"
#include "dolmen/remote.h"
#include "remote/remote_service.h"

namespace dolmen::remote {

/// `dolmen::open_remote` in a given environment.
Result<std::unique_ptr<RemoteService>> open_service(RemoteOptions options, const Environment& environment);

}  // namespace dolmen::remote
