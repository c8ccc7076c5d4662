#pragma once

#include <memory>
#include <stop_token>

#include "service/service.h"

namespace dolmen {

/// Passes operations on to `service`, which must outlive the result, until `stop` is requested, and then fails them
/// with kCanceled. Operations that have started are not interrupted, so this suits services that answer quickly.
std::unique_ptr<Service> until_stopped(Service& service, std::stop_token stop);

}  // namespace dolmen
