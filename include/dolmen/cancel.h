#pragma once

#include <memory>
#include <stop_token>

#include "dolmen/store.h"

namespace dolmen {

/// The same store for calls that can be canceled:
///
///     std::stop_source stop;
///     const auto calls = cancelable(*store, stop.get_token());
///     calls->async_get_item("notes", key, {}, ...);
///     stop.request_stop();
///
/// When the stop is requested, calls under way in a store elsewhere end with kCanceled, also while they wait for
/// credentials, for a connection or for another attempt; a write that may have been carried out by then ends with
/// kUnknownOutcome. Calls that begin later fail at once. A `store` that is cancelable itself ends them by its own stop
/// too. `store` must outlive what this returns, and the calls made through it.
std::unique_ptr<Store> cancelable(Store& store, std::stop_token stop);

}  // namespace dolmen
