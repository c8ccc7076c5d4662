#include "dolmen/cancel.h"

#include <utility>

#include "service/service.h"

namespace dolmen {

std::unique_ptr<Store> cancelable(Store& store, std::stop_token stop) {
  return std::make_unique<Store>(store.service().cancelable(std::move(stop)), store.executor());
}

}  // namespace dolmen
