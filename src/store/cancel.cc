#include "dolmen/cancel.h"

#include <utility>

#include "service/service.h"

namespace dolmen {

std::unique_ptr<Store> cancelable(Store& store, std::stop_token stop) {
  detail::Companions companions = store.companions();
  std::unique_ptr<Service> service = store.service().cancelable(std::move(stop), companions);
  return std::make_unique<Store>(std::move(service), std::move(companions), store.executor());
}

}  // namespace dolmen
