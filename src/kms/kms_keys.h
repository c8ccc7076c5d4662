#pragma once

#include <memory>

#include "credentials/environment.h"
#include "dolmen/kms.h"

namespace dolmen::kms {

/// `open_kms_keys` with an environment that a test can make up.
Result<std::unique_ptr<KeyProvider>> open_keys(KmsOptions options, const Environment& environment);

}  // namespace dolmen::kms
