#include "service/failures.h"

#include <fmt/format.h>
#include <memory>
#include <utility>

namespace dolmen {

Error canceled_error(std::vector<CancellationReason> reasons) {
  std::vector<std::string_view> codes;
  for (const CancellationReason& reason : reasons) codes.push_back(reason.code);
  std::string message = fmt::format(
      "Transaction cancelled, please refer cancellation reasons for specific reasons [{}]", fmt::join(codes, ", "));
  auto cancellation = std::make_shared<Cancellation>();
  cancellation->reasons = std::move(reasons);
  return {Code::kTransactionCanceled, std::move(message), std::shared_ptr<const ErrorPayload>(std::move(cancellation))};
}

}  // namespace dolmen
